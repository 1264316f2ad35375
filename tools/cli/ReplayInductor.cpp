//===- ReplayInductor.cpp - the program again, with options of Inductor ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/ReplayBuild.h"
#include "cli/ReplayChange.h"
#include "cli/ReplayRun.h"
#include "run/folder/RunFolder.h"
#include "torch/LoopNodes.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char *Options[] = {"cpp.simdlen=1",
                                   "cpp.simdlen=256",
                                   "cpp.min_chunk_size=64",
                                   "cpp.min_chunk_size=16384",
                                   "cpp.dynamic_threads=True",
                                   "cpp.max_horizontal_fusion_size=1",
                                   "max_fusion_size=1",
                                   "fallback_random=True"};

std::set<std::string> namesIn(const CallLog &Log) {
  std::set<std::string> Names;
  for (const KernelCall &Each : Log.Calls)
    Names.insert(Each.Kernel);
  return Names;
}

std::vector<std::string> without(const std::set<std::string> &Of,
                                 const std::set<std::string> &Not) {
  std::vector<std::string> Left;
  std::ranges::set_difference(Of, Not, std::back_inserter(Left));
  return Left;
}

/// Code without the marks on its lines, whose numbers differ between graphs.
std::string plainCode(std::string_view Code) {
  std::string Text;
  while (!Code.empty()) {
    const std::string_view Line = Code.substr(0, Code.find('\n'));
    (Text += withoutMark(Line)) += '\n';
    Code.remove_prefix(std::min(Line.size() + 1, Code.size()));
  }
  return Text;
}

/// The kernels of \p Now that do what \p Of does; none, with the reason in \p Why.
std::vector<const KernelCall *> insteadOf(const KernelCall &Of, const CallLog &Before,
                                          const CallLog &Now, std::string &Why) {
  std::vector<std::string> Names = {Of.Kernel};
  const std::set<std::string> Old = namesIn(Before), New = namesIn(Now);
  if (!New.contains(Of.Kernel)) {
    Names = without(New, Old);
    if (Names.empty()) {
      Why = "the program has no such kernel then";
      return {};
    }
    if (const auto Gone = without(Old, New); Gone.size() > 1) {
      Why = fmt::format("the program then has {} other kernel{} instead of {}", Names.size(),
                        Names.size() == 1 ? "" : "s", Gone.size());
      return {};
    }
  }
  std::vector<const KernelCall *> Found;
  for (const std::string &Name : Names)
    Found.push_back(&*std::ranges::find(Now.Calls, Name, &KernelCall::Kernel));
  if (Found.size() == 1 && Found[0]->Kernel == Of.Kernel) {
    if (Found[0]->bytes() != Of.bytes())
      Why = "the kernel of this name has other sizes then";
    else if (plainCode(Found[0]->Code) == plainCode(Of.Code))
      Why = "the code is the same";
  }
  return Why.empty() ? Found : std::vector<const KernelCall *>();
}

/// Runs the program of \p Run again, recorded into \p Folder. Nothing, or what happened.
std::optional<Error> runAgain(const std::string &Run, const std::string &Folder,
                              const std::string &Option) {
  const RunCommand Again = commandOf(Run);
  if (Again.Words.empty() || Again.Directory.empty())
    return Error{Run, {}, "does not say how the program was started, and where"};
  std::error_code Failed;
  std::vector<std::string> Command = {"env",
                                      "-C",
                                      Again.Directory,
                                      "SEAMSCOPE_INDUCTOR=" + Option,
                                      fs::read_symlink("/proc/self/exe", Failed).string(),
                                      "run",
                                      "-o",
                                      fs::absolute(Folder, Failed).string(),
                                      "--"};
  Command.insert(Command.end(), Again.Words.begin(), Again.Words.end());
  return runQuietly(Command, Folder + ".log", "the program with this option");
}

} // namespace

Result<std::vector<ReplayVaried>> varyInductor(const InductorReplay &Of) {
  std::vector<ReplayChange> Changes;
  std::error_code Ignored;
  const std::string Parent = (fs::path(Of.Folder) / "inductor").string();
  fs::remove_all(Parent, Ignored);
  fs::create_directories(Parent, Ignored);
  for (const char *Option : Options) {
    ReplayChange &Each = Changes.emplace_back(ReplayChange{{Option, "inductor"}, {}, Of.Threads});
    const std::string Folder = (fs::path(Parent) / std::to_string(Changes.size())).string();
    if (const auto Why = runAgain(Of.Run, Folder, Option)) {
      Each.Row.Problem = Why->Reason;
      continue;
    }
    const auto Log = readCallLog(Folder);
    if (!Log) {
      Each.Row.Problem = "the program has no C++ kernel of torch.compile then";
      continue;
    }
    for (const KernelCall *Call : insteadOf(*Of.Call, *Of.Log, *Log, Each.Row.Problem)) {
      KernelBuild Build = buildOf(*Call);
      Build.Compiler = Of.Compiler;
      const std::string Into = (fs::path(Folder) / folderName(Call->Kernel)).string();
      if (const auto Why = makeReplay(Into, *Call, Build, Folder))
        Each.Row.Problem = Why->Reason;
      Each.Programs.push_back({Into, commandOfProgram()});
    }
    if (Each.Programs.size() > 1)
      Each.Row.Name += fmt::format(" ({} kernels)", Each.Programs.size());
  }
  return measureChanges(Of.Folder, std::move(Changes), Of.Threads, Of.Seconds);
}

} // namespace seamscope::tools
