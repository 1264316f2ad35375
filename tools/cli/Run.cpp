//===- Run.cpp - seamscope run -------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/CudaTool.h"
#include "cli/Help.h"
#include "cli/RunEnvironment.h"
#include "cli/Verbs.h"
#include "format/ByteSize.h"
#include "run/folder/BaselineFolder.h"
#include "run/folder/RunFolder.h"
#include "run/folder/Sources.h"
#include "run/folder/StepLog.h"
#include "run/join/BusyMachine.h"
#include "run/join/Unrecorded.h"
#include "run/launch/Launch.h"
#include "run/launch/ProgramNotes.h"
#include "run/launch/SecureExecution.h"
#include "torch/CompileLog.h"
#include "trace/ReadTrace.h"
#include "trace/chrome/TraceHead.h"
#include "trace/io/Escape.h"
#include "trace/io/FileUse.h"
#include "trace/io/Processors.h"
#include "trace/io/TemporaryFile.h"
#include "trace/spool/SpoolToChrome.h"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

int64_t wallClockNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// Where a run writes to.
struct Output {
  std::string Trace;  ///< the program's own
  std::string Folder; ///< empty: the trace alone was asked for
};

/// NAME.<ending> for a trace NAME.json or NAME.json.gz.
std::string besideTrace(const std::string &Trace, const std::string &Ending) {
  const size_t Tail = Trace.ends_with(".gz") ? 8 : 5;
  return fmt::format("{}.{}", Trace.substr(0, Trace.size() - Tail), Ending);
}

/// How large traces may get, as the runtime reads it; it has complained of a bad one.
uint64_t outLimit() {
  uint64_t Bytes = format::DefaultOutLimit;
  const char *Text = std::getenv("SEAMSCOPE_OUT_LIMIT");
  if (Text && *Text && !format::parseByteSize(Text, Bytes))
    Bytes = format::DefaultOutLimit;
  return Bytes;
}

/// What became of the spools that processes of a run left.
struct LeftSpools {
  size_t Written = 0;            ///< as traces, and removed
  std::vector<std::string> Stay; ///< a sentence about each that could not be written
};

