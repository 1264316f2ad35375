//===- Run.cpp - seamscope run -------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/CaptureOption.h"
#include "cli/Help.h"
#include "cli/RunEnd.h"
#include "cli/RunEnvironment.h"
#include "cli/Verbs.h"
#include "run/folder/BaselineFolder.h"
#include "run/folder/RunFolder.h"
#include "run/folder/StepLog.h"
#include "run/join/Unrecorded.h"
#include "run/launch/Launch.h"
#include "run/launch/SecureExecution.h"
#include "run/replay/CallLog.h"
#include "run/replay/CheckLog.h"
#include "torch/CompileLog.h"
#include "torch/SourceLine.h"
#include "trace/io/FileUse.h"
#include "trace/io/JsonText.h"
#include "trace/io/Processors.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <sys/stat.h>
#include <sys/wait.h>

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

bool isTraceFile(const std::string &Path) {
  return Path.ends_with(".json") || Path.ends_with(".json.gz");
}

/// Chooses where to write; nothing, after a line on stderr, if that is impossible.
std::optional<RunOutput> chooseOutput(const RunOptions &Options) {
  RunOutput To;
  std::error_code Failed;
  if (Options.Out == "-") {
    complain("run: --output -: standard output is the program's; name a folder or a trace");
    return std::nullopt;
  }
  if (isTraceFile(Options.Out)) {
    To.Trace = fs::absolute(Options.Out).string();
    if (const fs::path Folder = fs::path(To.Trace).parent_path();
        !fs::is_directory(Folder, Failed)) {
      complain(
          fmt::format("run: '{}' is not a folder: no trace can be written there", Folder.string()));
      return std::nullopt;
    }
    // An old trace must not pass for this run's; a file that the program reads is not touched.
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

/// Runs the program once and completes its folder, if it has one; the environment is as before.
RunEnd runOnce(const RunOptions &Options, const RunOutput &To, RunSide Side,
               const std::string &Text, RunManifest &Manifest) {
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
  // An unreadable input does not prevent the trace from being written.
  if (const auto Unread = takeUnread())
    complain("run: " + Unread->message());
  if (!End.How.Why)
    End.SpoolsStay = completeRun(To, Manifest, End.How, !Here.TemporaryCache.empty());
  std::error_code Failed;
  if (!Here.TemporaryCache.empty())
    fs::remove_all(Here.TemporaryCache, Failed);
  restoreEnvironment(Before);
  return End;
}

/// Runs the program again, into a folder inside the run's; returns whether it succeeded.
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
    // A link in another user's folder may lead to files outside of it.
    fs::copy(eagerIn(Options.Baseline), eagerIn(Folder),
             fs::copy_options::recursive | fs::copy_options::skip_symlinks, Failed);
    if (Failed)
      complain(fmt::format("run: the eager runs of '{}' cannot be copied: {}", Options.Baseline,
                           Failed.message()));
    return;
  }
  // Alternating, so that changes on the machine affect both sides alike.
  for (unsigned Time = 1; Time <= timesOf(Options); ++Time) {
    if (Time > 1 && !runAgain(Options, numbered(compiledIn(Folder), Time), RunSide::Compiled))
      return;
    if (!runAgain(Options, numbered(eagerIn(Folder), Time), RunSide::Eager))
      return;
  }
}

/// Two runs of a program may differ by far more than the steps of one, because of malloc and thread
/// placement. So by default the speedup is that of several runs, as long as they are short.
constexpr unsigned RunsOfSpeedup = 3;
constexpr std::chrono::seconds ShortRuns{60};

/// Runs the program unrecorded, also in eager mode if \p Eager, and as torch alone would; reports
/// what recording changed.
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
  // Forth and back, so that slow changes on the machine affect all runs alike.
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
    complain("run: the cost of recording is not known: no steady step is in two runs; let the "
             "program run more steps");
  else
    for (const std::string &Warning : Found->warnings())
      complain("run: " + Warning);
}

/// Says why the program did not start; returns the exit status.
int notStarted(const RunOptions &Options, const Ended &How) {
  complain(fmt::format("run: cannot start '{}': {}", Options.Command[0], std::strerror(How.Why)));
  return How.Why == ENOENT ? 127 : How.Child ? 126 : BadData;
}

