//===- Run.cpp - seamscope run -------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/TorchBridge.h"
#include "cli/Verbs.h"
#include "run/PythonCommand.h"
#include "run/RunFolder.h"
#include "torch/CompileLog.h"
#include "trace/SpoolToChrome.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <memory>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::string Mode = "trace", Out, Cache, OpenMP = "auto", Compile = "auto";
  bool Report = false, Torch = true;
  std::vector<std::string> Command;
};

/// The program that is being run, for the signal handler.
volatile sig_atomic_t ChildPid = 0;

void forwardSignal(int Signal, siginfo_t *From, void *) {
  // What the terminal sends goes to the whole group: the program has it already.
  if (ChildPid > 0 && From->si_code <= 0)
    kill(ChildPid, Signal);
}

/// Passes on what other processes send. A signal that the caller had ignored stays ignored.
void forwardSignals() {
  for (const int Signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) {
    struct sigaction Old, New{};
    if (sigaction(Signal, nullptr, &Old) == 0 && Old.sa_handler == SIG_IGN)
      continue;
    New.sa_sigaction = forwardSignal;
    New.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(Signal, &New, nullptr);
  }
}

/// All signals blocked until restore().
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t All;
    sigfillset(&All);
    sigprocmask(SIG_SETMASK, &All, &Old);
  }
  void restore() const { sigprocmask(SIG_SETMASK, &Old, nullptr); }

private:
  sigset_t Old;
};

fs::path ownFolder() {
  std::error_code Failed;
  return fs::read_symlink("/proc/self/exe", Failed).parent_path();
}

void setDefault(const char *Name, const std::string &Value) { setenv(Name, Value.c_str(), 0); }

/// What the compiler wrapper and the pass plugins are, as a number: an Inductor cache does not
/// notice when they change.
uint64_t toolchainStamp(const fs::path &Bin) {
  uint64_t Hash = 0xcbf29ce484222325u; // FNV-1a over names, sizes and times
  const auto Mix = [&](uint64_t Value) {
    for (unsigned I = 0; I < 8; ++I)
      Hash = (Hash ^ (Value >> (8 * I) & 0xff)) * 0x100000001b3u;
  };
  const auto MixFile = [&](const fs::path &Path) {
    struct stat S;
    if (stat(Path.c_str(), &S))
      return;
    Mix(std::hash<std::string>()(Path.string()));
    Mix(static_cast<uint64_t>(S.st_size));
    Mix(static_cast<uint64_t>(S.st_mtim.tv_sec));
    Mix(static_cast<uint64_t>(S.st_mtim.tv_nsec));
  };
  MixFile(Bin / "seamscope-clang");
  std::vector<fs::path> Plugins;
  std::error_code Ignored;
  for (const auto &Entry : fs::directory_iterator(Bin.parent_path() / SEAMSCOPE_LIBDIR, Ignored))
    if (Entry.path().filename().string().starts_with("SeamscopePass-"))
      Plugins.push_back(Entry.path());
  std::ranges::sort(Plugins);
  for (const fs::path &Plugin : Plugins)
    MixFile(Plugin);
  for (const char *Name : {"SEAMSCOPE_PASS", "SEAMSCOPE_CLANGXX"})
    if (const char *Value = std::getenv(Name))
      Mix(std::hash<std::string>()(std::string(Name) + "=" + Value));
  return Hash;
}

/// libomp where LLVM's packages put it, or empty.
std::string findLibomp() {
  std::error_code Ignored;
  std::vector<std::string> Places = {"/usr/lib/x86_64-linux-gnu/libomp.so.5",
                                     "/usr/lib/aarch64-linux-gnu/libomp.so.5"};
  for (const char *Major : {"22", "21", "20", "19"}) {
    Places.push_back(fmt::format("/usr/lib/llvm-{}/lib/libomp.so.5", Major));
    Places.push_back(fmt::format("/usr/lib/llvm-{}/lib/libomp.so", Major));
  }
  Places.push_back("/usr/lib64/libomp.so");
  Places.push_back("/usr/local/lib/libomp.so");
  for (const std::string &Place : Places)
    if (fs::exists(Place, Ignored))
      return Place;
  return {};
}

