//===- PythonPackage.cpp - verbs that the Python package does --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/PythonPackage.h"

#include "cli/RunEnvironment.h"
#include "cli/TorchBridge.h"
#include "cli/Verbs.h"
#include "trace/io/OwnTree.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

#include <fmt/format.h>

namespace seamscope::tools {

int becomePython(const std::string &Verb, std::vector<std::string> Words, std::string Python) {
  const std::filesystem::path Package = pythonPackageFolder();
  if (Package.empty())
    return fail({shareFolder().string(), {}, "lacks the folder python: install the whole package"});
  if (Python.empty())
    Python = pythonProgram();
  Words.insert(Words.begin(), {Python, "-m", "seamscope._" + Verb});
  putOnPythonPath(Package.string());
  setenv("SEAMSCOPE_PREFIX", ownPrefix().c_str(), 1);
  std::vector<char *> Arguments;
  for (std::string &Each : Words)
    Arguments.push_back(Each.data());
  Arguments.push_back(nullptr);
  execvp(Arguments[0], Arguments.data());
  complain(fmt::format("{}: {}: {}; SEAMSCOPE_PYTHON names another", Verb, Python,
                       std::strerror(errno)));
  return BadUsage;
}

} // namespace seamscope::tools
