//===- FailedRuns.cpp - failed runs in a folder ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/FailedRuns.h"
#include "run/folder/BaselineFolder.h"
#include "run/folder/RunFolder.h"
#include "run/folder/StepLog.h"

#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

struct FurtherRun {
  std::string Name, Folder;
};

bool isFolder(const std::string &Path) {
  std::error_code Failed;
  return fs::is_directory(Path, Failed);
}

std::vector<FurtherRun> furtherRuns(const std::string &Folder) {
  std::vector<FurtherRun> Runs;
  const std::string Eager = eagerIn(Folder), Compiled = compiledIn(Folder);
  const bool Several = isFolder(numbered(Eager, 2)) || isFolder(numbered(Compiled, 2));
  for (unsigned Number = 1;
       isFolder(numbered(Eager, Number)) || isFolder(numbered(Compiled, Number)); ++Number) {
    const std::string Suffix = Several ? fmt::format(" {}", Number) : "";
    Runs.push_back({"compiled run" + Suffix, numbered(Compiled, Number)});
    Runs.push_back({"eager run" + Suffix, numbered(Eager, Number)});
  }
  const std::pair<const char *, std::string> Unrecorded[] = {
      {"unrecorded eager run", unrecordedEagerIn(Folder)},
      {"unrecorded compiled run", unrecordedCompiledIn(Folder)},
      {"plain eager run", ownEagerIn(Folder)},
      {"run with torch's own compiler", ownCompilerIn(Folder)}};
  for (const auto &[Name, First] : Unrecorded) {
    unsigned Number = 1;
    for (const std::string &Each : repeatsOf(First))
      Runs.push_back({Each == First ? Name : fmt::format("{} {}", Name, ++Number), Each});
  }
  return Runs;
}

} // namespace

std::optional<HealthFinding> failedRuns(const std::string &Folder) {
  HealthFinding Found;
  Found.Check = HealthCheck::FailedRun;
  std::vector<std::string> Parts;
  for (const FurtherRun &Run : furtherRuns(Folder)) {
    if (!isFolder(Run.Folder))
      continue;
    std::error_code Failed;
    const bool IsEmpty = tracesIn(Run.Folder).empty() && !fs::exists(stepLogIn(Run.Folder), Failed);
    // Without a manifest it is not known how the run ended.
    const std::string How =
        isRunFolder(Run.Folder) || IsEmpty ? howRunFailed(Run.Folder) : std::string();
    if (How.empty())
      continue;
    ++Found.Count;
    const std::string Output = outputIn(Run.Folder);
    Parts.push_back(fmt::format(
        "the {} {}{}; {}", Run.Name, How,
        fs::exists(Output, Failed) ? ", see " + fs::path(Output).lexically_relative(Folder).string()
                                   : std::string(),
        IsEmpty ? "parts of the report that need it are missing"
                : "comparisons use what it recorded until then"));
  }
  if (Parts.empty())
    return std::nullopt;
  Found.Consequence = fmt::format("{}", fmt::join(Parts, "; "));
  return Found;
}

} // namespace seamscope::tools