/// Writes what processes of the run had recorded that did not end by themselves, or could not write
/// their trace: the first to trace.json where there is none, others beside it.
LeftSpools recoverSpools(const Output &To, int64_t StartNs, const Ended &How) {
  LeftSpools Left;
  // The clock of files lags behind by a tick. Others' spools would take long to look into, each.
  constexpr int64_t Lag = 1'000'000'000;
  for (const std::string &Path : findSpools(StartNs - Lag)) {
    if (!isAbandoned(Path))
      continue;
    auto File = SpoolFile::open(Path);
    if (!File)
      continue; // another version's, or cut off before it was one
    const format::SpoolHeader &Header = (*File)->reader().header();
    if (Header.RunTag != format::runTag(static_cast<uint64_t>(StartNs)) ||
        Header.First.RealtimeNs < static_cast<uint64_t>(StartNs))
      continue;
    // Of the program itself the end was seen; its children may have ended before.
    if (Header.Pid == static_cast<uint32_t>(How.Child))
      (*File)->setKilled(How.EndNs);
    std::error_code Failed;
    std::string Out = To.Trace;
    if (fs::exists(fs::symlink_status(Out, Failed)))
      Out =
          besideTrace(Out, fmt::format("{}.json{}", Header.Pid, Out.ends_with(".gz") ? ".gz" : ""));
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

/// Whether a file can be written in \p Folder; else why not.
std::optional<Error> whyNotWritable(const std::string &Folder) {
  // What is recorded takes more, but a full disk has not even this.
  constexpr size_t Least = 64 << 10;
  TemporaryFile Probe(Folder);
  Probe.write(std::string(Least, '\0'));
  return Probe.error() ? std::optional(Error{Folder, {}, std::strerror(Probe.error())})
                       : std::nullopt;
}

/// Why an instrumented program could have left no trace; empty: the folders have room for one.
std::string whyNothingWritten(const Output &To) {
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

/// How many traces other processes of the run left beside \p Trace: NAME.<pid>.json.
size_t tracesBeside(const std::string &Trace, int64_t StartNs) {
  const std::string Name = fs::path(Trace).filename().string();
  const std::string Ending = Name.ends_with(".gz") ? ".json.gz" : ".json";
  const std::string Stem = Name.substr(0, Name.size() - Ending.size()) + '.';
  size_t Count = 0;
  for (const fs::path &Path : entriesIn(fs::path(Trace).parent_path().string())) {
    const std::string Other = Path.filename().string();
    if (Other.size() <= Stem.size() + Ending.size() || !Other.starts_with(Stem) ||
        !Other.ends_with(Ending))
      continue;
    const std::string Pid = Other.substr(Stem.size(), Other.size() - Stem.size() - Ending.size());
    struct stat File;
    if (Pid.find_first_not_of("0123456789") == Pid.npos && !stat(Path.c_str(), &File) &&
        __int128{File.st_mtim.tv_sec} * 1'000'000'000 + File.st_mtim.tv_nsec > StartNs)
      ++Count;
  }
  return Count;
}

/// Names kernels that the traces have no events of since they were inlined. The report does, too.
void warnOfInlinedKernels(const Output &To) {
  InlinedKernels Inlined;
  for (const std::string &Trace : To.Folder.empty() ? std::vector{To.Trace} : tracesIn(To.Folder))
    addInlinedKernelsOf(Trace, Inlined);
  if (!Inlined.empty())
    complain("run: " + escaped(Inlined.sentence()));
}

/// Says what kept the run from all of its processors. The report does, too.
void warnOfBusyMachine(const Output &To, const RunManifest &Manifest) {
  std::vector<Error> NotRead; // who compares them says it
  const NamedRun This{"this run", nullptr, Manifest.Host};
  if (const auto Busy = To.Folder.empty() ? busyMachine({&This, 1})
                                          : busyMachine(To.Folder, logsOf(To.Folder, NotRead)))
    complain("run: " + Busy->Consequence);
}

/// Says where the trace is, prints the report if asked to; the exit status.
int finish(const RunOptions &Options, const Output &To, const RunManifest &Manifest,
           const Ended &How, bool SpoolsStay) {
  const int Status = How.Status;
  std::error_code Failed;
  const std::string &Where = To.Folder.empty() ? To.Trace : To.Folder;
  bool Written = To.Folder.empty() ? fs::exists(To.Trace, Failed) : !tracesIn(To.Folder).empty();
  const std::string Program = programFile(Options.Command);
  const ProgramNotes Notes = readProgramNotes(Program);
  const size_t Beside = Written && To.Folder.empty() ? tracesBeside(To.Trace, Manifest.StartNs) : 0;
  if (Beside)
    complain(fmt::format("run: trace of one process in {}, of {} more beside it", Where, Beside));
  else if (Written)
    complain(fmt::format("run: trace in {}", Where));
  else if (SpoolsStay)
    complain("run: no trace: none could be written");
  else if (const std::string Why = whyNothingWritten(To); !Why.empty())
    complain("run: no trace: " + Why);
  else if (WIFSIGNALED(Status) && To.Folder.empty())
    complain(fmt::format("run: the program was killed; `seamscope recover {} -o {}` writes what it "
                         "recorded",
                         How.Child, To.Trace));
  else if (!To.Folder.empty() && !compileLogsIn(logsIn(To.Folder)).empty())
    complain(fmt::format("run: no trace, but what torch compiled is in {}: no kernel of it is "
                         "instrumented (torch compiles with {})",
                         Where, compilerOf(Manifest)));
  else if (Notes.LeftToLink)
    complain(
        fmt::format("run: no trace: {} was compiled with lto=link, and its linker did not load "
                    "the plugin; link it with lld and seamscope-clang++, or compile it with "
                    "lto=compile",
                    Program));
  else if (Notes.HasGpuCode && !isCudaDriverThere())
    complain(fmt::format("run: no trace: {} has kernels for GPUs, and there is no CUDA driver here "
                         "(libcuda.so.1): it ran as it is; run it where there is one, or build it "
                         "with seamscope-clang++ to record the host",
                         Program));
  else
    complain("run: no trace: nothing in the program is instrumented (build it with "
             "seamscope-clang++)");
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

/// What to say of processes that left spools; empty: none did.
std::string recoveredNote(size_t Recovered, int Status) {
  if (!Recovered)
    return "";
  if (Recovered == 1 && WIFSIGNALED(Status))
    return "the program did not end by itself; the trace is what it had recorded, recovered from "
           "its spool";
  return fmt::format("{} of the program's processes did not end by {}; {} what {} had recorded, "
                     "recovered from {}",
                     Recovered, Recovered == 1 ? "itself" : "themselves",
                     Recovered == 1 ? "its trace is" : "their traces are",
                     Recovered == 1 ? "it" : "they", Recovered == 1 ? "its spool" : "their spools");
}

/// Completes the folder of a run that has ended; whether spools stay.
bool completeFolder(const Output &To, RunManifest &Manifest, const Ended &How,
                    const Prepared &Here) {
  const int Status = How.Status;
  const size_t Known = Manifest.Notes.size();
  if (WIFSIGNALED(Status))
    Manifest.Signal = WTERMSIG(Status);
  else
    Manifest.ExitCode = WEXITSTATUS(Status);
  LeftSpools Left = recoverSpools(To, Manifest.StartNs, How);
  if (std::string Note = recoveredNote(Left.Written, Status); !Note.empty())
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
  if (!Here.TemporaryCache.empty())
    Manifest.Cache.clear();
  for (size_t I = Known; I < Manifest.Notes.size(); ++I)
    complain("run: " + Manifest.Notes[I]);
  if (const auto Failure = completeManifest(To.Folder, Manifest))
    fail(*Failure);
  return !Left.Stay.empty();
}

bool isTraceFile(const std::string &Path) {
  return Path.ends_with(".json") || Path.ends_with(".json.gz");
}

/// Where to write to; nothing, after a word on stderr, when that cannot be.
std::optional<Output> chooseOutput(const RunOptions &Options) {
  Output To;
  std::error_code Failed;
  if (Options.Out == "-") {
    complain("run: --output -: standard output is the program's; name a folder or a trace");
    return std::nullopt;
  }
  if (isTraceFile(Options.Out)) {
    To.Trace = fs::absolute(Options.Out).string();
    if (const fs::path Folder = fs::path(To.Trace).parent_path();
        !fs::is_directory(Folder, Failed)) {
      complain(fmt::format("run: '{}' is no folder to write a trace to", Folder.string()));
      return std::nullopt;
    }
    // An old trace must not be taken for this run's, but what the program reads is none.
    for (const std::string &Word : Options.Command)
      noteInput(Word);
    struct stat Old;
    if (stat(To.Trace.c_str(), &Old) == 0 && S_ISREG(Old.st_mode)) {
      if (isInput(To.Trace)) {
        complain(fmt::format("run: -o {}: the program has this file as an argument; name another "
                             "to write",
                             Options.Out));
        return std::nullopt;
      }
      fs::remove(To.Trace, Failed);
    }
    return To;
  }
  if (Options.Out.empty()) {
    To.Folder = newRunFolder(fs::absolute(UsualRunParent).string());
    if (To.Folder.empty()) {
      complain("run: cannot make a folder below 'seamscope-out'; name another with -o");
      return std::nullopt;
    }
  } else {
    To.Folder = fs::absolute(Options.Out).lexically_normal().string();
    if (To.Folder.size() > 1 && To.Folder.ends_with('/'))
      To.Folder.pop_back();
    if (const std::string Why = prepareFolder(To.Folder); !Why.empty()) {
      complain(fmt::format("run: '{}' {}", Options.Out, Why));
      return std::nullopt;
    }
  }
  To.Trace = traceIn(To.Folder);
  return To;
}

/// How a run of the program ended.
struct RunEnd {
  Ended How;
  bool SpoolsStay = false; ///< of its processes, since no trace could be written of them
};

/// Runs the program once and completes its folder, if it has one; the environment is as before.
RunEnd runOnce(const RunOptions &Options, const Output &To, RunSide Side, const std::string &Text,
               RunManifest &Manifest) {
  Manifest.Version = SEAMSCOPE_VERSION;
  Manifest.Command = Options.Command;
  Manifest.Mode = Options.Mode;
  setDirectory(Manifest);
  if (Manifest.Directory.empty())
    complain("run: " + Manifest.Notes.back());
  const auto Before = environmentNow();
  Manifest.StartNs = wallClockNs();
  Prepared Here = prepareEnvironment(Options, To.Trace, To.Folder, Side, Manifest.StartNs);
  Manifest.Environment = std::move(Here.New);
  const HostCounts HostBefore = HostCounts::now();
  RunEnd End = {launch(Options.Command, Text)};
  Manifest.WallNs = wallClockNs() - Manifest.StartNs;
  HostLoad &Host = Manifest.Host.emplace();
  Host.Processors = availableProcessors();
  Host.WallNs = Manifest.WallNs;
  Host.ProgramNs = End.How.CpuNs;
  Host.Preempted = End.How.Preempted;
  Host.setMeanwhile(HostBefore, HostCounts::now());
  // It does not keep what was recorded from being written.
  if (const auto Unread = takeUnread())
    complain("run: " + Unread->message());
  if (!End.How.Why && !To.Folder.empty()) {
    End.SpoolsStay = completeFolder(To, Manifest, End.How, Here);
  } else if (!End.How.Why) {
    const LeftSpools Left = recoverSpools(To, Manifest.StartNs, End.How);
    if (const std::string Note = recoveredNote(Left.Written, End.How.Status); !Note.empty())
      complain("run: " + Note);
    for (const std::string &Each : Left.Stay)
      complain("run: " + Each);
    if (const auto Unread = takeUnread())
      complain("run: " + Unread->message());
    End.SpoolsStay = !Left.Stay.empty();
  }
  std::error_code Failed;
  if (!Here.TemporaryCache.empty())
    fs::remove_all(Here.TemporaryCache, Failed);
  restoreEnvironment(Before);
  return End;
}

/// One more start, into a folder inside of the run's; whether it ended well.
bool runAgain(const RunOptions &Options, const std::string &Folder, RunSide Side) {
  std::error_code Failed;
  fs::create_directories(Folder, Failed);
  const std::string Text = outputIn(Folder);
  RunManifest Manifest;
  const Ended How = runOnce(Options, {traceIn(Folder), Folder}, Side, Text, Manifest).How;
  trimStepLog(Folder);
  const char *What = Side == RunSide::Eager         ? "eager"
                     : Side == RunSide::OwnEager    ? "plain eager"
                     : Side == RunSide::Compiled    ? "repeated"
                     : Side == RunSide::OwnCompiler ? "--own-compiler"
                                                    : "unrecorded";
  if (How.Why)
    complain(fmt::format("run: the {} run cannot be started: {}", What, std::strerror(How.Why)));
  else if (WIFSIGNALED(How.Status))
    complain(fmt::format("run: the {} run was ended by signal {}; what it wrote is in {}", What,
                         WTERMSIG(How.Status), Text));
  else if (WEXITSTATUS(How.Status))
    complain(fmt::format("run: the {} run ended with status {}; what it wrote is in {}", What,
                         WEXITSTATUS(How.Status), Text));
  else
    return true;
  return false;
}

/// How often each run is made, at least.
unsigned timesOf(const RunOptions &Options) { return std::max(1u, Options.Repeat); }

/// The eager runs that the compiled one in \p Folder is compared with.
void runBaseline(const RunOptions &Options, const std::string &Folder) {
  if (Options.Baseline != "eager") {
    std::error_code Failed;
    // What a link in a folder of somebody else leads to is not that folder's.
    fs::copy(eagerIn(Options.Baseline), eagerIn(Folder),
             fs::copy_options::recursive | fs::copy_options::skip_symlinks, Failed);
    if (Failed)
      complain(fmt::format("run: the eager runs of '{}' cannot be copied: {}", Options.Baseline,
                           Failed.message()));
    return;
  }
  // In turns, so that what changes on the machine meets both alike.
  for (unsigned Time = 1; Time <= timesOf(Options); ++Time) {
    if (Time > 1 && !runAgain(Options, numbered(compiledIn(Folder), Time), RunSide::Compiled))
      return;
    if (!runAgain(Options, numbered(eagerIn(Folder), Time), RunSide::Eager))
      return;
  }
}

/// Two runs of a program may differ by far more than steps of one do: by what malloc keeps, and by
/// where its threads are. So the speedup, if nobody says how often, is that of several runs, as
/// long as they are short.
constexpr unsigned RunsOfSpeedup = 3;
constexpr std::chrono::seconds ShortRuns{60};

/// Runs the program with nothing recorded, \p Eager too, and as torch alone would; says what
/// recording changed.
void runUnrecorded(const RunOptions &Options, const std::string &Folder, bool Eager) {
  struct Kind {
    bool Wanted;
    std::string Folder;
    RunSide Side;
    bool OfSpeedup;
  };
  const bool Own = !Options.NoOwnCompiler;
  std::vector<Kind> Order = {
      {Eager, unrecordedEagerIn(Folder), RunSide::UnrecordedEager, !Own},
      {true, unrecordedCompiledIn(Folder), RunSide::UnrecordedCompiled, !Own},
      {Own && Eager, ownEagerIn(Folder), RunSide::OwnEager, true},
      {Own, ownCompilerIn(Folder), RunSide::OwnCompiler, true}};
  const auto Begin = std::chrono::steady_clock::now();
  const auto GoesOn = [&](unsigned Time) {
    if (Time == 1 || Options.Repeat || !Eager)
      return Time <= timesOf(Options);
    return Time <= RunsOfSpeedup && std::chrono::steady_clock::now() - Begin < ShortRuns;
  };
  // Forth and back, so that what changes on the machine little by little meets all alike.
  for (unsigned Time = 1; GoesOn(Time); ++Time, std::ranges::reverse(Order))
    for (const Kind &Each : Order)
      if (Each.Wanted && (Time <= timesOf(Options) || Each.OfSpeedup) &&
          !runAgain(Options, repeated(Each.Folder, Time), Each.Side))
        return;
  std::vector<Error> NotRead;
  const FolderLogs Logs = logsOf(Folder, NotRead);
  const auto Found = compareUnrecorded(Logs);
  for (const Error &Why : NotRead)
    fail(Why);
  if (!Found)
    complain("run: what recording does to the program is not known: no steady step is in two runs; "
             "let the program run more of them");
  else
    for (const std::string &Warning : Found->warnings())
      complain("run: " + Warning);
}

/// Which options do not go together; empty: all do.
std::string conflictingOptions(const RunOptions &Options) {
  if (Options.Compile == "off") {
    if (!Options.Cache.empty() && Options.OpenMP != "libomp")
      return "--cache does nothing with --compile off";
    if (Options.OwnCompiler)
      return "--own-compiler is about what torch compiles: it excludes --compile off";
    if (!Options.Baseline.empty())
      return "--baseline is about what torch compiles: it excludes --compile off";
  }
  if (Options.NoOwnCompiler && Options.Baseline != "eager")
    return "--no-own-compiler is for --baseline eager";
  if (Options.NoUnrecorded && Options.Baseline != "eager")
    return "--no-unrecorded is for --baseline eager";
  if (Options.OwnCompiler && (isTraceFile(Options.Out) || Options.Mode != "trace"))
    return "--own-compiler needs a folder to write to, and --mode trace";
  if (Options.Baseline.empty())
    return Options.Repeat > 1 ? "--repeat is for --baseline eager" : "";
  if (isTraceFile(Options.Out))
    return "--baseline needs a folder to write to, not a trace; name one with -o";
  if (Options.Mode != "trace")
    return "--baseline needs every call: --mode trace";
  if (!Options.Torch)
    return "--baseline compares torch's operators: it excludes --no-torch";
  if (Options.Baseline == "eager")
    return "";
  if (baselinesIn(Options.Baseline).empty())
    return fmt::format("--baseline {}: is neither 'eager' nor the folder of a run that has an "
                       "eager one in it",
                       Options.Baseline);
  return Options.Repeat > 1 ? "--repeat is for --baseline eager" : "";
}

/// For programs that set themselves up: what a Python program would find set, as a JSON object.
int printEnvironment(RunOptions Options) {
  Options.Compile = "on";
  const std::string Folder =
      Options.Out.empty() || isTraceFile(Options.Out) ? "" : fs::absolute(Options.Out).string();
  const std::string Trace = Folder.empty() ? Options.Out : traceIn(Folder);
  nlohmann::ordered_json Set = nlohmann::ordered_json::object();
  const Prepared Here =
      prepareEnvironment(Options, Trace, Folder, RunSide::Compiled, wallClockNs());
  for (const auto &[Name, Value] : Here.New)
    if (!Value.empty())
      Set[Name] = Value;
  return writeResult("", Set.dump(2, ' ', true, nlohmann::ordered_json::error_handler_t::replace) +
                             "\n");
}

int run(const RunOptions &Options) {
  if (Options.PrintEnvironment)
    return printEnvironment(Options);
  if (const std::string Why = conflictingOptions(Options); !Why.empty()) {
    complain("run: " + Why);
    return BadUsage;
  }
  const auto To = chooseOutput(Options);
  if (!To)
    return BadUsage;
  RunManifest Manifest;
  if (const std::string Why = whySecure(Options.Command); !Why.empty()) {
    complain("run: " + Why);
    Manifest.Notes.push_back(Why);
  }
  const auto [How, SpoolsStay] = runOnce(Options, *To, RunSide::Compiled, {}, Manifest);
  if (How.Why) {
    std::error_code Failed;
    if (!To->Folder.empty())
      fs::remove(To->Folder, Failed); // empty
    complain(fmt::format("run: cannot start '{}': {}", Options.Command[0], std::strerror(How.Why)));
    return How.Why == ENOENT ? 127 : How.Child ? 126 : BadData;
  }
  if (!Options.Baseline.empty()) {
    if (How.Status != 0)
      complain("run: the program did not end well: it is not run again for the baseline");
    else if (compileLogsIn(logsIn(To->Folder)).empty())
      complain("run: torch compiled nothing: the program is not run again for the "
               "baseline");
    else
      runBaseline(Options, To->Folder);
  }
  const bool Compared = Options.Baseline == "eager" && !baselinesIn(To->Folder).empty();
  if (!To->Folder.empty())
    trimStepLog(To->Folder);
  if (How.Status == 0 && (Options.OwnCompiler || (Compared && !Options.NoUnrecorded)))
    runUnrecorded(Options, To->Folder, Compared);
  return finish(Options, *To, Manifest, How, SpoolsStay);
}

} // namespace

Action addRun(CLI::App &Verb) {
  auto Options = std::make_shared<RunOptions>();
  Verb.add_option("--mode", Options->Mode, "trace (every call, the default) or profile (sums)")
      ->check(CLI::IsMember({"trace", "profile"}));
  Verb.add_option(
          "--throttle", Options->Throttle,
          "Of the calls of kernels, loops and waits that are so many and short that recording "
          "takes 2 % of a thread's time, one in how many is timed, 2 to 1048576 (default "
          "128); off: all are (default for Python's torch)")
      ->check(CLI::IsMember({"off"}) | CLI::Range(2, 1 << 20));
  Verb.add_flag("--loops{auto}", Options->Loops,
                "Time the loops of kernels that are compiled while the program runs: the outermost "
                "ones, and with =N the outermost N levels; =off: none (see docs/pass.md)")
      ->type_name("[auto|N|off]")
      ->check(CLI::IsMember({"auto", "off"}) | CLI::Range(1, 1000));
  Verb.add_option("-o,--output", Options->Out,
                  "Folder for all that the run leaves, or a trace alone (.json, .json.gz); default "
                  "seamscope-out/<time>")
      ->type_name("FILE");
  Verb.add_flag("--report", Options->Report, "Print the report afterwards");
  Verb.add_option("--cache", Options->Cache,
                  "Folder of Inductor's cache for Python programs; default: one of Seamscope's own "
                  "for each build of the pass")
      ->type_name("DIR");
  Verb.add_option("--openmp", Options->OpenMP,
                  "auto: libomp serves the whole program if it is Python's; libomp: always; keep: "
                  "leave the OpenMP runtimes alone")
      ->check(CLI::IsMember({"auto", "libomp", "keep"}));
  auto *Torch = Verb.add_flag_callback(
      "--torch", [Options] { Options->Torch = true; },
      "Record the operators of a Python program that imports torch (the default)");
  Verb.add_flag_callback(
          "--no-torch", [Options] { Options->Torch = false; }, "Record none of torch's operators")
      ->excludes(Torch);
  Verb.add_option("--compile", Options->Compile,
                  "auto: prepare for torch.compile where the command starts Python; on: always; "
                  "off: never")
      ->check(CLI::IsMember({"auto", "on", "off"}));
  Verb.add_option("--baseline", Options->Baseline,
                  "eager: run the program again without compiling, for a comparison; or the folder "
                  "of an earlier run that has such an eager one")
      ->type_name("DIR|eager");
  Verb.add_option(
          "--repeat", Options->Repeat,
          "With --baseline eager: make each of the runs this many times, alternating. Without "
          "it once, but the two that the speedup is of three times, while all that record "
          "nothing have taken less than a minute")
      ->check(CLI::Range(1, 1000));
  auto *Own = Verb.add_flag(
      "--own-compiler", Options->OwnCompiler,
      "Run the program twice more: with the same kernels, one of each two steps recorded, and "
      "not instrumented, with the compiler and OpenMP runtime that torch chooses itself; the "
      "report "
      "has the times of unrecorded steps of both. --baseline eager does so, too");
  auto *NoOwn = Verb.add_flag("--no-own-compiler", Options->NoOwnCompiler,
                              "With --baseline eager: leave that run out")
                    ->excludes(Own);
  Verb.add_flag(
          "--no-unrecorded", Options->NoUnrecorded,
          "With --baseline eager: leave out that run and the two, eager and compiled, by which "
          "the report tells what recording does to the program")
      ->excludes(Own)
      ->excludes(NoOwn);
  auto *Print = Verb.add_flag("--print-environment", Options->PrintEnvironment,
                              "Start nothing: print what a Python program would find set, as JSON");
  auto *Command =
      Verb.add_option("COMMAND", Options->Command, "Program and its arguments, after --");
  Print->excludes(Command);
  for (const char *Name : {"--report", "--baseline", "--repeat", "--own-compiler",
                           "--no-own-compiler", "--no-unrecorded", "--compile"})
    Print->excludes(Verb.get_option(Name));
  addExamples(Verb,
              {"-- python3 train.py", "--report -- ./solve 1000",
               "--baseline eager --repeat 3 -- python3 infer.py",
               "--mode profile -o sums.json -- ./server"},
              "that of the command; 128 and the signal's number if a signal ended it;\n126 or 127 "
              "when it cannot be started; 2 bad usage.");
  Verb.positionals_at_end();
  Verb.prefix_command(false);
  return [Options] {
    if (Options->Command.empty() && !Options->PrintEnvironment) {
      complain("run: COMMAND is required (see seamscope run --help)");
      return static_cast<int>(BadUsage);
    }
    return run(*Options);
  };
}

} // namespace seamscope::tools
