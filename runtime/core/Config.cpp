//===- Config.cpp - what the environment asks for --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Config.h"

#include "core/Clock.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/auxv.h>
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

bool parseBytes(const char *Text, uint64_t &Value) {
  char *End = nullptr;
  errno = 0;
  const unsigned long long Parsed = strtoull(Text, &End, 10);
  if (errno || End == Text || *Text == '-')
    return false;
  unsigned Shift = 0;
  switch (*End) {
  case 'K':
  case 'k':
    Shift = 10;
    ++End;
    break;
  case 'M':
  case 'm':
    Shift = 20;
    ++End;
    break;
  case 'G':
  case 'g':
    Shift = 30;
    ++End;
    break;
  default:
    break;
  }
  if (*End || Parsed > (UINT64_MAX >> Shift) >> 8)
    return false;
  Value = Parsed << Shift;
  return true;
}

void readRank(Config &C) {
  static const char *const Pairs[][2] = {{"RANK", "WORLD_SIZE"},
                                         {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                         {"PMI_RANK", "PMI_SIZE"},
                                         {"SLURM_PROCID", "SLURM_NTASKS"}};
  for (const auto &Pair : Pairs) {
    const char *Rank = secure_getenv(Pair[0]);
    // Other programs use these names too: what is no number is none of ours, without a word.
    if (!Rank || !parseNumber(Rank, C.Rank))
      continue;
    if (const char *Size = secure_getenv(Pair[1]))
      parseNumber(Size, C.WorldSize);
    return;
  }
}

} // namespace

SeamscopeMode modeFromEnvironment() {
  // A setuid program must not write files because its caller says so.
  if (getauxval(AT_SECURE))
    return SEAMSCOPE_OFF;
  const char *Text = getenv("SEAMSCOPE");
  if (!Text || !*Text || !strcmp(Text, "off"))
    return SEAMSCOPE_OFF;
  if (!strcmp(Text, "trace"))
    return SEAMSCOPE_TRACE;
  if (!strcmp(Text, "profile"))
    return SEAMSCOPE_PROFILE;
  say("SEAMSCOPE='%s' is not a mode: it is off, profile or trace; nothing is recorded", Text);
  return SEAMSCOPE_OFF;
}

void readEnvironment(Config &C) {
  // secure_getenv: as above, also where the program itself switches recording on.
  C.OursSinceNs = clock::readClock(CLOCK_REALTIME);
  const char *Clock = secure_getenv("SEAMSCOPE_CLOCK");
  clock::UseMonotonic = !clock::hasInvariantTsc();
  if (Clock && *Clock) {
    if (!strcmp(Clock, "monotonic"))
      clock::UseMonotonic = true;
    else if (strcmp(Clock, "tsc"))
      say("SEAMSCOPE_CLOCK='%s' is neither tsc nor monotonic; the usual clock is used", Clock);
    else if (clock::UseMonotonic)
      say("SEAMSCOPE_CLOCK=tsc: this processor has no invariant TSC; CLOCK_MONOTONIC is used");
  }
  const char *Limit = secure_getenv("SEAMSCOPE_LIMIT");
  uint64_t Bytes = 0;
  if (Limit && *Limit) {
    if (parseBytes(Limit, Bytes) && Bytes >= 4 * format::BlockBytes)
      C.LimitBytes = Bytes;
    else
      say("SEAMSCOPE_LIMIT='%s' is no size of at least 1M, as in 512M or 4G; 1G is used", Limit);
  }
  const char *Dir = secure_getenv("SEAMSCOPE_SPOOL_DIR");
  if (Dir && *Dir) {
    if (strlen(Dir) < sizeof(C.SpoolDir) - 128)
      strcpy(C.SpoolDir, Dir);
    else
      say("SEAMSCOPE_SPOOL_DIR is too long; the usual places are used");
  }
  const char *Out = secure_getenv("SEAMSCOPE_OUT");
  C.OutGiven = Out && *Out;
  if (!C.OutGiven)
    Out = "seamscope.%p.json";
  if (!setOutput(C, Out)) {
    say("SEAMSCOPE_OUT is too long; the trace goes to /tmp");
    strcpy(C.Out, "/tmp/seamscope.%p.json");
  }
  // Programs that a script starts one after the other leave a trace each.
  const char *Since = secure_getenv("SEAMSCOPE_SINCE");
  if (Since && *Since) {
    char *End = nullptr;
    errno = 0;
    const unsigned long long Ns = strtoull(Since, &End, 10);
    if (errno || *End || *Since == '-')
      say("SEAMSCOPE_SINCE='%s' is no time in ns since 1970; it is not used", Since);
    else {
      // Files have their times from a clock that stands still for a tick, or a few on a busy
      // machine: what was written right after seems to be older. Nothing of before is left there.
      timespec Tick = {};
      clock_getres(CLOCK_REALTIME_COARSE, &Tick);
      const uint64_t Behind = 10 * static_cast<uint64_t>(Tick.tv_nsec);
      const uint64_t From = Ns > Behind ? Ns - Behind : 0;
      C.OursSinceNs = From < C.OursSinceNs ? From : C.OursSinceNs;
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
  // NAME.json of another process: NAME.<pid>.json, so that its reader still knows the kind.
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
