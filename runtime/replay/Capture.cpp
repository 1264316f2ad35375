//===- Capture.cpp - takes one call of a kernel out of the program --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `seamscope run --capture KERNEL:N` sets SEAMSCOPE_CAPTURE, and SEAMSCOPE_CALLS to the file that
// has what calls need. The contents of memory are in `captured` next to it.
//
//===----------------------------------------------------------------------===//
#include "core/Environment.h"
#include "core/Platform.h"
#include "format/JsonText.h"
#include "replay/TouchedMemory.h"
#include "seamscope/replay.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace seamscope {
namespace {

/// The number of the call of \p Kernel that is wanted, from 1 on; 0: none.
uint64_t wantedCall(const char *Kernel) {
  const char *const Wanted = environment("SEAMSCOPE_CAPTURE");
  const char *const Colon = Wanted ? strrchr(Wanted, ':') : nullptr;
  if (!Colon || static_cast<size_t>(Colon - Wanted) != strlen(Kernel) ||
      strncmp(Wanted, Kernel, strlen(Kernel)) != 0)
    return 0;
  return strtoull(Colon + 1, nullptr, 10);
}

uint64_t mostBytes() {
  const char *const Text = environment("SEAMSCOPE_CAPTURE_LIMIT");
  char *End = nullptr;
  const uint64_t Set = Text ? strtoull(Text, &End, 10) : 0;
  return End && !*End && Set ? Set : uint64_t{1} << 30;
}

bool writeAll(int File, const void *From, size_t Bytes) {
  const WriteSignalsHeld Held;
  for (const auto *At = static_cast<const char *>(From); Bytes;) {
    const ssize_t Written = write(File, At, Bytes);
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      return false;
    At += Written;
    Bytes -= static_cast<size_t>(Written);
  }
  return true;
}

/// A file of the captured call. Removed unless all of it was written.
class NewFile {
public:
  explicit NewFile(const char *Path)
      : Path(Path), File(open(Path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) {}
  bool add(const void *From, size_t Bytes) {
    Ok = Ok && File >= 0 && writeAll(File, From, Bytes);
    return Ok;
  }
  bool finish() {
    Ok = Ok && File >= 0;
    if (File >= 0)
      Ok &= close(File) == 0;
    if (!Ok)
      unlink(Path);
    return Ok;
  }

private:
  const char *Path;
  int File;
  bool Ok = true;
};

/// Paths of a captured call.
struct Place {
  char Folder[PATH_MAX], Name[64], File[PATH_MAX + 32];

  const char *file(const char *Of) {
    snprintf(File, sizeof File, "%s/%s", Folder, Of);
    return File;
  }
};

/// Makes the folder, next to the file \p Calls.
bool makePlace(const char *Calls, Place &To) {
  static uint32_t Number = 0;
  const char *const Slash = strrchr(Calls, '/');
  const int Length = Slash ? static_cast<int>(Slash - Calls) : 0;
  snprintf(To.Name, sizeof To.Name, "%d-kernel-%u", getpid(),
           __atomic_add_fetch(&Number, 1, __ATOMIC_RELAXED));
  if (!Slash || snprintf(To.Folder, sizeof To.Folder, "%.*s/captured", Length, Calls) >=
                    static_cast<int>(sizeof To.Folder))
    return false;
  mkdir(To.Folder, 0700); // another call may have made it
  return snprintf(To.Folder, sizeof To.Folder, "%.*s/captured/%s", Length, Calls, To.Name) <
             static_cast<int>(sizeof To.Folder) &&
         mkdir(To.Folder, 0700) == 0;
}

/// The base address of the library that \p Address is in.
const void *libraryOf(const void *Address) {
  Dl_info Info;
  return dladdr(Address, &Info) ? Info.dli_fbase : nullptr;
}

/// Whether the program's variable or function takes the place of that in a copy of the kernel. A
/// library's own does not, as it comes with the library.
bool isPrograms(const SeamscopeReplayData &Of, const void *Library) {
  return Of.address && (Of.kind != SEAMSCOPE_REPLAY_DECLARED ||
                        (libraryOf(Of.address) == Library && !dlsym(RTLD_NEXT, Of.name)));
}

unsigned ompFunction(const char *Name) {
  const auto Function = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, Name));
  const int Result = Function ? Function() : 0;
  return Result > 0 ? static_cast<unsigned>(Result) : 0;
}