/// Checks KERNEL[:N].
std::string isCapture(const std::string &Text) {
  const std::string_view Number = callNumberIn(Text);
  if (Text.empty() || Text.size() == Number.size() + 1)
    return "names no kernel";
  return Number.size() < 10 && Number != "0"
             ? std::string()
             : fmt::format("'{}' is not the number of a call, from 1 on", Number);
}

/// Checks N[-M].
std::string isCalls(const std::string &Text) {
  const size_t Dash = Text.find('-');
  const auto First = parseUnsigned(std::string_view(Text).substr(0, Dash));
  const auto Last =
      Dash == Text.npos ? First : parseUnsigned(std::string_view(Text).substr(Dash + 1));
  return First && Last && *First && *First <= *Last
             ? std::string()
             : fmt::format("'{}' is not N or N-M, the first and the last call, from 1 on", Text);
}

/// Runs the program with its kernels compared with eager mode.
int runChecked(const RunOptions &Options, const RunOutput &To) {
  RunManifest Manifest;
  const RunEnd End = runOnce(Options, To, RunSide::Checked, {}, Manifest);
  std::error_code Failed;
  if (End.How.Why) {
    fs::remove(To.Folder, Failed); // empty
    return notStarted(Options, End.How);
  }
  if (fs::exists(checkLogIn(To.Folder), Failed))
    inform(fmt::format("run: what kernels computed is in {}: `seamscope check {}` shows it",
                       To.Folder, To.Folder));
  else
    complain("run: no kernel was checked: the program called no C++ kernel of torch.compile");
  const int Status = End.How.Status;
  return WIFSIGNALED(Status) ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
}

/// Says on stderr if the call that was asked for was not captured.
void checkCapture(const RunOptions &Options, const std::string &Folder) {
  if (Options.Capture.empty())
    return;
  if (const auto Log = readCallLog(Folder);
      Log && std::ranges::any_of(Log->Calls,
                                 [](const KernelCall &Each) { return !Each.Captured.empty(); }))
    return;
  complain(
      fmt::format("run: nothing was captured for --capture {}: the program made no such call of "
                  "a kernel of torch.compile, or of one that was compiled with the pass's "
                  "option `replay`, or it has too much memory",
                  Options.Capture));
}

/// Names options that exclude each other; empty: none do.
std::string conflictingOptions(const RunOptions &Options) {
  if (Options.Compile == "off") {
    if (!Options.Cache.empty() && Options.OpenMP != "libomp")
      return "--cache does nothing with --compile off";
    if (Options.OwnCompiler)
      return "--own-compiler is about what torch compiles: it excludes --compile off";
    if (!Options.Baseline.empty())
      return "--baseline is about what torch compiles: it excludes --compile off";
  }
  if (!Options.Capture.empty() && (isTraceFile(Options.Out) || Options.Compile == "off"))
    return "--capture needs a folder to write to, and excludes --compile off";
  if (!Options.Check.empty() && (isTraceFile(Options.Out) || Options.Compile == "off"))
    return "--check needs a folder to write to, and excludes --compile off";
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

/// For programs that set themselves up: the environment variables that a Python program would get,
/// as a JSON object.
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
  return writeResult("", jsonDocument(Set));
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
  if (!Options.Check.empty())
    return runChecked(Options, *To);
  RunManifest Manifest;
  if (const std::string Why = whySecure(Options.Command); !Why.empty()) {
    complain("run: " + Why);
    Manifest.Notes.push_back(Why);
  }
  const RunEnd End = runOnce(Options, *To, RunSide::Compiled, {}, Manifest);
  const Ended &How = End.How;
  if (How.Why) {
    std::error_code Failed;
    if (!To->Folder.empty())
      fs::remove(To->Folder, Failed); // empty
    return notStarted(Options, How);
  }
  if (!Options.Baseline.empty()) {
    if (How.Status != 0)
      complain("run: the program failed: it is not run again for the baseline");
    else if (compileLogsIn(logsIn(To->Folder)).empty())
      complain("run: torch compiled nothing: the program is not run again for the baseline");
    else
      runBaseline(Options, To->Folder);
  }
  if (!To->Folder.empty())
    checkCapture(Options, To->Folder);
  const bool Compared = Options.Baseline == "eager" && !baselinesIn(To->Folder).empty();
  if (!To->Folder.empty())
    trimStepLog(To->Folder);
  if (How.Status == 0 && (Options.OwnCompiler || (Compared && !Options.NoUnrecorded)))
    runUnrecorded(Options, To->Folder, Compared);
  return finishRun(Options, *To, Manifest, End);
}

} // namespace

