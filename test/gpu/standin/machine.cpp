//===- machine.cpp - the stand-in's GPU and the log of its work ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "machine.h"

#include "standin.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <link.h>
#include <map>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace standin {
namespace {

std::recursive_mutex Lock;
std::vector<Activity> Done, All;
uint32_t Correlations = 0, Streams = 7, Launches = 0;

/// The expected stamps of a launch's warps, by block and warp.
struct WarpTimes {
  uint64_t BeginNs = 0, EndNs = 0, BeginClock = 0, EndClock = 0;
  uint32_t Sm = 0;
};
std::map<uint64_t, std::map<std::pair<uint32_t, uint32_t>, WarpTimes>> Warps; ///< by launch
std::map<uint64_t, std::vector<BorderRead>> Borders;                          ///< by launch

void *device() {
  static void *const Library = [] {
    const char *Path = getenv("STANDIN_DEVICE");
    void *Opened = Path ? dlopen(Path, RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (!Opened) {
      fprintf(stderr, "stand-in: STANDIN_DEVICE: %s\n", Path ? dlerror() : "is not set");
      _exit(99);
    }
    return Opened;
  }();
  return Library;
}

uint32_t number(const char *Variable, uint32_t Default) {
  const char *Text = getenv(Variable);
  return Text ? static_cast<uint32_t>(atoi(Text)) : Default;
}

void note(Activity What) {
  const std::lock_guard Guard(Lock);
  All.push_back(What);
  Done.push_back(std::move(What));
}

/// When work of this length on a stream begins if it is submitted now.
uint64_t schedule(Stream &On, uint64_t LengthNs) {
  const uint64_t Begin = std::max(On.FreeAt, nowNs() + 900);
  On.FreeAt = Begin + LengthNs;
  return Begin;
}

void writeLog() {
  const char *Path = getenv("STANDIN_LOG");
  FILE *Out = Path ? fopen(Path, "w") : nullptr;
  if (!Out)
    return;
  const auto Number = [&](const char *Key, uint64_t Value) {
    fprintf(Out, ",\"%s\":%llu", Key, static_cast<unsigned long long>(Value));
  };
  fprintf(Out, "{\"activities\":[");
  const char *Comma = "";
  for (const Activity &A : All) {
    fprintf(Out, "%s\n{\"kind\":\"%s\",\"name\":\"%s\"", Comma, A.Kind.c_str(), A.Name.c_str());
    Comma = ",";
    Number("begin", A.BeginNs);
    Number("end", A.EndNs);
    Number("stream", A.Stream);
    Number("correlation", A.Correlation);
    Number("thread", A.Thread);
    Number("bytes", A.Bytes);
    Number("node", A.GraphNode);
    Number("tools", A.IsTools);
    for (const auto &[Kind, Id] : A.External)
      Number(("external " + std::to_string(Kind)).c_str(), Id);
    if (A.Kind == "kernel") {
      fprintf(Out, ",\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"warps\":[", A.Grid[0], A.Grid[1],
              A.Grid[2], A.Block[0], A.Block[1], A.Block[2]);
      const char *Next = "";
      for (const auto &[Place, T] : Warps[A.Number]) {
        fprintf(Out, "%s[%u,%u,%u,%llu,%llu,%llu,%llu]", Next, Place.first, Place.second, T.Sm,
                static_cast<unsigned long long>(T.BeginNs),
                static_cast<unsigned long long>(T.EndNs),
                static_cast<unsigned long long>(T.BeginClock),
                static_cast<unsigned long long>(T.EndClock));
        Next = ",";
      }
      fprintf(Out, "],\"borders\":[");
      Next = "";
      for (const BorderRead &Each : Borders[A.Number]) {
        fprintf(Out, "%s[%u,%u,%u,%llu]", Next, Each.Block, Each.Warp, Each.Threads,
                static_cast<unsigned long long>(Each.Clock));
        Next = ",";
      }
      fprintf(Out, "]");
    }
    fprintf(Out, "}");
  }
  fprintf(Out, "\n]}\n");
  fclose(Out);
}

/// The last known reading of the global timer.
uint64_t lastTimer() {
  uint64_t Last = 0;
  for (const Activity &A : All)
    Last = std::max(Last, A.EndNs);
  return Last + TimerAheadNs;
}

} // namespace

CUresult start() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    Sms = number("STANDIN_SMS", 4);
    BlocksPerSm = number("STANDIN_BLOCKS", 2);
    atexit(writeLog);
    if (const char *Path = getenv("CUDA_INJECTION64_PATH"); Path && *Path)
      if (void *Library = dlopen(Path, RTLD_NOW | RTLD_LOCAL))
        if (const auto Entry =
                reinterpret_cast<int (*)(void)>(dlsym(Library, "InitializeInjection")))
          Entry();
  });
  return isLost() ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_SUCCESS;
}

