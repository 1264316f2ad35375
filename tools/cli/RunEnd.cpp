//===- RunEnd.cpp - work after the program's end --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/RunEnd.h"

#include "cli/CudaTool.h"
#include "cli/Verbs.h"
#include "format/ByteSize.h"
#include "run/folder/Sources.h"
#include "run/join/BusyMachine.h"
#include "run/join/Unrecorded.h"
#include "run/launch/ProgramNotes.h"
#include "run/launch/SecureExecution.h"
#include "torch/CompileLog.h"
#include "trace/chrome/TraceHead.h"
#include "trace/io/Escape.h"
#include "trace/io/FileUse.h"
#include "trace/io/TemporaryFile.h"
#include "trace/spool/SpoolToChrome.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <ranges>
#include <sys/stat.h>
#include <sys/wait.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

/// NAME.<ending> for a trace NAME.json or NAME.json.gz.
std::string besideTrace(const std::string &Trace, const std::string &Ending) {
  const size_t Tail = Trace.ends_with(".gz") ? 8 : 5;
  return fmt::format("{}.{}", Trace.substr(0, Trace.size() - Tail), Ending);
}

/// The limit of a trace's size, read as the runtime reads it, which has reported a bad value.
uint64_t outLimit() {
  uint64_t Bytes = format::DefaultOutLimit;
  const char *Text = std::getenv("SEAMSCOPE_OUT_LIMIT");
  if (Text && *Text && !format::parseByteSize(Text, Bytes))
    Bytes = format::DefaultOutLimit;
  return Bytes;
}

/// What happened to the spools that processes of a run left.
struct LeftSpools {
  size_t Written = 0;            ///< as traces, and removed
  std::vector<std::string> Stay; ///< a sentence about each that could not be written
};

/// A name for the trace of process \p Pid that no file has: \p Trace, else NAME.<pid>.json. A
/// process that started another program without a fork has the pid of that program, and gets a
/// number.
std::string freeName(const std::string &Trace, uint32_t Pid) {
  const auto IsTaken = [](const std::string &Path) {
    std::error_code Failed;
    return fs::exists(fs::symlink_status(Path, Failed));
  };
  std::string Name = Trace;
  for (unsigned Try = 1; IsTaken(Name); ++Try)
    Name = besideTrace(Trace, fmt::format("{}{}.json{}", Pid,
                                          Try > 1 ? fmt::format(".{}", Try) : std::string(),
                                          Trace.ends_with(".gz") ? ".gz" : ""));
  return Name;
}

/// Writes the traces of processes that were killed or could not write theirs: that of the program
/// itself, else the first, as trace.json if there is none, others next to it.
LeftSpools recoverSpools(const RunOutput &To, int64_t StartNs, const Ended &How) {
  LeftSpools Left;
  // The clock of files lags by a tick. Looking into each spool of other runs would take long.
  constexpr int64_t Lag = 1'000'000'000;
  std::vector<std::string> Paths = findSpools(StartNs - Lag);
  const std::string OfProgram = fmt::format("-{}-", How.Child);
  std::ranges::stable_partition(Paths, [&](const std::string &Path) {
    return fs::path(Path).filename().string().find(OfProgram) != std::string::npos;
  });
  for (const std::string &Path : Paths) {
    if (!isAbandoned(Path))
      continue;
    auto File = SpoolFile::open(Path);
    if (!File)
      continue; // of another version, or cut off in its header
    const format::SpoolHeader &Header = (*File)->reader().header();
    if (Header.RunTag != format::runTag(static_cast<uint64_t>(StartNs)) ||
        Header.First.RealtimeNs < static_cast<uint64_t>(StartNs))
      continue;
    // Only the program's own end was observed; its children may have ended earlier.
    if (Header.Pid == static_cast<uint32_t>(How.Child))
      (*File)->setKilled(How.EndNs);
    const std::string Out = freeName(To.Trace, Header.Pid);
    SpoolWriting Writing = spoolWriting(Out);
    uint64_t LeftOut = 0;
    Writing.LeftOut = &LeftOut;
    Writing.MaxBytes = outLimit();
    Writing.KeepIn = besideTrace(Out, "spool");
    Writing.FollowsLinks = To.Folder.empty();
    if (const auto Failure = writeChrome(**File, Out, Writing)) {
      Left.Stay.push_back(
          fmt::format("{}; what process {} recorded stays in {}: `seamscope recover {} -o FILE` "
                      "writes it where there is room",
                      Failure->message(), Header.Pid, Path, Path));
      continue;
    }
    ++Left.Written;
    if (LeftOut)
      complain(fmt::format("run: '{}' has sums of the {} calls that began last "
                           "(SEAMSCOPE_OUT_LIMIT); all are in '{}', which `seamscope report` reads",
                           Out, LeftOut, Writing.KeepIn));
    std::optional<Error> Stays;
    if (const Error *Damage = (*File)->damage())
      Stays = *Damage;
    else
      Stays = removeSpool(Path);
    if (Stays)
      complain(fmt::format("run: the spool {} stays: {}", Path, Stays->message()));
  }
  return Left;
}

