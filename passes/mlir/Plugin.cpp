//===- Plugin.cpp - the passes as a plugin of mlir-opt and its like -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "seamscope/mlir/Passes.h"

#include "mlir/Tools/Plugins/PassPlugin.h"

#include <cstdio>
#include <cstring>
#include <link.h>
#include <string>

namespace {

/// Finds libraries of MLIR in this process other than the one that this plugin is linked with.
int findOther(dl_phdr_info *Info, size_t, void *Into) {
  const char *Name = std::strrchr(Info->dlpi_name, '/');
  Name = Name ? Name + 1 : Info->dlpi_name;
  if (!std::strncmp(Name, "libMLIR.so", 10) && std::strcmp(Name, SEAMSCOPE_MLIR_LIBRARY))
    *static_cast<std::string *>(Into) = Name;
  return 0;
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  // Nothing of MLIR may be called before this: with two versions in the process calls reach either.
  std::string Other;
  dl_iterate_phdr(findOther, &Other);
  if (!Other.empty()) {
    std::fprintf(stderr,
                 "seamscope: this plugin was built for %s, and the compiler uses %s: load the one "
                 "for its version\n",
                 SEAMSCOPE_MLIR_LIBRARY, Other.c_str());
    return {0, "seamscope", SEAMSCOPE_VERSION, nullptr}; // refused as another version of the API
  }
  return {MLIR_PLUGIN_API_VERSION, "seamscope", SEAMSCOPE_VERSION,
          seamscope::mlir_passes::registerSeamscopePasses};
}
