//===- Adopt.cpp - seamscope adopt -------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/Help.h"
#include "cli/RunEnvironment.h"
#include "cli/Verbs.h"
#include "run/folder/BaselineFolder.h"
#include "run/folder/RunFolder.h"
#include "torch/CompileLog.h"
#include "trace/io/FileUse.h"

#include <cstdlib>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

namespace fs = std::filesystem;

struct AdoptOptions {
  std::string Folder, Cache;
  int64_t StartNs = 0, WallNs = 0;
  std::vector<std::string> Command;
  bool Begin = false;
};

int adopt(const AdoptOptions &Options) {
  std::error_code Failed;
  std::string Folder = fs::absolute(Options.Folder, Failed).lexically_normal().string();
  if (Folder.size() > 1 && Folder.ends_with('/'))
    Folder.pop_back();
  if (Options.Begin) {
    const std::string Why = prepareFolder(Folder);
    return Why.empty() ? Success : fail({Options.Folder, {}, Why});
  }
  const std::vector<std::string> Traces = tracesIn(Folder);
  if (Traces.empty() || Traces[0] != traceIn(Folder))
    return fail({Options.Folder, {}, "has no trace.json; the program writes it there first"});
  RunManifest Manifest;
  Manifest.Version = SEAMSCOPE_VERSION;
  Manifest.Command = Options.Command;
  setDirectory(Manifest);
  Manifest.Mode = "trace";
  Manifest.StartNs = Options.StartNs;
  Manifest.WallNs = Options.WallNs;
  Manifest.Cache = Options.Cache;
  if (const char *Cache = std::getenv("TORCHINDUCTOR_CACHE_DIR"); Cache && Manifest.Cache.empty())
    Manifest.Cache = Cache;
  // What compiled its kernels: the Python package sets it for the program, and so for this process.
  if (const char *Compiler = std::getenv("CXX"))
    Manifest.Environment.emplace_back("CXX", Compiler);
  noteHooks(Manifest.Cache);
  collectGenerated(Folder, Manifest.Cache, Manifest);
  if (const auto Unread = takeUnread())
    return fail(*Unread);
  for (const std::string &Note : Manifest.Notes)
    complain("adopt: " + Note);
  if (const auto Failure = completeManifest(Folder, Manifest))
    return fail(*Failure);
  return Success;
}

} // namespace

Action addAdopt(CLI::App &Verb) {
  auto Options = std::make_shared<AdoptOptions>();
  Verb.add_option("DIR", Options->Folder,
                  "Folder with a trace.json, and torch's logs in torch-trace")
      ->required();
  auto *Begin = Verb.add_flag(
      "--begin", Options->Begin,
      "Before the program writes there: make the folder, or empty that of an earlier run");
  Verb.add_option("--cache", Options->Cache,
                  "Inductor's cache, to take the generated sources from; default "
                  "TORCHINDUCTOR_CACHE_DIR")
      ->type_name("DIR")
      ->excludes(Begin);
  Verb.add_option("--start-ns", Options->StartNs, "When the recording began, ns since 1970")
      ->check(notNegative())
      ->excludes(Begin);
  Verb.add_option("--wall-ns", Options->WallNs, "How long it was, ns")
      ->check(notNegative())
      ->excludes(Begin);
  Verb.add_option("COMMAND", Options->Command, "The program and its arguments, after --")
      ->excludes(Begin);
  addExamples(Verb, {"--begin seamscope-out/own", "seamscope-out/own -- python3 train.py"});
  return [Options] { return adopt(*Options); };
}

} // namespace seamscope::tools
