//===- ReplayBuild.cpp - builds and runs the program of a kernel ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/ReplayBuild.h"
#include "run/launch/Launch.h"
#include "run/launch/PythonCommand.h"
#include "run/replay/ImageFiles.h"
#include "trace/io/InputFile.h"
#include "trace/io/Processors.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sys/wait.h>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

/// A rule for make names each header; torch has some thousand.
constexpr uint64_t LargestRule = 16u << 20;

/// The first line of a command's output that reports an error, else the last one.
std::string errorLine(const std::string &Path) {
  const auto Text = readRegular(Path, LargestRule);
  if (!Text)
    return {};
  std::string_view Last;
  for (std::string_view Rest = *Text; !Rest.empty();) {
    const size_t End = std::min(Rest.find('\n'), Rest.size());
    Last = Rest.substr(0, std::min<size_t>(End, 300));
    if (Last.find("error:") != Last.npos)
      break;
    Rest.remove_prefix(std::min(End + 1, Rest.size()));
  }
  return std::string(Last);
}

/// Runs \p Command, which is called \p Name, with its output in \p Log. Nothing, or what happened.
std::optional<Error> runQuietly(const std::vector<std::string> &Command, const std::string &Log,
                                const std::string &Name) {
  const Ended End = launch(Command, Log);
  if (End.Why)
    return Error{Name, {}, fmt::format("cannot be started: {}", std::strerror(End.Why))};
  if (WIFEXITED(End.Status) && WEXITSTATUS(End.Status) == 0)
    return std::nullopt;
  const std::string Last = errorLine(Log);
  return Error{Log,
               {},
               fmt::format("{} {}{}{}", Name,
                           WIFSIGNALED(End.Status)
                               ? fmt::format("was ended by signal {}", WTERMSIG(End.Status))
                               : "failed",
                           Last.empty() ? "" : ": ", Last)};
}

/// A compiler's run.
std::optional<Error> runQuietly(const std::vector<std::string> &Command, const std::string &Log) {
  return runQuietly(Command, Log, Command[0]);
}

/// The functions that a linker did not find, by its output in \p Log, in the words of GNU ld or
/// lld.
std::set<std::string> missingIn(const std::string &Log) {
  std::set<std::string> Found;
  const auto Text = readRegular(Log, LargestRule);
  for (const std::string_view Mark : {"undefined reference to `", "undefined symbol: "})
    for (size_t At = 0; Text && (At = Text->find(Mark, At)) != Text->npos;) {
      At += Mark.size();
      const std::string Name = Text->substr(At, Text->find_first_of("'\n", At) - At);
      if (!Name.empty() && Name.find_first_of("\"\\ ") == Name.npos)
        Found.insert(Name);
    }
  return Found;
}

/// Links again, with functions in \p Source for those that were not found.
std::optional<Error> linkWithoutMissing(const std::vector<std::string> &Link,
                                        const std::string &Source, const std::string &Log) {
  constexpr int Most = 20; // lld names some at a time
  std::set<std::string> All;
  std::optional<Error> Why;
  for (int Time = 0; Time < Most; ++Time) {
    const size_t Before = All.size();
    All.merge(missingIn(Log));
    if (All.size() == Before)
      break;
    std::ofstream(Source) << missingFunctions({All.begin(), All.end()});
    if (!(Why = runQuietly(Link, Log)))
      return std::nullopt;
  }
  return Why ? Why : runQuietly(Link, Log);
}

constexpr const char *ReplayProgram = "replay", *ReplayRemarks = "replay.opt.yaml";

bool isClang(const std::string &Compiler) {
  return fs::path(Compiler).filename().string().find("clang") != std::string::npos;
}

/// Compiles the kernel and the program around it to \p Program, without torch's folders: what is
/// missing in the copy of its headers is found here, and not by a user without torch.
std::optional<Error> buildProgram(const std::string &Folder, const KernelBuild &Build,
                                  const std::string &Program) {
  const auto In = [&](const std::string &Name) { return (fs::path(Folder) / Name).string(); };
  const std::string Log = In("build.log"), Object = In(Program + ".o");
  std::vector<std::string> Compile = {Build.Compiler};
  Compile.insert(Compile.end(), Build.Flags.begin(), Build.Flags.end());
  Compile.insert(Compile.end(), {"-I" + In("include"), "-c", In(Build.Source), "-o", Object});
  if (isClang(Build.Compiler) && Program == ReplayProgram)
    Compile.insert(Compile.end(), {"-fsave-optimization-record=yaml",
                                   "-foptimization-record-passes=^loop-vectorize$",
                                   "-foptimization-record-file=" + In(ReplayRemarks)});
  if (auto Why = runQuietly(Compile, Log))
    return Why;
  std::vector<std::string> Link = {Build.Compiler, "-O2",  "-std=c++17", "-fopenmp", "-I" + Folder,
                                   In("main.cpp"), Object, "-o",         In(Program)};
  for (const std::string &Each : Build.More)
    Link.push_back(In(Each));
  Link.insert(Link.end(), Build.LinkFlags.begin(), Build.LinkFlags.end());
  auto Alone = runQuietly(Link, Log);
  if (Alone && !Build.Missing.empty())
    Alone = linkWithoutMissing(Link, In(Build.Missing), Log);
  if (!Alone || Build.Libraries.empty())
    return Alone;
  // Vector functions, which torch has in its own library.
  for (const std::string &Each : Build.Libraries)
    Link.insert(Link.end(), {"-L" + Each, "-Wl,-rpath," + Each});
  Link.insert(Link.end(), {"-ltorch_cpu", "-lc10"});
  return runQuietly(Link, Log);
}

