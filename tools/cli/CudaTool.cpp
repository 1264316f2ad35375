//===- CudaTool.cpp - GPU work in the trace of a run ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cli/CudaTool.h"

#include "cli/Messages.h"

#include <fmt/format.h>

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace seamscope::tools {

void prepareCudaTool(const std::string &LibraryFolder) {
  constexpr const char *Tool = "CUDA_INJECTION64_PATH";
  const char *Wish = std::getenv("SEAMSCOPE_CUDA");
  const std::filesystem::path Ours = std::filesystem::path(LibraryFolder) / "libseamscope-cuda.so";
  std::error_code Ignored;
  if ((Wish && std::string_view(Wish) == "off") || !std::filesystem::exists(Ours, Ignored))
    return;
  const char *Already = std::getenv(Tool);
  if (!Already || !*Already) {
    setenv(Tool, Ours.c_str(), 1);
    return;
  }
  if (!std::filesystem::equivalent(Already, Ours, Ignored))
    complain(fmt::format("run: {}={} loads another tool: GPU work is recorded only for programs "
                         "compiled with Seamscope's plugin; unset it to record all GPU work",
                         Tool, Already));
}

bool isCudaDriverThere() {
  void *const Driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (Driver)
    dlclose(Driver);
  return Driver != nullptr;
}

} // namespace seamscope::tools
