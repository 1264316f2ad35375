//===- ReplayVary.cpp - the program of a kernel with changes -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/ReplayBuild.h"
#include "cli/ReplayChange.h"
#include "cli/ReplayRun.h"
#include "run/launch/PythonCommand.h"
#include "run/replay/Ablation.h"
#include "trace/io/Processors.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

/// The position after "error: " in \p Text, or 0 if it is not there.
size_t startOfError(std::string_view Text) {
  constexpr std::string_view Mark = "error: ";
  const size_t Found = Text.find(Mark);
  return Found == Text.npos ? 0 : Found + Mark.size();
}

/// A change of the program.
struct Change {
  ReplayChange Its;
  KernelBuild Build;
  bool IsBuilt = false;    ///< another program
  std::string Source = {}; ///< instead of the kernel's; empty: the same
};

Change changeOf(std::string Name, const char *Kind, const KernelBuild &Build, bool IsBuilt,
                unsigned Threads) {
  return {{{std::move(Name), Kind}, {}, Threads}, Build, IsBuilt};
}

/// Builds \p Of, if it is another program, as number \p Number. A problem is noted in the row.
void buildChange(const std::string &Folder, Change &Of, size_t Number) {
  const std::string Program = Of.IsBuilt ? fmt::format("replay-{}", Number) : ReplayProgram;
  Of.Its.Programs = {{Folder, commandOfProgram(Program)}};
  if (!Of.Source.empty()) {
    Of.Build.Source = Program + ".cpp";
    std::ofstream(fs::path(Folder) / Of.Build.Source) << Of.Source;
  }
  if (const auto Why = Of.IsBuilt ? buildProgram(Folder, Of.Build, Program) : std::nullopt)
    // The compiler's name is in the row.
    Of.Its.Row.Problem = Why->Reason.substr(startOfError(Why->Reason));
}

/// Measures the built \p Changes and removes their programs. Their rows, or why that failed.
Result<std::vector<ReplayVaried>> measured(const std::string &Folder,
                                           const std::vector<Change> &Changes, unsigned Threads,
                                           double Seconds) {
  std::vector<ReplayChange> All;
  for (const Change &Each : Changes)
    All.push_back(Each.Its);
  auto Rows = measureChanges(Folder, std::move(All), Threads, Seconds);
  std::error_code Ignored;
  for (const Change &Each : Changes)
    for (const char *Ending : {"", ".o", ".cpp"})
      if (Each.IsBuilt)
        fs::remove(fs::path(Folder) / (Each.Its.Programs[0].second[0] + Ending), Ignored);
  return Rows;
}

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
        Changes.push_back(changeOf(fmt::format("{} thread{}", Count, Count == 1 ? "" : "s"),
                                   "threads", Build, false, Count));
  // Options for warnings and debug information of one compiler are unknown to another.
  KernelBuild Quiet = Build;
  std::erase_if(Quiet.Flags, [](const std::string &Flag) {
    return Flag.starts_with("-W") || Flag.starts_with("-g");
  });
  for (const std::string &Name : otherCompilers(Build.Compiler, Of.Image.has_value())) {
    Change &Each = Changes.emplace_back(changeOf(Name, "compiler", Quiet, true, Threads));
    Each.Build.Compiler = Name;
  }
  const auto Add = [&](const std::string &Name, std::vector<std::string> Flags) {
    Change &Each = Changes.emplace_back(changeOf(Name, "flags", Quiet, true, Threads));
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

} // namespace

Result<std::vector<ReplayVaried>> varyReplay(const std::string &Folder, const KernelBuild &Build,
                                             const KernelCall &Of, unsigned Threads, double Seconds,
                                             const std::optional<ReplayChange> &More) {
  const auto Code = replaySource(Folder, Build);
  if (!Code)
    return Code.error();
  std::vector<Change> Changes = changesOf(Build, Of, *Code, Threads);
  for (size_t I = 0; I < Changes.size(); ++I)
    buildChange(Folder, Changes[I], I);
  if (More)
    Changes.push_back({*More, Build});
  return measured(Folder, Changes, Threads, Seconds);
}

Result<ReplayAblation> ablateReplay(const std::string &Folder, const KernelBuild &Build,
                                    unsigned Threads, double Seconds) {
  const auto Code = replaySource(Folder, Build);
  if (!Code)
    return Code.error();
  constexpr size_t Most = 30;
  std::vector<KernelOperator> Operators = operatorsIn(*Code);
  ReplayAblation Result;
  Result.NotTried = Operators.size() - std::min(Operators.size(), Most);
  Operators.resize(std::min(Operators.size(), Most));
  std::vector<Change> Changes;
  std::vector<const KernelOperator *> Built;
  const auto Add = [&](const std::string &Name, std::span<const KernelOperator *const> Which) {
    Change &Each = Changes.emplace_back(changeOf(Name, "without", Build, true, Threads));
    Each.Source = without(*Code, Which);
    buildChange(Folder, Each, Changes.size());
    return Each.Its.Row.Problem.empty();
  };
  for (const KernelOperator &Each : Operators) {
    const KernelOperator *const One = &Each;
    if (Add(fmt::format("{}:{} {}", Build.Source, Each.Lines[0], Each.Code), {&One, 1}))
      Built.push_back(One);
  }
  Add("all of these", Built);
  auto Rows = measured(Folder, Changes, Threads, Seconds);
  if (!Rows)
    return Rows.error();
  Result.Floor = std::move(Rows->back());
  Rows->pop_back();
  Result.Operators = std::move(*Rows);
  return Result;
}

} // namespace seamscope::tools