Action addRun(CLI::App &Verb) {
  auto Options = std::make_shared<RunOptions>();
  Verb.add_option("--mode", Options->Mode, "trace (every call, the default) or profile (sums)")
      ->check(CLI::IsMember({"trace", "profile"}));
  Verb.add_option(
          "--throttle", Options->Throttle,
          "Time one call in N, 2 to 1048576 (default 128), of kernels, loops and waits that are so "
          "many and short that recording takes 2 % of a thread's time; off: time all (default "
          "for Python's torch)")
      ->check(CLI::IsMember({"off"}) | CLI::Range(2, 1 << 20));
  Verb.add_flag("--loops{auto}", Options->Loops,
                "Time the loops of kernels that are compiled while the program runs: the outermost "
                "ones, which is the default, and with =N the outermost N levels; =off: none (see "
                "docs/pass.md)")
      ->type_name("[auto|N|off]")
      ->check(CLI::IsMember({"auto", "off"}) | CLI::Range(1, 1000));
  Verb.add_option("-o,--output", Options->Out,
                  "Folder for all that the run writes, or a file for the trace alone (.json, "
                  ".json.gz); default seamscope-out/<time>")
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
          "--no-torch", [Options] { Options->Torch = false; }, "Do not record torch's operators")
      ->excludes(Torch);
  Verb.add_option("--compile", Options->Compile,
                  "auto: prepare for torch.compile where the command starts Python; on: always; "
                  "off: never")
      ->check(CLI::IsMember({"auto", "on", "off"}));
  Verb.add_option(
          "--capture", Options->Capture,
          "Keep the memory of the tensors that call N (default 1) of a kernel of "
          "torch.compile gets, or the memory that such a call of a kernel touches which was "
          "compiled with the pass's option `replay`, for `seamscope replay`: up to 1 GiB, or "
          "SEAMSCOPE_CAPTURE_LIMIT bytes. It may be private")
      ->check(isCapture)
      ->type_name("KERNEL[:N]");
  auto *Check =
      Verb.add_flag(
              "--check{1}", Options->Check,
              "Record nothing: compare what C++ kernels of torch.compile write with eager mode and "
              "float64, for `seamscope check`; in the first call of each place, or in calls N to M")
          ->type_name("[N[-M]]")
          ->check(isCalls);
  Verb.add_option("--baseline", Options->Baseline,
                  "eager: run the program again without compiling, for a comparison; or the folder "
                  "of an earlier run that has such an eager one")
      ->type_name("DIR|eager");
  Verb.add_option("--repeat", Options->Repeat,
                  "With --baseline eager: do each run this many times, alternating. Default: once; "
                  "the two runs that give the speedup three times, as long as the unrecorded runs "
                  "together have taken less than a minute")
      ->check(CLI::Range(1, 1000));
  auto *Own =
      Verb.add_flag("--own-compiler", Options->OwnCompiler,
                    "Run the program twice more: once with the same kernels and half of the steps "
                    "recorded, and once without instrumentation, with the compiler and OpenMP "
                    "runtime that torch chooses itself; the report has the times of unrecorded "
                    "steps of both. --baseline eager does this too");
  auto *NoOwn = Verb.add_flag("--no-own-compiler", Options->NoOwnCompiler,
                              "With --baseline eager: leave that run out")
                    ->excludes(Own);
  Verb.add_flag("--no-unrecorded", Options->NoUnrecorded,
                "With --baseline eager: leave out that run and the two, eager and compiled, that "
                "show what recording costs the program")
      ->excludes(Own)
      ->excludes(NoOwn);
  auto *Print = Verb.add_flag(
      "--print-environment", Options->PrintEnvironment,
      "Start nothing: print the environment variables that a Python program would get, as JSON");
  auto *Command =
      Verb.add_option("COMMAND", Options->Command, "Program and its arguments, after --");
  Print->excludes(Command);
  for (const char *Name :
       {"--report", "--baseline", "--repeat", "--own-compiler", "--capture", "--print-environment"})
    Check->excludes(Verb.get_option(Name));
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