/// Runs \p Program in \p Folder with \p More options. The file \p Output has what it measured, or
/// there is an error. What the kernel itself prints is in a log.
std::optional<Error> runProgram(const std::string &Folder, const std::string &Program,
                                const std::string &Output, unsigned Threads, double Seconds,
                                const std::vector<std::string> &More) {
  std::error_code Ignored;
  fs::remove(fs::path(Folder) / Output, Ignored); // of an earlier time
  std::vector<std::string> Command = {"env",    "-C",   Folder,      "./" + Program,
                                      "--json", Output, "--seconds", fmt::to_string(Seconds)};
  if (Threads)
    Command.insert(Command.end(), {"--threads", std::to_string(Threads)});
  Command.insert(Command.end(), More.begin(), More.end());
  return runQuietly(Command, (fs::path(Folder) / "run.log").string(), "the kernel as a program");
}

/// The position after "error: " in \p Text, or 0 if it is not there.
size_t startOfError(std::string_view Text) {
  constexpr std::string_view Mark = "error: ";
  const size_t Found = Text.find(Mark);
  return Found == Text.npos ? 0 : Found + Mark.size();
}

constexpr const char *Measured = "measured.json";

/// A change of the program.
struct Change {
  ReplayVaried Row;
  KernelBuild Build;
  bool IsBuilt = false; ///< another program
  unsigned Threads = 0;
};

/// Compilers other than \p Than, each once.
std::vector<std::string> otherCompilers(const std::string &Than, bool OnlyClang) {
  std::error_code Ignored;
  std::vector<std::string> Known = {fs::canonical(findProgram(Than), Ignored).string()};
  std::vector<std::string> Found;
  for (const char *Name :
       {"clang++-22", "clang++-21", "clang++-20", "clang++-19", "clang++", "g++"}) {
    const std::string Path = findProgram(Name);
    if (Path.find('/') == Path.npos || (OnlyClang && Name[0] == 'g')) // not on PATH
      continue;
    std::string Real = fs::canonical(Path, Ignored).string();
    if (std::ranges::find(Known, Real) != Known.end())
      continue;
    // A driver finds out by its name whether it compiles C++.
    Found.emplace_back(Name);
    Known.push_back(std::move(Real));
  }
  return Found;
}

/// \p Code is that of the kernel.
std::vector<Change> changesOf(const KernelBuild &Build, const KernelCall &Of,
                              const std::string &Code, unsigned Threads) {
  std::vector<Change> Changes;
  const unsigned Now = Threads ? Threads : static_cast<unsigned>(std::max(1, Of.Threads));
  const unsigned Most = std::max(Now, availableProcessors());
  // Code that was generated for a number of threads keeps it.
  if (Code.find(Of.Image ? "@__kmpc_push_num_threads(" : "num_threads(") == Code.npos)
    for (unsigned Count = 1; Count <= Most;
         Count = Count < Most ? std::min(Most, Count * 2) : Most + 1)
      if (Count != Now)
        Changes.push_back({{fmt::format("{} thread{}", Count, Count == 1 ? "" : "s"), "threads"},
                           Build,
                           false,
                           Count});
  // Options for warnings and debug information of one compiler are unknown to another.
  KernelBuild Quiet = Build;
  std::erase_if(Quiet.Flags, [](const std::string &Flag) {
    return Flag.starts_with("-W") || Flag.starts_with("-g");
  });
  for (const std::string &Name : otherCompilers(Build.Compiler, Of.Image.has_value())) {
    Change &Each = Changes.emplace_back(Change{{Name, "compiler"}, Quiet, true, Threads});
    Each.Build.Compiler = Name;
  }
  const auto Add = [&](const std::string &Name, std::vector<std::string> Flags) {
    Change &Each = Changes.emplace_back(Change{{Name, "flags"}, Quiet, true, Threads});
    Each.Build.Flags.insert(Each.Build.Flags.end(), Flags.begin(), Flags.end());
  };
  for (const char *Level : {"-O2", "-O3"})
    if (std::ranges::find(Quiet.Flags, Level) == Quiet.Flags.end())
      Add(Level, {Level});
  Add("-funroll-loops", {"-funroll-loops"});
  if (!Of.Image) { // in LLVM's code these are attributes and flags of instructions
    Add("-ffast-math", {"-ffast-math"});
    Add("-ffp-contract=fast", {"-ffp-contract=fast"});
#ifdef __x86_64__
    Add("-mprefer-vector-width=512", {"-mprefer-vector-width=512"});
#endif
  }
  Add("loops not vectorised by the compiler",
      isClang(Build.Compiler) ? std::vector<std::string>{"-fno-vectorize", "-fno-slp-vectorize"}
                              : std::vector<std::string>{"-fno-tree-vectorize"});
  return Changes;
}

