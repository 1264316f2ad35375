//===- NvtxTool.cpp - NVTX ranges in the trace of a run -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/NvtxTool.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace seamscope::tools {

void prepareNvtxTool(const std::string &LibraryFolder) {
  constexpr const char *Tool = "NVTX_INJECTION64_PATH";
  const char *Wish = std::getenv("SEAMSCOPE_NVTX");
  const std::filesystem::path Ours = std::filesystem::path(LibraryFolder) / "libseamscope-nvtx.so";
  std::error_code Ignored;
  if ((Wish && std::string_view(Wish) == "off") || !std::filesystem::exists(Ours, Ignored))
    return;
  // In a nested run it is already in the list; what follows it stays.
  const char *Already = std::getenv(Tool);
  if (Already && *Already && std::filesystem::equivalent(Already, Ours, Ignored))
    return;
  if (Already && *Already)
    setenv("SEAMSCOPE_NVTX_NEXT", Already, 1);
  else
    unsetenv("SEAMSCOPE_NVTX_NEXT");
  setenv(Tool, Ours.c_str(), 1);
}

} // namespace seamscope::tools