void (*OnGraphNode)(uint64_t, uint64_t) = nullptr;
unsigned OpenCaptures = 0;
bool CaptureFailed = false;

CUstreamCaptureMode &captureMode() {
  static thread_local CUstreamCaptureMode Mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  return Mode;
}

void mayEndCaptures(bool OnDefaultStream) {
  if (OpenCaptures && (OnDefaultStream || captureMode() != CU_STREAM_CAPTURE_MODE_RELAXED))
    CaptureFailed = true;
}

bool hasFault(const char *Name) {
  const char *Fault = getenv("STANDIN_FAULT");
  return Fault && !strcmp(Fault, Name);
}

static std::atomic<uint32_t> Resets;
uint32_t resets() { return Resets; }
void reset() {
  const std::lock_guard Guard(Lock);
  ++Resets;
  // The modules are loaded again, with the initial values of their variables.
  for (const char *Name :
       {"__seamscope_gpu_control_v1", "__seamscope_gpu_loops_v1", "__seamscope_gpu_work_v1"}) {
    size_t Size = 0;
    if (void *const Variable = deviceSymbol(Name, &Size))
      memset(Variable, 0, Size);
  }
}

bool isLost() { return hasFault("lost") && Launches > 3; }

uint64_t nowNs() {
  timespec Now;
  clock_gettime(CLOCK_REALTIME, &Now);
  return static_cast<uint64_t>(Now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(Now.tv_nsec);
}

Stream &defaultStream() {
  static Stream Default = {7};
  return Default;
}

Stream *newStream() {
  const std::lock_guard Guard(Lock);
  return new Stream{++Streams, 0, nullptr, resets()};
}

Kernel::Kernel(const std::string &Name)
    : Name(Name), Run(reinterpret_cast<WayInto>(deviceSymbol("standin_run_" + Name, nullptr))) {}

bool runKernel(Stream &On, const Kernel &What, const uint32_t (&Grid)[3],
               const uint32_t (&Block)[3], uint32_t Shared, void **Arguments, uint32_t Correlation,
               uint32_t GraphNumber, uint64_t Node) {
  const std::lock_guard Guard(Lock);
  if (!What.Run || !Grid[0] || !Block[0])
    return false;
  if (++Launches, isLost())
    return true; // the error comes later, as on a device
  // The global timer never goes back, whichever stream runs.
  const uint64_t Begin = std::max(schedule(On, 0), lastTimer() - TimerAheadNs + 500);
  setClocks(Begin + 100 + TimerAheadNs, 5'000'000 + Launches * 1000);
  const Launch Ran = launch({Grid[0], Grid[1], Grid[2]}, {Block[0], Block[1], Block[2]},
                            [&] { What.Run(Arguments); });
  On.FreeAt = Begin + 100 + Ran.LengthNs + 100;
  Activity A;
  A.Kind = "kernel";
  A.Name = What.Name;
  A.BeginNs = Begin;
  A.EndNs = On.FreeAt;
  A.Stream = On.Number;
  A.Correlation = Correlation;
  for (int I = 0; I < 3; ++I)
    A.Grid[I] = Grid[I], A.Block[I] = Block[I];
  A.Shared = Shared;
  A.Number = Ran.Grid;
  A.Graph = GraphNumber;
  A.GraphNode = Node;
  for (const ClockRead &Read : Ran.Reads) {
    WarpTimes &T = Warps[Ran.Grid][{Read.Block, Read.Thread / 32}];
    if (Read.AtEntry)
      T = {Read.Ns, 0, Read.Clock, 0, Read.Sm};
    else
      T.EndNs = Read.Ns, T.EndClock = Read.Clock;
  }
  Borders[Ran.Grid] = Ran.Borders;
  note(A);
  return true;
}

static Activity onDevice(const char *Kind, Stream &On, uint64_t LengthNs, uint32_t Correlation) {
  Activity A;
  A.Kind = Kind;
  A.BeginNs = schedule(On, LengthNs);
  A.EndNs = On.FreeAt;
  A.Stream = On.Number;
  A.Correlation = Correlation;
  A.IsTools = On.IsTools;
  return A;
}

void copy(Stream &On, void *To, const void *From, size_t Bytes, uint32_t Way,
          uint32_t Correlation) {
  memmove(To, From, Bytes);
  const std::lock_guard Guard(Lock);
  Activity A = onDevice("copy", On, 500 + Bytes / 13, Correlation);
  A.Bytes = Bytes;
  A.Way = Way;
  note(A);
}

void fill(Stream &On, void *To, int Value, size_t Bytes, uint32_t Correlation) {
  memset(To, Value, Bytes);
  const std::lock_guard Guard(Lock);
  Activity A = onDevice("fill", On, 300 + Bytes / 40, Correlation);
  A.Bytes = Bytes;
  note(A);
}

void wait(Stream *On, uint32_t Kind, uint32_t Correlation) {
  const std::lock_guard Guard(Lock);
  Activity A;
  A.Kind = "wait";
  A.BeginNs = nowNs();
  A.EndNs = std::max(A.BeginNs, On ? On->FreeAt : A.BeginNs);
  // The host really waits, so that its next launch is later.
  while (nowNs() < A.EndNs)
    ;
  A.Stream = On ? On->Number : 0;
  A.Wait = Kind;
  A.Correlation = Correlation;
  note(A);
}

void noteWait(Stream &On, uint32_t Correlation) {
  const std::lock_guard Guard(Lock);
  Activity A = onDevice("wait", On, 0, Correlation);
  A.Wait = 3;
  note(A);
}

std::map<uint32_t, std::vector<uint64_t>> &externalIds() {
  // Exit handlers call the driver after a thread's objects were destroyed.
  static thread_local auto *const Ids = new std::map<uint32_t, std::vector<uint64_t>>;
  return *Ids;
}

Call::Call(bool IsRuntime, uint32_t CallbackId, const char *Name, bool IsTools) {
  const std::lock_guard Guard(Lock);
  What.IsTools = IsTools;
  What.Kind = IsRuntime ? "runtime" : "driver";
  What.Name = Name;
  What.CallbackId = CallbackId;
  What.Thread = static_cast<uint32_t>(gettid());
  What.Correlation = Correlation = ++Correlations;
  for (const auto &[Kind, Ids] : externalIds())
    if (!Ids.empty())
      What.External.emplace_back(Kind, Ids.back());
  What.BeginNs = nowNs();
}

Call::~Call() {
  What.EndNs = nowNs();
  note(What);
}

void *deviceSymbol(const std::string &Name, size_t *Size) { return symbolIn(device(), Name, Size); }

void *symbolIn(void *Library, const std::string &Name, size_t *Size) {
  void *const Address = dlsym(Library, Name.c_str());
  Dl_info Info;
  ElfW(Sym) *Symbol = nullptr;
  if (Address && Size &&
      dladdr1(Address, &Info, reinterpret_cast<void **>(&Symbol), RTLD_DL_SYMENT) && Symbol)
    *Size = Symbol->st_size;
  return Address;
}

std::vector<Activity> takeActivities() {
  const std::lock_guard Guard(Lock);
  return std::exchange(Done, {});
}

} // namespace standin