/// Why no file can be written in \p Folder; nothing: one can.
std::optional<Error> whyNotWritable(const std::string &Folder) {
  // A trace takes more, but a full disk lacks even this.
  constexpr size_t Least = 64 << 10;
  TemporaryFile Probe(Folder);
  Probe.write(std::string(Least, '\0'));
  return Probe.error() ? std::optional(Error{Folder, {}, std::strerror(Probe.error())})
                       : std::nullopt;
}

/// Why an instrumented program could not leave a trace; empty: the folders have room.
std::string whyNothingWritten(const RunOutput &To) {
  if (const auto Why = whyNotWritable(fs::path(To.Trace).parent_path().string()))
    return fmt::format("no trace can be written to {}", Why->message());
  std::string Reasons;
  for (const std::string &Folder : spoolFolders()) {
    const auto Why = whyNotWritable(Folder);
    if (!Why)
      return {};
    Reasons += (Reasons.empty() ? "" : ", ") + Why->message();
  }
  return "nothing can be recorded into " + Reasons;
}

/// The compiler that torch was asked to use.
std::string compilerOf(const RunManifest &Manifest) {
  for (const auto &[Name, Value] : Manifest.Environment)
    if (Name == "CXX")
      return Value;
  const char *Set = std::getenv("CXX");
  return Set ? Set : "its own choice";
}