/// A program that Inductor may compile kernels for: its compiler is our wrapper, its cache our own,
/// and libomp serves libgomp's callers too.
void preparePython(const RunOptions &Options) {
  const fs::path Bin = ownFolder();
  std::error_code Ignored;
  if (fs::exists(Bin / "seamscope-clang++", Ignored))
    setDefault("CXX", (Bin / "seamscope-clang++").string());
  fs::path Cache = Options.Cache;
  if (Cache.empty()) {
    const char *Base = std::getenv("XDG_CACHE_HOME");
    const char *Home = std::getenv("HOME");
    Cache = Base && *Base   ? fs::path(Base)
            : Home && *Home ? fs::path(Home) / ".cache"
                            : fs::path("/tmp") / fmt::format("seamscope-{}", getuid());
    Cache /= fmt::format("seamscope/inductor-{:016x}", toolchainStamp(Bin));
  }
  fs::create_directories(Cache, Ignored);
  if (access(Cache.c_str(), W_OK | X_OK) != 0) {
    std::string Other = (fs::temp_directory_path(Ignored) / "seamscope-inductor-XXXXXX").string();
    const std::string Why = std::strerror(errno);
    if (mkdtemp(Other.data())) {
      complain(fmt::format("run: the cache {} cannot be written to: {}; kernels are compiled anew "
                           "into {}",
                           Cache.string(), Why, Other));
      Cache = Other;
    }
  }
  setDefault("TORCHINDUCTOR_CACHE_DIR", fs::absolute(Cache).string());
  if (Options.OpenMP == "keep")
    return;
  const std::string Libomp = findLibomp();
  if (Libomp.empty()) {
    complain("run: libomp was not found: parallel kernels may run beside a second OpenMP runtime "
             "and be slow (--openmp keep silences this)");
    return;
  }
  const char *Already = std::getenv("LD_PRELOAD");
  if (!Already || !std::strstr(Already, "libomp"))
    setenv("LD_PRELOAD", (Already && *Already ? Libomp + ":" + Already : Libomp).c_str(), 1);
}

/// Has torch write down what it compiles. The logs are of no use without a folder to keep them in.
void prepareTorch(const std::string &Folder) {
  setDefault("TORCH_TRACE", logsIn(Folder));
  setDefault("INDUCTOR_PROVENANCE", "1");
  const fs::path Start = ownFolder().parent_path() / "share/seamscope/start";
  std::error_code Ignored;
  if (!fs::exists(Start / "sitecustomize.py", Ignored))
    return;
  const char *Already = std::getenv("PYTHONPATH");
  setenv("PYTHONPATH",
         (Already && *Already ? Start.string() + ":" + Already : Start.string()).c_str(), 1);
}

/// The environment as it is now.
std::map<std::string, std::string> environmentNow() {
  std::map<std::string, std::string> Result;
  for (char **Each = environ; *Each; ++Each)
    if (const char *Equals = std::strchr(*Each, '='))
      Result.emplace(std::string(static_cast<const char *>(*Each), Equals), Equals + 1);
  return Result;
}

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

/// Writes what a killed program had recorded so far; whether there was any.
bool recoverSpool(pid_t Child, const std::string &Out) {
  const std::string OfPid = fmt::format("/seamscope-{}-{}-", getuid(), Child);
  for (const std::string &Path : findSpools()) {
    if (Path.find(OfPid) == Path.npos || !isAbandoned(Path))
      continue;
    auto File = SpoolFile::open(Path);
    if (!File) {
      fail(File.error());
      return false;
    }
    if (const auto Failure = writeChrome(**File, Out, /*Recovered=*/true)) {
      fail(*Failure);
      return false;
    }
    if (!(*File)->damage())
      unlink(Path.c_str());
    return true;
  }
  return false;
}