/// The median with hot caches; nothing, with an error in \p Why, if the program failed.
std::optional<int64_t> hotNs(const std::string &Folder, const std::string &Name, unsigned Threads,
                             double Seconds, std::optional<Error> &Why) {
  constexpr const char *Output = "varied.json";
  Why = runProgram(Folder, Name, Output, Threads, Seconds, {"--only", "hot"});
  Replayed Found;
  if (!Why)
    Why = addMeasured(Found, (fs::path(Folder) / Output).string());
  return Why ? std::nullopt : std::optional(Found.Variants[0].Times.MedianNs);
}

} // namespace

std::optional<Error> buildReplay(const std::string &Folder, const KernelBuild &Build) {
  const auto In = [&](const char *Name) { return (fs::path(Folder) / Name).string(); };
  std::error_code Ignored;
  fs::remove(In(ReplayRemarks), Ignored); // of another compiler
  if (Build.Headers.empty())
    return buildProgram(Folder, Build, ReplayProgram);
  std::vector<std::string> Depend = {Build.Compiler};
  Depend.insert(Depend.end(), Build.Flags.begin(), Build.Flags.end());
  for (const std::string &Each : Build.Headers)
    Depend.push_back("-I" + Each);
  Depend.insert(Depend.end(), {"-M", "-MF", In("kernel.d"), In("kernel.cpp")});
  if (auto Why = runQuietly(Depend, In("build.log")))
    return Why;
  const auto Rule = readRegular(In("kernel.d"), LargestRule);
  if (!Rule)
    return Rule.error();
  if (auto Why = copyHeaders(Folder, *Rule, Build.Headers))
    return Why;
  return buildProgram(Folder, Build, ReplayProgram);
}

std::string remarksIn(const std::string &Folder) {
  constexpr uint64_t Largest = 64u << 20;
  auto Text = readRegular((fs::path(Folder) / ReplayRemarks).string(), Largest);
  return Text ? std::move(*Text) : std::string();
}

std::optional<Error> measureReplay(Replayed &To, const std::string &Folder, unsigned Threads,
                                   double Seconds) {
  auto Why = runProgram(Folder, ReplayProgram, Measured, Threads, Seconds, {});
  if (Why && To.CountsPages) {
    // On a page that the kernel writes first may be something that it then reads.
    To.HasNoNew = true;
    Why = runProgram(Folder, ReplayProgram, Measured, Threads, Seconds, {"--no-new"});
  }
  return Why ? Why : addMeasured(To, (fs::path(Folder) / Measured).string());
}

Result<std::vector<ReplayVaried>> varyReplay(const std::string &Folder, const KernelBuild &Build,
                                             const KernelCall &Of, unsigned Threads,
                                             double Seconds) {
  constexpr int Rounds = 5;
  constexpr uint64_t LargestCode = 256u << 20;
  const auto Code = readRegular((fs::path(Folder) / Build.Source).string(), LargestCode);
  if (!Code)
    return Code.error();
  std::vector<Change> Changes = changesOf(Build, Of, *Code, Threads);
  std::vector<std::string> Programs;
  for (Change &Each : Changes) {
    Programs.push_back(Each.IsBuilt ? fmt::format("replay-{}", Programs.size()) : ReplayProgram);
    if (Each.IsBuilt)
      if (const auto Why = buildProgram(Folder, Each.Build, Programs.back()))
        // The compiler's name is in the row.
        Each.Row.Problem = Why->Reason.substr(startOfError(Why->Reason));
  }
  std::optional<Error> Why;
  for (int Round = 0; Round < Rounds; ++Round)
    for (size_t I = 0; I < Changes.size(); ++I) {
      Change &Each = Changes[I];
      if (!Each.Row.Problem.empty())
        continue;
      // Next to each other, since the machine may have become slower meanwhile, and in turns: the
      // second of two programs may run slower than the first.
      std::optional<int64_t> Base, Other;
      for (int Turn = 0; Turn < 2 && Each.Row.Problem.empty(); ++Turn) {
        if ((Turn + Round) % 2 == 0) {
          Base = hotNs(Folder, ReplayProgram, Threads, Seconds / 5, Why);
          if (!Base)
            return *Why;
        } else {
          Other = hotNs(Folder, Programs[I], Each.Threads, Seconds / 5, Why);
          if (!Other)
            Each.Row.Problem = Why->Reason;
        }
      }
      if (Base && Other && *Base > 0)
        Each.Row.add(*Base, *Other);
    }
  std::error_code Ignored;
  for (size_t I = 0; I < Changes.size(); ++I)
    if (Changes[I].IsBuilt)
      for (const char *Ending : {"", ".o"})
        fs::remove(fs::path(Folder) / (Programs[I] + Ending), Ignored);
  std::vector<ReplayVaried> Rows;
  for (Change &Each : Changes)
    Rows.push_back(std::move(Each.Row));
  return Rows;
}

} // namespace seamscope::tools