/// The traces that other processes of the run left next to \p Trace: NAME.<pid>.json, by name.
std::vector<std::string> tracesNextTo(const std::string &Trace, int64_t StartNs) {
  const std::string Name = fs::path(Trace).filename().string();
  const std::string Ending = Name.ends_with(".gz") ? ".json.gz" : ".json";
  const std::string Stem = Name.substr(0, Name.size() - Ending.size()) + '.';
  std::vector<std::string> Names;
  for (const fs::path &Path : entriesIn(fs::path(Trace).parent_path().string())) {
    const std::string Other = Path.filename().string();
    if (Other.size() <= Stem.size() + Ending.size() || !Other.starts_with(Stem) ||
        !Other.ends_with(Ending))
      continue;
    const std::string Pid = Other.substr(Stem.size(), Other.size() - Stem.size() - Ending.size());
    struct stat File;
    if (Pid.find_first_not_of(".0123456789") == Pid.npos && !stat(Path.c_str(), &File) &&
        __int128{File.st_mtim.tv_sec} * 1'000'000'000 + File.st_mtim.tv_nsec > StartNs)
      Names.push_back(Other);
  }
  std::ranges::sort(Names);
  return Names;
}

/// If the process that the name was kept for left no trace, the first other one that ended gets it.
void giveName(const RunOutput &To, int64_t StartNs) {
  std::error_code Failed;
  if (fs::exists(fs::symlink_status(To.Trace, Failed)))
    return;
  const fs::path Folder = fs::path(To.Trace).parent_path();
  const std::vector<std::string> Others = tracesNextTo(To.Trace, StartNs);
  const auto WrittenAt = [&](const std::string &Name) {
    return fs::last_write_time(Folder / Name, Failed);
  };
  if (const auto First = std::ranges::min_element(Others, {}, WrittenAt); First != Others.end())
    fs::rename(Folder / *First, To.Trace, Failed);
}

/// Names kernels without events because they were inlined. The report names them, too.
void warnOfInlinedKernels(const RunOutput &To) {
  InlinedKernels Inlined;
  for (const std::string &Trace : To.Folder.empty() ? std::vector{To.Trace} : tracesIn(To.Folder))
    addInlinedKernelsOf(Trace, Inlined);
  if (!Inlined.empty())
    complain("run: " + escaped(Inlined.sentence()));
}

/// Says what kept the run from all of its processors. The report does, too.
void warnOfBusyMachine(const RunOutput &To, const RunManifest &Manifest) {
  std::vector<Error> NotRead; // the comparison of runs reports it
  const NamedRun This{"this run", nullptr, Manifest.Host};
  if (const auto Busy = To.Folder.empty() ? busyMachine({&This, 1})
                                          : busyMachine(To.Folder, logsOf(To.Folder, NotRead)))
    complain("run: " + Busy->Consequence);
}

/// Which files of an instrumented program were looked at, and why nothing in them is timed.
std::string whyNothingTimed(const std::string &Program, const ProgramNotes &Notes) {
  constexpr size_t MostNamed = 3;
  const std::vector<std::string> &Files = Notes.FilesWithout;
  uint64_t Functions = 0;
  std::string Reasons;
  for (const ProgramNotes::Skipped &Each : Notes.WhyWithout) {
    Functions += Each.Functions;
    Reasons += fmt::format("; {}: {}", Each.Functions, Each.Reason);
  }
  return escaped(fmt::format(
      "{} is instrumented, but none of the {} function{} in {}{} is timed{}. kernels=NAME in "
      "SEAMSCOPE_PASS times a function in any case",
      Program, Functions, Functions == 1 ? "" : "s",
      fmt::join(Files | std::views::take(MostNamed), ", "),
      Files.size() > MostNamed ? fmt::format(" and {} more files", Files.size() - MostNamed) : "",
      Reasons));
}

/// Why the program left no trace.
std::string whyNoTrace(const RunOptions &Options, const RunOutput &To, const RunManifest &Manifest,
                       const RunEnd &End, const ProgramNotes &Notes) {
  const std::string Program = programFile(Options.Command);
  if (End.SpoolsStay)
    return "run: no trace: none could be written";
  if (const std::string Why = whyNothingWritten(To); !Why.empty())
    return "run: no trace: " + Why;
  if (WIFSIGNALED(End.How.Status) && To.Folder.empty())
    return fmt::format("run: the program was killed; `seamscope recover {} -o {}` writes what it "
                       "recorded",
                       End.How.Child, To.Trace);
  if (!To.Folder.empty() && !compileLogsIn(logsIn(To.Folder)).empty())
    return fmt::format("run: no trace, but what torch compiled is in {}: no kernel of it is "
                       "instrumented (torch compiles with {})",
                       To.Folder, compilerOf(Manifest));
  if (Notes.LeftToLink)
    return fmt::format("run: no trace: {} was compiled with lto=link, and its linker did not load "
                       "the plugin; link it with lld and seamscope-clang++, or compile it with "
                       "lto=compile",
                       Program);
  if (Notes.HasGpuCode && !isCudaDriverThere())
    return fmt::format("run: no trace: {} has kernels for GPUs, and there is no CUDA driver here "
                       "(libcuda.so.1): it ran as it is; run it where there is one, or build it "
                       "with seamscope-clang++ to record the host",
                       Program);
  if (!Notes.FilesWithout.empty())
    return "run: no trace: " + whyNothingTimed(Program, Notes);
  return "run: no trace: nothing in the program is instrumented (build it with "
         "seamscope-clang++)";
}

/// The sentence about processes that left spools; empty: none did. \p WallNs: of the run.
std::string recoveredNote(size_t Recovered, int Status, int64_t WallNs) {
  if (!Recovered)
    return "";
  if (Recovered == 1 && WIFSIGNALED(Status))
    return fmt::format("the program was killed, or aborted, at {:.1f} s; its trace is recovered "
                       "from its spool",
                       static_cast<double>(WallNs) / 1e9);
  return fmt::format("{} of the program's processes {} killed, or aborted; {} recovered from {}",
                     Recovered, Recovered == 1 ? "was" : "were",
                     Recovered == 1 ? "its trace is" : "their traces are",
                     Recovered == 1 ? "its spool" : "their spools");
}

/// Completes the folder of a run that has ended; whether spools stay.
bool completeFolder(const RunOutput &To, RunManifest &Manifest, const Ended &How,
                    bool HadTemporaryCache) {
  const int Status = How.Status;
  const size_t Known = Manifest.Notes.size();
  if (WIFSIGNALED(Status))
    Manifest.Signal = WTERMSIG(Status);
  else
    Manifest.ExitCode = WEXITSTATUS(Status);
  LeftSpools Left = recoverSpools(To, Manifest.StartNs, How);
  giveName(To, Manifest.StartNs);
  if (std::string Note = recoveredNote(Left.Written, Status, Manifest.WallNs); !Note.empty())
    Manifest.Notes.push_back(std::move(Note));
  std::ranges::move(Left.Stay, std::back_inserter(Manifest.Notes));
  if (const char *Cache = std::getenv("TORCHINDUCTOR_CACHE_DIR"))
    Manifest.Cache = Cache;
  if (const char *Logs = std::getenv("TORCH_TRACE"); Logs && Logs != logsIn(To.Folder))
    Manifest.Notes.push_back(
        fmt::format("TORCH_TRACE was set before: the logs of torch.compile are in {}", Logs));
  collectGenerated(To.Folder, Manifest.Cache, Manifest);
  collectSources(To.Folder, Manifest);
  if (const auto Unread = takeUnread())
    Manifest.Notes.push_back(Unread->message());
  if (HadTemporaryCache)
    Manifest.Cache.clear();
  for (size_t I = Known; I < Manifest.Notes.size(); ++I)
    complain("run: " + Manifest.Notes[I]);
  if (const auto Failure = completeManifest(To.Folder, Manifest))
    fail(*Failure);
  return !Left.Stay.empty();
}

} // namespace

