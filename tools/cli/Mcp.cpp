//===- Mcp.cpp - seamscope mcp --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Python package does it, with the protocol's own package.
//
//===----------------------------------------------------------------------===//
#include "cli/Help.h"
#include "cli/PythonPackage.h"
#include "cli/Verbs.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {
namespace {

struct McpOptions {
  std::string Folder, Python;
  bool AllowReplay = false;
};

int mcp(const McpOptions &Options) {
  std::vector<std::string> Words;
  if (Options.AllowReplay)
    Words.emplace_back("--allow-replay");
  Words.emplace_back("--");
  Words.push_back(Options.Folder);
  return becomePython("mcp", std::move(Words), Options.Python);
}

} // namespace

Action addMcp(CLI::App &Verb) {
  auto Options = std::make_shared<McpOptions>();
  Verb.add_option("DIR", Options->Folder,
                  "The folder with the traces: only files below it are read")
      ->required();
  Verb.add_flag("--allow-replay", Options->AllowReplay,
                "Offer `replay`, which compiles and runs the code of kernels in the folder");
  Verb.add_option("--python", Options->Python,
                  "Python with the package mcp, and for queries DuckDB; default: SEAMSCOPE_PYTHON, "
                  "else python3")
      ->type_name("PATH");
  addExamples(Verb, {"seamscope-out", "traces --allow-replay"});
  return [Options] { return mcp(*Options); };
}

} // namespace seamscope::tools