/// Says where the trace is, prints the report if asked to; the exit status.
int finish(const RunOptions &Options, const Output &To, pid_t Child, int Status) {
  std::error_code Failed;
  const std::string &Where = To.Folder.empty() ? To.Trace : To.Folder;
  bool Written = To.Folder.empty() ? fs::exists(To.Trace, Failed) : !tracesIn(To.Folder).empty();
  if (Written)
    complain(fmt::format("run: trace in {}", Where));
  else if (WIFSIGNALED(Status) && To.Folder.empty())
    complain(fmt::format("run: the program was killed; `seamscope recover {} -o {}` writes what it "
                         "recorded",
                         Child, To.Trace));
  else if (!To.Folder.empty() && !compileLogsIn(logsIn(To.Folder)).empty())
    complain(fmt::format("run: no trace, but what torch compiled is in {}: no kernel of it is "
                         "instrumented (torch compiles with {})",
                         Where, std::getenv("CXX") ? std::getenv("CXX") : "its own choice"));
  else
    complain("run: no trace: nothing in the program is instrumented (build it with "
             "seamscope-clang++)");
  const int Reported = Options.Report && Written ? printReport(Where) : Success;
  if (WIFSIGNALED(Status))
    return 128 + WTERMSIG(Status);
  return WEXITSTATUS(Status) ? WEXITSTATUS(Status) : Reported;
}

/// Completes the folder of a run that has ended.
void completeFolder(const Output &To, RunManifest &Manifest, pid_t Child, int Status) {
  std::error_code Failed;
  if (WIFSIGNALED(Status))
    Manifest.Signal = WTERMSIG(Status);
  else
    Manifest.ExitCode = WEXITSTATUS(Status);
  if (!fs::exists(To.Trace, Failed) && recoverSpool(Child, To.Trace))
    Manifest.Notes.push_back(
        "the program did not end by itself; the trace is what it had recorded");
  if (const char *Cache = std::getenv("TORCHINDUCTOR_CACHE_DIR"))
    Manifest.Cache = Cache;
  if (const char *Logs = std::getenv("TORCH_TRACE"); Logs && Logs != logsIn(To.Folder))
    Manifest.Notes.push_back(
        fmt::format("TORCH_TRACE was set before: the logs of torch.compile are in {}", Logs));
  const size_t Known = Manifest.Notes.size();
  collectGenerated(To.Folder, Manifest.Cache, Manifest);
  for (size_t I = Known; I < Manifest.Notes.size(); ++I)
    complain("run: " + Manifest.Notes[I]);
  const auto Relative = [&](const std::string &Path) {
    return fs::path(Path).lexically_relative(To.Folder).string();
  };
  for (const std::string &Path : tracesIn(To.Folder))
    Manifest.Traces.push_back(Relative(Path));
  for (const std::string &Path : compileLogsIn(logsIn(To.Folder)))
    Manifest.Logs.push_back(Relative(Path));
  if (const auto Failure = writeManifest(To.Folder, Manifest))
    fail(*Failure);
}

/// Empties the folder of an earlier run, or makes a new one; why that cannot be, or nothing.
std::string prepareFolder(const std::string &Folder) {
  std::error_code Failed;
  if (fs::is_directory(Folder, Failed) && !fs::is_empty(Folder, Failed)) {
    if (!isRunFolder(Folder))
      return "is not empty and not the folder of a run; name another";
    // Nothing of the old run may be taken for the new one's.
    for (const std::string &Path : tracesIn(Folder))
      fs::remove(Path, Failed);
    fs::remove_all(logsIn(Folder), Failed);
    fs::remove_all(generatedIn(Folder), Failed);
    fs::remove(manifestIn(Folder), Failed);
    return {};
  }
  fs::create_directory(Folder, Failed);
  return fs::is_directory(Folder, Failed) ? std::string() : "cannot be made a folder";
}

bool isTraceFile(const std::string &Path) {
  return Path.ends_with(".json") || Path.ends_with(".json.gz");
}

