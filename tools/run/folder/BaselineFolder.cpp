//===- BaselineFolder.cpp - the runs that are compared, in a folder ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/folder/BaselineFolder.h"
#include "run/folder/CompilerTimes.h"
#include "run/folder/RunFolder.h"
#include "run/folder/StepLog.h"
#include "run/replay/CallLog.h"

#include <filesystem>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

std::string inside(const std::string &Folder, const std::string &Name) {
  return (fs::path(Folder) / Name).string();
}

} // namespace

std::string eagerIn(const std::string &Folder) { return inside(Folder, "eager"); }
std::string compiledIn(const std::string &Folder) { return inside(Folder, "compiled"); }
std::string unrecordedEagerIn(const std::string &Folder) {
  return inside(Folder, "unrecorded/eager");
}
std::string unrecordedCompiledIn(const std::string &Folder) {
  return inside(Folder, "unrecorded/compiled");
}
std::string ownCompilerIn(const std::string &Folder) { return inside(Folder, "own-compiler"); }
std::string ownEagerIn(const std::string &Folder) { return inside(ownCompilerIn(Folder), "eager"); }
std::string outputIn(const std::string &Folder) { return inside(Folder, "output.txt"); }

std::string numbered(const std::string &Folder, unsigned Number) {
  return inside(Folder, std::to_string(Number));
}

std::string repeated(const std::string &Folder, unsigned Number) {
  return Number > 1 ? numbered(Folder, Number) : Folder;
}

std::vector<std::string> repeatsOf(const std::string &First) {
  std::vector<std::string> Folders = {First};
  std::error_code Failed;
  for (unsigned Number = 2; fs::is_directory(repeated(First, Number), Failed); ++Number)
    Folders.push_back(repeated(First, Number));
  return Folders;
}

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
    fs::remove_all(sourcesIn(Folder), Failed);
    fs::remove_all(eagerIn(Folder), Failed);
    fs::remove_all(compiledIn(Folder), Failed);
    fs::remove_all(inside(Folder, "unrecorded"), Failed);
    fs::remove_all(ownCompilerIn(Folder), Failed);
    fs::remove(stepLogIn(Folder), Failed);
    fs::remove(callLogIn(Folder), Failed);
    fs::remove_all(capturedIn(Folder), Failed);
    fs::remove_all(replaysIn(Folder), Failed);
    fs::remove(compilerTimesIn(Folder), Failed);
    fs::remove(manifestIn(Folder), Failed);
    return {};
  }
  fs::create_directory(Folder, Failed);
  return fs::is_directory(Folder, Failed) ? std::string() : "cannot be made a folder";
}

std::vector<RunPair> baselinesIn(const std::string &Folder) {
  std::vector<RunPair> Pairs;
  if (tracesIn(Folder).empty())
    return Pairs;
  for (unsigned Number = 1;; ++Number) {
    const std::string Eager = numbered(eagerIn(Folder), Number);
    if (tracesIn(Eager).empty())
      return Pairs;
    const std::string Again = numbered(compiledIn(Folder), Number);
    Pairs.push_back({Number > 1 && !tracesIn(Again).empty() ? Again : Folder, Eager});
  }
}

} // namespace seamscope::tools
