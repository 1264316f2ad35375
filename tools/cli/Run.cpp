//===- Run.cpp - seamscope run -------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/TorchBridge.h"
#include "cli/Verbs.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::string Mode = "trace", Out, Cache, OpenMP = "auto";
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
  if (const char *Pass = std::getenv("SEAMSCOPE_PASS"))
    Mix(std::hash<std::string>()(Pass));
  return Hash;
}

bool isPython(const std::string &Program) {
  return fs::path(Program).filename().string().starts_with("python");
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

/// Says where the trace is, prints the report if asked to; the exit status.
int finish(const RunOptions &Options, const std::string &Out, pid_t Child, int Status) {
  std::error_code Failed;
  const bool Written = fs::exists(Out, Failed);
  if (Written)
    complain(fmt::format("run: trace in {}", Out));
  else if (WIFSIGNALED(Status))
    complain(fmt::format("run: the program was killed; `seamscope recover {} -o {}` writes what it "
                         "recorded",
                         Child, Out));
  else
    complain("run: no trace: nothing in the program is instrumented (build it with "
             "seamscope-clang++)");
  const int Reported = Options.Report && Written ? printReport(Out) : Success;
  if (WIFSIGNALED(Status))
    return 128 + WTERMSIG(Status);
  return WEXITSTATUS(Status) ? WEXITSTATUS(Status) : Reported;
}

int run(const RunOptions &Options) {
  const std::string Out =
      fs::absolute(Options.Out.empty() ? fmt::format("seamscope.{}.json", getpid()) : Options.Out)
          .string();
  std::error_code Failed;
  if (const fs::path Folder = fs::path(Out).parent_path(); !fs::is_directory(Folder, Failed)) {
    complain(fmt::format("run: '{}' is no folder to write a trace to", Folder.string()));
    return BadUsage;
  }
  if (fs::is_regular_file(Out, Failed))
    fs::remove(Out, Failed); // an old trace must not be taken for this run's

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
    setenv("SEAMSCOPE", Options.Mode.c_str(), 1);
    setenv("SEAMSCOPE_OUT", Out.c_str(), 1);
    if (Options.OpenMP == "libomp" || isPython(Options.Command[0]))
      preparePython(Options);
    prepareTorchBridge(Options.Torch, (ownFolder().parent_path() / SEAMSCOPE_LIBDIR).string());
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
    complain(fmt::format("run: cannot start '{}': {}", Options.Command[0], std::strerror(Why)));
    return Why == ENOENT ? 127 : 126;
  }
  return finish(Options, Out, Child, Status);
}

} // namespace

Action addRun(CLI::App &Verb) {
  auto Options = std::make_shared<RunOptions>();
  Verb.add_option("--mode", Options->Mode, "trace (every call, the default) or profile (sums)")
      ->check(CLI::IsMember({"trace", "profile"}));
  Verb.add_option("-o,--output", Options->Out,
                  "Trace to write, .json or .json.gz; default seamscope.<pid>.json");
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
  Verb.add_option("COMMAND", Options->Command, "Program and its arguments, after --")->required();
  Verb.positionals_at_end();
  Verb.prefix_command(false);
  return [Options] { return run(*Options); };
}

} // namespace seamscope::tools