bool completeRun(const RunOutput &To, RunManifest &Manifest, const Ended &How,
                 bool HadTemporaryCache) {
  if (!To.Folder.empty())
    return completeFolder(To, Manifest, How, HadTemporaryCache);
  const LeftSpools Left = recoverSpools(To, Manifest.StartNs, How);
  giveName(To, Manifest.StartNs);
  if (const std::string Note = recoveredNote(Left.Written, How.Status, Manifest.WallNs);
      !Note.empty())
    complain("run: " + Note);
  for (const std::string &Each : Left.Stay)
    complain("run: " + Each);
  if (const auto Unread = takeUnread())
    complain("run: " + Unread->message());
  return !Left.Stay.empty();
}

int finishRun(const RunOptions &Options, const RunOutput &To, const RunManifest &Manifest,
              const RunEnd &End) {
  const int Status = End.How.Status;
  std::error_code Failed;
  const std::string &Where = To.Folder.empty() ? To.Trace : To.Folder;
  const bool Written =
      To.Folder.empty() ? fs::exists(To.Trace, Failed) : !tracesIn(To.Folder).empty();
  const std::string Program = programFile(Options.Command);
  const ProgramNotes Notes = readProgramNotes(Program);
  const std::vector<std::string> More = Written && To.Folder.empty()
                                            ? tracesNextTo(To.Trace, Manifest.StartNs)
                                            : std::vector<std::string>();
  constexpr size_t MostNamed = 3;
  if (!More.empty())
    inform(fmt::format("run: wrote {} and {} more trace{}: {}{}", Where, More.size(),
                       More.size() == 1 ? "" : "s",
                       fmt::join(More | std::views::take(MostNamed), ", "),
                       More.size() > MostNamed ? ", ..." : ""));
  else if (Written)
    inform(fmt::format("run: trace in {}", Where));
  else
    complain(whyNoTrace(Options, To, Manifest, End, Notes));
  if (!Notes.UnmatchedKernels.empty())
    complain(fmt::format("run: kernels={}: {} has no such function",
                         fmt::join(Notes.UnmatchedKernels, ","), Program));
  if (Written && !Options.Report) {
    warnOfInlinedKernels(To);
    warnOfBusyMachine(To, Manifest);
  }
  const int Reported = Options.Report && Written ? printReport(Where) : Success;
  if (WIFSIGNALED(Status))
    return 128 + WTERMSIG(Status);
  return WEXITSTATUS(Status) ? WEXITSTATUS(Status) : Reported;
}

} // namespace seamscope::tools
