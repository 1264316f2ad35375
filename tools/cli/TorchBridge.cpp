//===- TorchBridge.cpp - torch's operators in the trace of a run -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/TorchBridge.h"

#include "trace/io/OwnTree.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace seamscope::tools {

void putOnPythonPath(const std::string &Folder) {
  setenv("PYTHONPATH", pythonPathWith(Folder).c_str(), 1);
}

void prepareTorchBridge(bool Enabled, const std::string &LibraryFolder) {
  setenv("SEAMSCOPE_TORCH", Enabled ? "on" : "off", Enabled ? 0 : 1);
  // In a run inside a run, the inner one records torch.
  unsetenv("SEAMSCOPE_TORCH_OWNER");
  const std::filesystem::path Folder =
      std::filesystem::path(LibraryFolder) / "seamscope" / "python";
  std::error_code Ignored;
  // The same folder has the hooks for Triton's kernels.
  const char *Gpu = std::getenv("SEAMSCOPE_GPU");
  const bool TimesGpu = Gpu && *Gpu && std::string(Gpu) != "off";
  if (!(Enabled || TimesGpu) || !std::filesystem::exists(Folder / "sitecustomize.py", Ignored))
    return;
  putOnPythonPath(Folder.string());
}

} // namespace seamscope::tools
