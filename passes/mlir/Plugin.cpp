//===- Plugin.cpp - the passes as a plugin for mlir-opt -------------------===//
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

/// Finds an MLIR library in this process other than the one that this plugin is linked with.
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
  // Do not call MLIR before this check: with two versions in the process, calls could reach either.
  std::string Other;
  dl_iterate_phdr(findOther, &Other);
  if (!Other.empty()) {
    std::fprintf(stderr,
                 "seamscope: this plugin was built for %s, but the compiler uses %s: load the "
                 "plugin for its version\n",
                 SEAMSCOPE_MLIR_LIBRARY, Other.c_str());
    return {0, "seamscope", SEAMSCOPE_VERSION, nullptr}; // the compiler refuses API version 0
  }
  return {MLIR_PLUGIN_API_VERSION, "seamscope", SEAMSCOPE_VERSION,
          seamscope::mlir_passes::registerSeamscopePasses};
}
