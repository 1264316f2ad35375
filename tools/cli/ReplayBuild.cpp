//===- ReplayBuild.cpp - builds and runs the program of a kernel ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/ReplayBuild.h"
#include "cli/ReplayRun.h"
#include "cli/RunEnvironment.h"
#include "run/replay/ImageFiles.h"
#include "trace/io/InputFile.h"

#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char *ReplayRemarks = "replay.opt.yaml";

/// The functions that a linker did not find, by its output in \p Log, in the words of GNU ld or
/// lld.
std::set<std::string> missingIn(const std::string &Log) {
  std::set<std::string> Found;
  const auto Text = readRegular(Log, LargestOutput);
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

} // namespace

bool isClang(const std::string &Compiler) {
  return fs::path(Compiler).filename().string().find("clang") != std::string::npos;
}

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

std::optional<Error> makeReplay(const std::string &Folder, const KernelCall &Of,
                                const KernelBuild &Build, const std::string &Run) {
  if (auto Why = writeReplayFolder(Folder, Of, Build, (shareFolder() / "replay").string(), Run))
    return Why;
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
  const auto Rule = readRegular(In("kernel.d"), LargestOutput);
  if (!Rule)
    return Rule.error();
  if (auto Why = copyHeaders(Folder, *Rule, Build.Headers))
    return Why;
  return buildProgram(Folder, Build, ReplayProgram);
}

Result<std::string> replaySource(const std::string &Folder, const KernelBuild &Build) {
  constexpr uint64_t Largest = 256u << 20;
  return readRegular((fs::path(Folder) / Build.Source).string(), Largest);
}

std::string remarksIn(const std::string &Folder) {
  constexpr uint64_t Largest = 64u << 20;
  auto Text = readRegular((fs::path(Folder) / ReplayRemarks).string(), Largest);
  return Text ? std::move(*Text) : std::string();
}

std::optional<Error> measureReplay(Replayed &To, const std::string &Folder, unsigned Threads,
                                   double Seconds) {
  ReplayRun As{Folder, "measured.json", Threads, Seconds};
  auto Why = runReplay(commandOfProgram(), As);
  if (Why && To.CountsPages) {
    // On a page that the kernel writes first may be something that it then reads.
    To.HasNoNew = true;
    As.More = {"--no-new"};
    Why = runReplay(commandOfProgram(), As);
  }
  return Why ? Why : addMeasured(To, (fs::path(Folder) / As.Output).string());
}

} // namespace seamscope::tools