/// Adds the line to the file of calls, whole or not at all: all processes of a run have one.
bool addLine(const char *Calls, const format::JsonText &Line) {
  const int File = open(Calls, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (File < 0)
    return false;
  flock(File, LOCK_EX);
  const off_t End = lseek(File, 0, SEEK_END);
  const bool Ok = Line.ok() && writeAll(File, Line.data(), Line.size());
  if (!Ok && End >= 0 && ftruncate(File, End) != 0)
    warn("%s: the end of the last line is missing", Calls);
  close(File);
  return Ok;
}

/// Null, or why nothing was captured.
const char *capture(const SeamscopeReplayUnit &Unit, uint64_t Call, void *Arguments,
                    uint32_t Threads) {
  const char *const Calls = environment("SEAMSCOPE_CALLS");
  if (!Calls)
    return "there is no folder of a run (`seamscope run` makes one)";
  if (Unit.problem)
    return Unit.problem;
  // A team within a team has one thread, unless the program asks for more.
  if (!Threads)
    Threads = ompFunction("omp_in_parallel") ? 1 : ompFunction("omp_get_max_threads");
  TouchedMemory Memory;
  if (const char *const Why = Memory.run(Unit.invoke, Arguments, Threads))
    return Why;
  uint64_t Bytes = 0;
  TouchedRun Run;
  for (uintptr_t At = 0; Memory.next(At, Run); At = Run.End)
    Bytes += Run.End - Run.Begin;
  if (Bytes > mostBytes())
    return "it touches more memory than is kept (SEAMSCOPE_CAPTURE_LIMIT, 1 GiB by default)";
  static Place To;
  if (!makePlace(Calls, To))
    return "its folder cannot be made";
  NewFile Code(To.file("kernel.ll"));
  Code.add(Unit.code, strlen(Unit.code));
  bool Ok = Code.finish();
  NewFile Values(To.file("arguments.bin"));
  Values.add(Arguments, Unit.arguments_size);
  Ok &= Values.finish();

  format::JsonText Line;
  Line.raw("{").member("kernel", Unit.kernel, false).raw(",\"call\":").number(Call);
  Line.member("entry", Unit.entry).member("options", Unit.options).member("llvm", Unit.llvm);
  Line.raw(",\"threads\":").number(uint64_t{Threads ? Threads : 1});
  Line.member("captured", To.Name).raw(",\"memory\":[");
  NewFile Contents(To.file("memory.bin"));
  bool First = true;
  for (uintptr_t At = 0; Ok && Memory.next(At, Run); At = Run.End) {
    Ok = Contents.add(reinterpret_cast<const void *>(Run.Begin), Run.End - Run.Begin);
    Line.raw(First ? "[" : ",[").number(uint64_t{Run.Begin}).raw(",");
    Line.number(uint64_t{Run.End - Run.Begin}).raw(Run.Reads ? ",1" : ",0");
    Line.raw(Run.Writes ? ",1]" : ",0]");
    First = false;
  }
  Ok &= Contents.finish();
  Line.raw("],\"data\":[");
  const void *const Library = libraryOf(&Unit);
  for (uint64_t I = 0; I < Unit.data_count; ++I) {
    const SeamscopeReplayData &Of = Unit.data[I];
    Line.raw(I ? ",[" : "[").string(Of.name).raw(",");
    Line.number(isPrograms(Of, Library) ? reinterpret_cast<uint64_t>(Of.address) : uint64_t{0});
    Line.raw(",").number(Of.kind).raw("]");
  }
  Line.raw("]}\n");
  return Ok && addLine(Calls, Line) ? nullptr : "its memory cannot be written to a file";
}

} // namespace
} // namespace seamscope

SEAMSCOPE_EXPORT void __seamscope_capture_v3(SeamscopeReplayUnit *Unit, void *Arguments,
                                             uint32_t Threads) {
  using namespace seamscope;
  const uint64_t Wanted = wantedCall(Unit->kernel);
  const uint64_t Call = __atomic_add_fetch(&Unit->number, 1, __ATOMIC_RELAXED);
  if (Call >= Wanted)
    storeRelaxed(&Unit->wanted, uint32_t{0});
  if (Call != Wanted)
    return;
  const int Errno = errno;
  if (const char *const Why = capture(*Unit, Call, Arguments, Threads))
    warn("call %llu of %s is not captured: %s", static_cast<unsigned long long>(Call), Unit->kernel,
         Why);
  errno = Errno;
}
