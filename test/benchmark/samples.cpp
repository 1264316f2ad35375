// A program of one kernel for the cost of samples. usage: samples
// compute|switch|threads|waits COUNT
// Prints the seconds of processor time that it took; for waits, those of the runtime's threads.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

__attribute__((noinline, annotate("seamscope.kernel"))) static void kernel() {
  asm volatile("" ::: "memory");
}

static double now() {
  timespec T;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &T);
  return static_cast<double>(T.tv_sec) + static_cast<double>(T.tv_nsec) * 1e-9;
}

static void compute(long Count) {
  double X = 1;
  for (long I = 0; I < Count; ++I) {
    X = X * 1.0000001 + 1e-9;
    asm volatile("" : "+m"(X));
  }
}

/// Two threads on one processor that wait for each other: two switches in each round.
static void switchThreads(long Count) {
  cpu_set_t One;
  CPU_ZERO(&One);
  CPU_SET(sched_getcpu(), &One);
  sched_setaffinity(0, sizeof(One), &One);
  int There[2], Back[2];
  if (pipe(There) || pipe(Back))
    abort();
  const auto Copy = [Count](int From, int To) {
    char C = 0;
    for (long I = 0; I < Count; ++I)
      if (read(From, &C, 1) != 1 || write(To, &C, 1) != 1)
        abort();
  };
  std::thread Other(Copy, There[0], Back[1]);
  if (write(There[1], "x", 1) != 1)
    abort();
  Copy(Back[0], There[1]);
  Other.join();
}

/// Threads that wait for 5 to 30 ms each time. \p Count: ms of all.
static double waitShortly(long Count) {
  std::vector<std::thread> All;
  for (long Ms : {5, 7, 11, 13, 17, 19, 23, 29})
    All.emplace_back([=] {
      for (long I = 0; I < Count / Ms; ++I)
        usleep(Ms * 1000);
    });
  for (std::thread &Each : All)
    Each.join();
  double Used = 0;
  for (const auto &Task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string Name;
    double Ns = 0;
    std::ifstream(Task.path() / "comm") >> Name;
    std::ifstream(Task.path() / "schedstat") >> Ns;
    Used += Name == "seamscope" ? Ns * 1e-9 : 0;
  }
  return Used;
}

int main(int, char **Arguments) {
  kernel();
  const long Count = strtol(Arguments[2], nullptr, 10);
  if (!strcmp(Arguments[1], "waits"))
    return printf("%.9f\n", waitShortly(Count)) < 0;
  const double Begin = now();
  if (!strcmp(Arguments[1], "compute"))
    compute(Count);
  else if (!strcmp(Arguments[1], "switch"))
    switchThreads(Count);
  else
    for (long I = 0; I < Count; ++I)
      std::thread(kernel).join();
  printf("%.9f\n", now() - Begin);
}
