//===- RunEnvironment.cpp - the environment of a program under run --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/RunEnvironment.h"
#include "cli/CaptureOption.h"
#include "cli/CudaTool.h"
#include "cli/Messages.h"
#include "cli/NvtxTool.h"
#include "cli/TorchBridge.h"
#include "run/folder/CompilerTimes.h"
#include "run/folder/OwnCache.h"
#include "run/folder/RunFolder.h"
#include "run/folder/StepLog.h"
#include "run/launch/PythonCommand.h"
#include "run/replay/CallLog.h"
#include "run/replay/CheckLog.h"
#include "seamscope/abi.h"
#include "torch/SourceLine.h"
#include "trace/io/FileUse.h"
#include "trace/io/InputFile.h"
#include "trace/io/OutputFolder.h"
#include "trace/io/OwnTree.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {

namespace fs = std::filesystem;

static fs::path ownFolder() { return ownPrefix() / "bin"; }

fs::path shareFolder() { return ownPrefix() / "share/seamscope"; }

fs::path runtimeFolder() { return ownPrefix() / SEAMSCOPE_LIBDIR; }

namespace {

void setDefault(const char *Name, const std::string &Value) { setenv(Name, Value.c_str(), 0); }

/// What determines instrumented code, as the compiler wrapper in \p Bin prints it: the compiler,
/// the plugin, SEAMSCOPE_PASS and the files that it names. Empty: there is no compiler.
std::string wrapperKey(const fs::path &Bin) {
  std::string Command = "'";
  for (const char C : (Bin / "seamscope-clang++").string())
    Command += C == '\'' ? std::string("'\\''") : std::string(1, C);
  std::string Key;
  FILE *const Pipe = popen((Command + "' -print-seamscope-key 2>/dev/null").c_str(), "re");
  if (!Pipe)
    return Key;
  char Buffer[4096];
  for (size_t Got; (Got = fread(Buffer, 1, sizeof Buffer, Pipe)) > 0;)
    Key.append(Buffer, Got);
  pclose(Pipe);
  return Key;
}

/// FNV-1a.
uint64_t hashOf(std::string_view Text) {
  uint64_t Hash = 0xcbf29ce484222325u;
  for (const char C : Text)
    Hash = (Hash ^ static_cast<unsigned char>(C)) * 0x100000001b3u;
  return Hash;
}

/// Seamscope's own cache. An Inductor cache does not notice a change of the compiler, its plugin or
/// their options: each combination has a folder.
fs::path ownInductorCache(const fs::path &Bin) {
  std::string Key = wrapperKey(Bin);
  struct stat S;
  if (stat((Bin / "seamscope-clang").c_str(), &S) == 0)
    Key += fmt::format("wrapper {} {} {}.{}", (Bin / "seamscope-clang").string(), S.st_size,
                       S.st_mtim.tv_sec, S.st_mtim.tv_nsec);
  return fs::path(ownCache()) / fmt::format("inductor-{:016x}", hashOf(Key));
}

/// The folder in the cache \p Named for kernels compiled with the current settings: \p Named itself
/// without settings, or if it is already such a folder.
fs::path cacheForSettings(const fs::path &Named, const fs::path &Bin) {
  std::string Settings;
  const std::string Key = wrapperKey(Bin);
  for (std::string_view Rest = Key; !Rest.empty();) {
    const std::string_view Line = takeLine(Rest);
    if (Line.starts_with("SEAMSCOPE_PASS ") || Line.starts_with("file "))
      (Settings += Line) += '\n';
  }
  const std::string Own = fmt::format("seamscope-{:016x}", hashOf(Settings));
  const bool IsKeyed = Named.filename() == Own || Named == ownInductorCache(Bin);
  return Settings.empty() || IsKeyed ? Named : Named / Own;
}

/// libomp where SEAMSCOPE_LIBOMP says or LLVM's packages put it, or empty.
std::string findLibomp() {
  std::error_code Ignored;
  if (const char *Named = std::getenv("SEAMSCOPE_LIBOMP"); Named && *Named)
    return fs::is_regular_file(Named, Ignored) ? fs::absolute(Named).string() : std::string();
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

/// Roughly what the kernels of a large model need. bridge.py has the same for the bridge.
constexpr uintmax_t LeastRoom = 64u << 20;

/// Why kernels cannot be kept in \p Cache; empty: they can. \p Own: it is Seamscope's own cache, in
/// which other users must not be able to put code.
std::string whyUnusable(const fs::path &Cache, bool Own) {
  if (Own) {
    if (const auto Why = makePrivate(Cache.string()))
      return fmt::format("is not used: {}", Why->message());
  } else {
    std::error_code Failed;
    fs::create_directories(Cache, Failed);
  }
  if (access(Cache.c_str(), W_OK | X_OK) != 0)
    return fmt::format("cannot be written to: {}", std::strerror(errno));
  // On a full disk the compilation would fail here, while without us it goes to another disk.
  std::error_code Failed;
  if (const fs::space_info Space = fs::space(Cache, Failed);
      Own && !Failed && Space.available < LeastRoom)
    return fmt::format("has {} MB of room, and kernels may need {}", Space.available >> 20,
                       LeastRoom >> 20);
  return {};
}

/// \p Cache if kernels can be kept there, else a new folder, after a line on stderr. Empty: neither
/// is possible, and torch chooses.
fs::path usableCache(const fs::path &Cache, bool Own, Prepared &Result) {
  const std::string Why = whyUnusable(Cache, Own);
  if (Why.empty())
    return Cache;
  std::error_code Failed;
  std::string Other = (fs::temp_directory_path(Failed) / "seamscope-inductor-XXXXXX").string();
  if (!mkdtemp(Other.data())) {
    complain(fmt::format("run: the cache {} {}; no other can be made: {}", Cache.string(), Why,
                         std::strerror(errno)));
    return {};
  }
  Result.TemporaryCache = Other;
  complain(fmt::format("run: the cache {} {}; kernels are compiled again, into {}, which is "
                       "removed after the run",
                       Cache.string(), Why, Other));
  return Other;
}

/// Makes the wrapper in \p Bin the compiler, unless the user chose one. Inductor splits its
/// commands at blanks: if the folder's path has one, the wrapper is found on PATH.
void setWrapper(const fs::path &Bin) {
  const std::string Path = (Bin / "seamscope-clang++").string();
  if (std::getenv("CXX") || Path.find_first_of(" \t\n'\"\\") == Path.npos)
    return setDefault("CXX", Path);
  const char *Search = std::getenv("PATH");
  setenv("PATH", (Search && *Search ? Search + (":" + Bin.string()) : Bin.string()).c_str(), 1);
  setDefault("CXX", "seamscope-clang++");
}

/// A file in a cache: the version of the hooks that its kernels were compiled with, and the plugin.
constexpr const char *HooksNote = ".seamscope-hooks";

std::string notedHooks(const fs::path &Cache) {
  constexpr uint64_t Longest = 64;
  const auto Note = readRegular((Cache / HooksNote).string(), Longest, O_NOFOLLOW);
  return Note ? *Note : std::string();
}

/// What HooksNote says of kernels that are compiled now. Another build of the plugin has the same
/// hooks, and may count and time other code.
std::string ourHooks() {
  std::string Plugin;
  const std::string Key = wrapperKey(ownFolder());
  for (std::string_view Rest = Key; !Rest.empty();)
    if (const std::string_view Line = takeLine(Rest); Line.starts_with("plugin "))
      Plugin = Line;
  return fmt::format("{}\n{:016x}\n", SEAMSCOPE_ABI_VERSION, hashOf(Plugin));
}

/// Whether the kernels in \p Cache were compiled with this plugin, or with an unknown one.
bool hasOurHooks(const fs::path &Cache) {
  const std::string Noted = notedHooks(Cache);
  return Noted.empty() || Noted == ourHooks();
}

/// Prepares a program for which Inductor may compile kernels: the compiler is our wrapper, the
/// cache our own, and libomp also serves callers of libgomp.
void preparePython(const RunOptions &Options, Prepared &Result) {
  const fs::path Bin = ownFolder();
  std::error_code Ignored;
  if (fs::exists(Bin / "seamscope-clang++", Ignored))
    setWrapper(Bin);
  fs::path Cache = Options.Cache;
  if (const char *Set = std::getenv("TORCHINDUCTOR_CACHE_DIR"); Cache.empty() && Set && *Set)
    Cache = Set;
  if (!Cache.empty())
    Cache = cacheForSettings(Cache, Bin);
  if (!Cache.empty() && !hasOurHooks(Cache)) {
    complain(fmt::format("run: kernels in the cache {} were compiled with another version or build "
                         "of Seamscope: its own cache is used; remove that one to use it again",
                         Cache.string()));
    Cache.clear();
  }
  const bool Own = Cache.empty();
  if (Own)
    Cache = ownInductorCache(Bin);
  // With --print-environment the caller makes the folder.
  if (!Options.PrintEnvironment) {
    Cache = usableCache(Cache, Own, Result);
    noteHooks(Cache.string());
  }
  if (!Cache.empty())
    setenv("TORCHINDUCTOR_CACHE_DIR", fs::absolute(Cache).c_str(), 1);
  if (Options.OpenMP == "keep")
    return;
  const std::string Libomp = findLibomp();
  if (Libomp.empty()) {
    complain("run: libomp was not found: parallel kernels may run next to a second OpenMP runtime "
             "and be slow (--openmp keep silences this)");
    return;
  }
  const char *Already = std::getenv("LD_PRELOAD");
  if (!Already || !std::strstr(Already, "libomp"))
    setenv("LD_PRELOAD", (Already && *Already ? Libomp + ":" + Already : Libomp).c_str(), 1);
}

/// Makes torch log what it compiles, and the program the time of each step. Only with a folder to
/// keep the logs in.
void prepareTorch(const std::string &Folder, RunSide Side) {
  setenv("SEAMSCOPE_STEPS", fs::absolute(stepLogIn(Folder)).c_str(), 1);
  setenv("SEAMSCOPE_RUNTIME", (runtimeFolder() / "libseamscope.so").c_str(), 1);
  if (Side == RunSide::Checked) {
    setenv("SEAMSCOPE_CHECKS", fs::absolute(checkLogIn(Folder)).c_str(), 1);
    setenv("SEAMSCOPE_CALLS", fs::absolute(callLogIn(Folder)).c_str(), 1);
  }
  if (isRecorded(Side)) {
    // The user did not ask for these logs: torch/start/logs.py keeps them from disturbing the
    // program.
    if (!std::getenv("TORCH_TRACE"))
      setenv("SEAMSCOPE_LOGS", logsIn(Folder).c_str(), 1);
    setDefault("TORCH_TRACE", logsIn(Folder));
    setDefault("INDUCTOR_PROVENANCE", "1");
    setenv("SEAMSCOPE_CALLS", fs::absolute(callLogIn(Folder)).c_str(), 1);
    setenv("SEAMSCOPE_COMPILER_TIMES", fs::absolute(compilerTimesIn(Folder)).c_str(), 1);
  } else if (!isAsItIs(Side)) {
    setenv("SEAMSCOPE_TURNS", "1", 1);
  }
  const fs::path Start = shareFolder() / "start";
  // Python lists each folder of PYTHONPATH at its start, and exits if one cannot be listed.
  const std::vector<fs::path> There = entriesIn(Start.string());
  if (std::ranges::find(There, Start / "sitecustomize.py") == There.end())
    return;
  putOnPythonPath(Start.string());
}

} // namespace

std::string compilerBehind(const std::string &Compiler) {
  const fs::path Path = Compiler;
  if (!Path.filename().string().starts_with("seamscope-"))
    return Compiler;
  // A wrapper that is not there any more, or was found on PATH, is as ours.
  std::string Key = Path.has_parent_path() ? wrapperKey(Path.parent_path()) : std::string();
  if (Key.empty())
    Key = wrapperKey(ownFolder());
  constexpr std::string_view Begin = "compiler ";
  for (std::string_view Rest = Key; !Rest.empty();)
    if (const std::string_view Line = takeLine(Rest); Line.starts_with(Begin)) {
      // The path, then its size and time.
      std::string_view Name = Line.substr(Begin.size());
      for (int Fields = 0; Fields < 2; ++Fields)
        Name = Name.substr(0, Name.rfind(' '));
      std::error_code Ignored;
      const std::string Driver = std::string(Name) + "++";
      return fs::exists(Driver, Ignored) ? Driver : std::string(Name);
    }
  return Compiler;
}

void noteHooks(const std::string &Cache) {
  if (Cache.empty() || !notedHooks(Cache).empty())
    return;
  // Without a note, as in a read-only cache, the kernels count as ours.
  const auto Into = OutputFolder::open(Cache);
  if (!Into)
    return;
  auto Note = Into->create(HooksNote, {.OverInput = true});
  if (!Note)
    return;
  (*Note)->write(ourHooks());
  std::ignore = (*Note)->commit();
}

std::map<std::string, std::string> environmentNow() {
  std::map<std::string, std::string> Result;
  for (char **Each = environ; *Each; ++Each)
    if (const char *Equals = std::strchr(*Each, '='))
      Result.emplace(std::string(static_cast<const char *>(*Each), Equals), Equals + 1);
  return Result;
}

void restoreEnvironment(const std::map<std::string, std::string> &To) {
  for (const auto &[Name, Value] : environmentNow())
    if (!To.contains(Name))
      unsetenv(Name.c_str());
  for (const auto &[Name, Value] : To)
    setenv(Name.c_str(), Value.c_str(), 1);
}

Prepared prepareEnvironment(const RunOptions &Options, const std::string &Trace,
                            const std::string &Folder, RunSide Side, int64_t StartNs) {
  Prepared Result;
  const auto Before = environmentNow();
  // Without recorded operators there is nothing to alternate with.
  const bool Records = isRecorded(Side) || (!isAsItIs(Side) && Options.Torch);
  setenv("SEAMSCOPE", Records ? Options.Mode.c_str() : "off", 1);
  if (!Options.Throttle.empty())
    setenv("SEAMSCOPE_THROTTLE", Options.Throttle.c_str(), 1);
  if (!Options.Loops.empty()) {
    // If it is given several times, the last one counts.
    const char *Set = std::getenv("SEAMSCOPE_PASS");
    setenv("SEAMSCOPE_PASS",
           ((Set && *Set ? std::string(Set) + ';' : "") + "loops=" + Options.Loops).c_str(), 1);
  }
  unsetenv("SEAMSCOPE_TURNS");
  unsetenv("SEAMSCOPE_CHECKS");
  if (Options.Check.empty())
    unsetenv("SEAMSCOPE_CHECK");
  else
    setenv("SEAMSCOPE_CHECK", Options.Check.c_str(), 1);
  unsetenv("SEAMSCOPE_CALLS");
  if (Options.Capture.empty() || Folder.empty() || !isRecorded(Side)) {
    unsetenv("SEAMSCOPE_CAPTURE");
  } else {
    setenv("SEAMSCOPE_CAPTURE",
           (Options.Capture + (callNumberIn(Options.Capture).empty() ? ":1" : "")).c_str(), 1);
    setenv("SEAMSCOPE_CALLS", fs::absolute(callLogIn(Folder)).c_str(), 1);
  }
  setenv("SEAMSCOPE_OUT", Trace.c_str(), 1);
  setenv("SEAMSCOPE_SINCE", fmt::to_string(StartNs).c_str(), 1);
  const bool Python =
      Options.Compile == "on" || (Options.Compile == "auto" && startsPython(Options.Command));
  // The effect of torch.compile is that of torch's own compiler over plain eager mode.
  if (!isAsItIs(Side) && (Options.OpenMP == "libomp" || Python))
    preparePython(Options, Result);
  if (Python && !Folder.empty())
    prepareTorch(Folder, Side);
  if (isEager(Side))
    setenv("SEAMSCOPE_BASELINE", "eager", 1);
  else
    unsetenv("SEAMSCOPE_BASELINE");
  prepareTorchBridge(Options.Torch && Records, runtimeFolder().string());
  if (Records) {
    prepareNvtxTool(runtimeFolder().string());
    prepareCudaTool(runtimeFolder().string());
  }
  for (const auto &[Name, Value] : environmentNow())
    if (const auto Old = Before.find(Name); Old == Before.end() || Old->second != Value)
      Result.New.emplace_back(Name, Value);
  return Result;
}

} // namespace seamscope::tools