/// Where to write to; nothing, after a word on stderr, when that cannot be.
std::optional<Output> chooseOutput(const RunOptions &Options) {
  Output To;
  std::error_code Failed;
  if (isTraceFile(Options.Out)) {
    To.Trace = fs::absolute(Options.Out).string();
    if (const fs::path Folder = fs::path(To.Trace).parent_path();
        !fs::is_directory(Folder, Failed)) {
      complain(fmt::format("run: '{}' is no folder to write a trace to", Folder.string()));
      return std::nullopt;
    }
    if (fs::is_regular_file(To.Trace, Failed))
      fs::remove(To.Trace, Failed); // an old trace must not be taken for this run's
    return To;
  }
  if (Options.Out.empty()) {
    To.Folder = newRunFolder(fs::absolute("seamscope-out").string());
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

/// Sets what the program finds in its environment; returns what is new there.
std::vector<std::pair<std::string, std::string>> prepareEnvironment(const RunOptions &Options,
                                                                    const Output &To) {
  const auto Before = environmentNow();
  setenv("SEAMSCOPE", Options.Mode.c_str(), 1);
  setenv("SEAMSCOPE_OUT", To.Trace.c_str(), 1);
  const bool Python =
      Options.Compile == "on" || (Options.Compile == "auto" && startsPython(Options.Command));
  if (Options.OpenMP == "libomp" || Python)
    preparePython(Options);
  if (Python && !To.Folder.empty())
    prepareTorch(To.Folder);
  prepareTorchBridge(Options.Torch, (ownFolder().parent_path() / SEAMSCOPE_LIBDIR).string());
  std::vector<std::pair<std::string, std::string>> New;
  for (const auto &[Name, Value] : environmentNow())
    if (const auto Old = Before.find(Name); Old == Before.end() || Old->second != Value)
      New.emplace_back(Name, Value);
  return New;
}

int run(const RunOptions &Options) {
  const auto To = chooseOutput(Options);
  if (!To)
    return BadUsage;
  RunManifest Manifest;
  Manifest.Version = SEAMSCOPE_VERSION;
  Manifest.Command = Options.Command;
  Manifest.Mode = Options.Mode;
  std::error_code Failed;
  Manifest.Directory = fs::current_path(Failed).string();
  Manifest.Environment = prepareEnvironment(Options, *To);
  Manifest.StartNs = wallClockNs();

  // A pipe that exec closes tells whether the program started.
  int Started[2];
  if (pipe2(Started, O_CLOEXEC) != 0) {
    complain(fmt::format("run: cannot start a process: {}", std::strerror(errno)));
    return BadData;
  }
  // Signals wait until it is known whom to pass them on to.
  const SignalsBlocked Blocked;
  forwardSignals();
  const pid_t Child = fork();
  if (Child < 0) {
    complain(fmt::format("run: cannot start a process: {}", std::strerror(errno)));
    return BadData;
  }
  if (Child == 0) {
    std::vector<char *> Words;
    for (const std::string &Word : Options.Command)
      Words.push_back(const_cast<char *>(Word.c_str()));
    Words.push_back(nullptr);
    Blocked.restore();
    execvp(Words[0], Words.data());
    const int Why = errno;
    [[maybe_unused]] const ssize_t Told = write(Started[1], &Why, sizeof(Why));
    _exit(127);
  }
  ChildPid = Child;
  Blocked.restore();
  close(Started[1]);
  int Why = 0;
  ssize_t Told;
  do
    Told = read(Started[0], &Why, sizeof(Why));
  while (Told < 0 && errno == EINTR);
  close(Started[0]);
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0 && errno == EINTR)
    ;
  ChildPid = 0;
  if (Told == sizeof(Why)) {
    if (!To->Folder.empty())
      fs::remove(To->Folder, Failed); // empty
    complain(fmt::format("run: cannot start '{}': {}", Options.Command[0], std::strerror(Why)));
    return Why == ENOENT ? 127 : 126;
  }
  Manifest.WallNs = wallClockNs() - Manifest.StartNs;
  if (!To->Folder.empty())
    completeFolder(*To, Manifest, Child, Status);
  return finish(Options, *To, Child, Status);
}

} // namespace

Action addRun(CLI::App &Verb) {
  auto Options = std::make_shared<RunOptions>();
  Verb.add_option("--mode", Options->Mode, "trace (every call, the default) or profile (sums)")
      ->check(CLI::IsMember({"trace", "profile"}));
  Verb.add_option("-o,--output", Options->Out,
                  "Folder for all that the run leaves, or a trace alone (.json, .json.gz); default "
                  "seamscope-out/<time>");
  Verb.add_flag("--report", Options->Report, "Print the report afterwards");
  Verb.add_option("--cache", Options->Cache,
                  "Folder of Inductor's cache for Python programs; default: one of Seamscope's own "
                  "for each build of the pass");
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
  Verb.add_option("COMMAND", Options->Command, "Program and its arguments, after --")->required();
  Verb.positionals_at_end();
  Verb.prefix_command(false);
  return [Options] { return run(*Options); };
}

} // namespace seamscope::tools
