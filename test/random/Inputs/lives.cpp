// Random lives of threads and processes. Each process counts its kernel's calls in a file that it shares with
// lives.py, after each call; a process that is killed leaves its count there.
//
// usage: lives SEED FILE [DEPTH]
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <random>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

constexpr uint32_t Slots = 4096;
struct Slot {
  std::atomic<int64_t> Pid, Calls;
};
struct Shared {
  std::atomic<uint32_t> Next, Crashes;
  Slot Processes[Slots];
};

static Shared *File;
static Slot *Own;
static int Seed, Depth;
static const char *Program, *Path;

__attribute__((noinline, annotate("seamscope.kernel"))) static void kernel(int Spins) {
  for (volatile int I = 0; I < Spins; ++I)
    ;
}

static void takeSlot() {
  const uint32_t Index = File->Next.fetch_add(1);
  if (Index >= Slots)
    _exit(0);
  Own = &File->Processes[Index];
  Own->Pid = getpid();
}

static void call(std::minstd_rand &Random, int Times) {
  for (int I = 0; I < Times; ++I) {
    kernel(static_cast<int>(Random() % 2000));
    ++Own->Calls;
    if (Random() % 64 == 0)
      usleep(Random() % 2000);
  }
}

/// Waits for \p Child, -1: any. Returns whether there was one.
static bool await(pid_t Child) {
  int Status;
  const pid_t Ended = waitpid(Child, &Status, 0);
  if (Ended > 0 && WIFSIGNALED(Status) && WTERMSIG(Status) != SIGKILL)
    ++File->Crashes;
  return Ended > 0;
}

static void live();

static void fork(std::minstd_rand &Random) {
  const uint32_t Kind = Random() % 3, Later = Random();
  const pid_t Child = ::fork();
  if (Child == 0) {
    ++Depth;
    Seed = static_cast<int>(Later);
    if (Kind == 0) {
      const std::string Numbers[] = {std::to_string(Seed), std::to_string(Depth)};
      execl(Program, Program, Numbers[0].c_str(), Path, Numbers[1].c_str(), nullptr);
      _exit(1);
    }
    takeSlot();
    live();
    if (Kind == 1)
      _exit(0);
    exit(0);
  }
  if (Random() % 2)
    await(Child);
}

static void live() {
  std::minstd_rand Random(static_cast<unsigned>(Seed));
  std::vector<std::thread> Open;
  for (uint32_t Left = 5 + Random() % 40; Left; --Left)
    switch (Random() % 6) {
    case 0:
    case 1:
    case 2:
      Open.emplace_back([=, Later = Random()]() mutable {
        std::minstd_rand Mine(static_cast<unsigned>(Later));
        call(Mine, static_cast<int>(Mine() % 500));
      });
      break;
    case 3:
      if (!Open.empty()) {
        Open.back().join();
        Open.pop_back();
      }
      break;
    case 4:
      if (Depth < 3 && Random() % 2)
        fork(Random);
      break;
    default:
      call(Random, static_cast<int>(Random() % 1000));
    }
  for (std::thread &Each : Open)
    Each.join();
  while (await(-1))
    ;
}

int main(int Count, char **Arguments) {
  Program = Arguments[0];
  Seed = std::atoi(Arguments[1]);
  Path = Arguments[2];
  Depth = Count > 3 ? std::atoi(Arguments[3]) : 0;
  const int Handle = open(Path, O_RDWR | O_CLOEXEC);
  File = static_cast<Shared *>(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, Handle, 0));
  close(Handle);
  takeSlot();
  live();
}
