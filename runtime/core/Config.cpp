//===- Config.cpp - settings from the environment --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Config.h"

#include "core/Clock.h"
#include "core/Environment.h"
#include "format/ByteSize.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sched.h>
#include <unistd.h>

namespace seamscope {
namespace {

bool parseNumber(const char *Text, int32_t &Value) {
  char *End = nullptr;
  errno = 0;
  const long Parsed = strtol(Text, &End, 10);
  if (errno || End == Text || *End || Parsed < 0 || Parsed > INT32_MAX)
    return false;
  Value = static_cast<int32_t>(Parsed);
  return true;
}

void readRank(Config &C) {
  static const char *const Pairs[][2] = {{"RANK", "WORLD_SIZE"},
                                         {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                         {"PMI_RANK", "PMI_SIZE"},
                                         {"SLURM_PROCID", "SLURM_NTASKS"}};
  for (const auto &Pair : Pairs) {
    const char *Rank = environment(Pair[0]);
    // Other programs use these names too: values that are not numbers are ignored.
    if (!Rank || !parseNumber(Rank, C.Rank))
      continue;
    if (const char *Size = environment(Pair[1]))
      parseNumber(Size, C.WorldSize);
    return;
  }
}

void chooseClock() {
  const char *Wanted = environment("SEAMSCOPE_CLOCK");
  const bool WantsTsc = Wanted && !strcmp(Wanted, "tsc");
  clock::UseMonotonic = !clock::hasInvariantTsc();
  if (Wanted && !strcmp(Wanted, "monotonic")) {
    clock::UseMonotonic = true;
    return;
  }
  if (Wanted && !WantsTsc)
    warn("SEAMSCOPE_CLOCK='%s' is neither tsc nor monotonic; the default clock is used", Wanted);
  if (clock::UseMonotonic) {
    if (WantsTsc)
      warn("SEAMSCOPE_CLOCK=tsc: this processor has no invariant TSC; CLOCK_MONOTONIC is used");
  } else if (clock::kernelVerdict() == clock::TscVerdict::Unstable) {
    clock::UseMonotonic = !WantsTsc;
    warn(WantsTsc ? "SEAMSCOPE_CLOCK=tsc: the TSC is used although the kernel found it unstable: "
                    "times of different threads may be inconsistent"
                  : "the kernel found this machine's TSC unstable; CLOCK_MONOTONIC is used, which "
                    "makes each call cost more (SEAMSCOPE_CLOCK=tsc uses the TSC all the same)");
  }
}

uint32_t processorsInMask() {
  cpu_set_t Masks[64]; // the kernel refuses masks that are too small for the machine
  CPU_ZERO_S(sizeof(Masks), Masks);
  if (sched_getaffinity(0, sizeof(Masks), Masks))
    return 0;
  return static_cast<uint32_t>(CPU_COUNT_S(sizeof(Masks), Masks));
}

} // namespace

SeamscopeMode modeFromEnvironment() {
  const char *Text = environment("SEAMSCOPE");
  if (!Text || !strcmp(Text, "off"))
    return SEAMSCOPE_OFF;
  if (!strcmp(Text, "trace"))
    return SEAMSCOPE_TRACE;
  if (!strcmp(Text, "profile"))
    return SEAMSCOPE_PROFILE;
  warn("SEAMSCOPE='%s' is not off, profile or trace; nothing is recorded", Text);
  return SEAMSCOPE_OFF;
}

void readEnvironment(Config &C) {
  C.RunSinceNs = clock::readClock(CLOCK_REALTIME);
  C.Processors = processorsInMask();
  chooseClock();
  const char *Limit = environment("SEAMSCOPE_LIMIT");
  uint64_t Bytes = 0;
  if (Limit) {
    if (format::parseByteSize(Limit, Bytes) && Bytes >= 4 * format::BlockBytes)
      C.LimitBytes = Bytes;
    else
      warn("SEAMSCOPE_LIMIT='%s' is not a size of at least 1M, as in 512M or 4G; 1G is used",
           Limit);
  }
  const char *OutLimit = environment("SEAMSCOPE_OUT_LIMIT");
  if (OutLimit && !format::parseByteSize(OutLimit, C.OutLimitBytes)) {
    C.OutLimitBytes = format::DefaultOutLimit;
    warn(
        "SEAMSCOPE_OUT_LIMIT='%s' is not a size, as in 512M or 4G, or 0 for no limit; 256M is used",
        OutLimit);
  }
  const char *Throttle = environment("SEAMSCOPE_THROTTLE");
  if (Throttle) {
    C.ThrottleGiven = true;
    int32_t Every = 0;
    if (!strcmp(Throttle, "off"))
      C.Throttle = 0;
    else if (parseNumber(Throttle, Every) && Every >= 2 &&
             Every <= static_cast<int32_t>(MaxThrottle))
      C.Throttle = static_cast<uint32_t>(Every);
    else
      warn("SEAMSCOPE_THROTTLE='%s' is neither off nor a number from 2 to %u; %u is used", Throttle,
           MaxThrottle, DefaultThrottle);
  }
  const char *Samples = environment("SEAMSCOPE_SAMPLES");
  if (Samples) {
    int32_t Rate = 0;
    if (!strcmp(Samples, "off"))
      C.Samples = false;
    else if (parseNumber(Samples, Rate) && Rate >= 1 && Rate <= static_cast<int32_t>(MaxSampleRate))
      C.SampleRate = static_cast<uint32_t>(Rate);
    else
      warn("SEAMSCOPE_SAMPLES='%s' is neither off nor a number from 1 to %u; it is ignored",
           Samples, MaxSampleRate);
  }
  const char *Dir = environment("SEAMSCOPE_SPOOL_DIR");
  if (Dir) {
    if (strlen(Dir) < sizeof(C.SpoolDir) - 128)
      strcpy(C.SpoolDir, Dir);
    else
      warn("SEAMSCOPE_SPOOL_DIR is too long; the default places are used");
  }
  const char *Out = environment("SEAMSCOPE_OUT");
  C.OutGiven = Out && strcmp(Out, "-");
  // Standard output belongs to the program and its children.
  if (Out && !strcmp(Out, "-"))
    warn("SEAMSCOPE_OUT=-: the trace does not go to the program's output but to "
         "seamscope.<pid>.json; name a file");
  if (!C.OutGiven)
    Out = "seamscope.%p.json";
  if (!setOutput(C, Out)) {
    warn("SEAMSCOPE_OUT is too long; the trace goes to /tmp");
    strcpy(C.Out, "/tmp/seamscope.%p.json");
  }
  // Programs that a script starts one after the other each leave a trace.
  const char *Since = environment("SEAMSCOPE_SINCE");
  if (Since) {
    char *End = nullptr;
    errno = 0;
    const unsigned long long Ns = strtoull(Since, &End, 10);
    if (errno || *End || *Since == '-')
      warn("SEAMSCOPE_SINCE='%s' is not a time in ns since 1970; it is ignored", Since);
    else {
      // File times come from a clock that advances in ticks, and late on a busy machine. Accept
      // files up to 10 ticks older: the run's folder has no files from before the run.
      timespec Tick = {};
      clock_getres(CLOCK_REALTIME_COARSE, &Tick);
      const uint64_t Behind = 10 * static_cast<uint64_t>(Tick.tv_nsec);
      const uint64_t From = Ns > Behind ? Ns - Behind : 0;
      C.RunSinceNs = From < C.RunSinceNs ? From : C.RunSinceNs;
      C.RunTag = format::runTag(Ns);
    }
  }
  readRank(C);
}

bool setOutput(Config &C, const char *Path) {
  // The program may change its directory before it ends.
  char Here[PATH_MAX], Whole[sizeof(C.Out)];
  const bool InHere = *Path != '/' && getcwd(Here, sizeof(Here));
  if (snprintf(Whole, sizeof(Whole), "%s%s%s", InHere ? Here : "", InHere ? "/" : "", Path) >=
      static_cast<int>(sizeof(Whole) - 64))
    return false;
  strcpy(C.Out, Whole);
  return true;
}

void outputPath(const Config &C, uint32_t Pid, uint32_t Owner, char (&Path)[PATH_MAX]) {
  size_t At = 0;
  bool HasPid = false;
  for (const char *P = C.Out; *P && At + 24 < sizeof(Path); ++P) {
    if (P[0] == '%' && P[1] == 'p') {
      At += static_cast<size_t>(snprintf(Path + At, 16, "%u", Pid));
      HasPid = true;
      ++P;
    } else {
      Path[At++] = *P;
    }
  }
  Path[At] = 0;
  if (HasPid || Pid == Owner)
    return;
  // Insert the pid before the extension (NAME.<pid>.json), by which readers know the kind.
  char Tail[16] = "";
  static constexpr const char *Endings[] = {".json.gz", ".json"};
  for (const char *Ending : Endings) {
    const size_t Length = strlen(Ending);
    if (At > Length && !strcmp(Path + At - Length, Ending)) {
      strcpy(Tail, Ending);
      At -= Length;
      break;
    }
  }
  snprintf(Path + At, sizeof(Path) - At, ".%u%s", Pid, Tail);
}

} // namespace seamscope
