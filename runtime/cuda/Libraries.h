//===- Libraries.h - the driver and CUPTI, where they are ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing of CUDA is linked: a program that runs without a GPU, or with a static CUDA runtime,
// loads this library as well. Whatever has been loaded already is used, since two CUPTIs in a
// process disturb each other.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_LIBRARIES_H
#define SEAMSCOPE_CUDA_LIBRARIES_H

#include "core/Message.h"

#include <cuda.h>
#include <cupti.h>

#include <string>

namespace seamscope::cuda {

/// What is used of libcuda; null: this one does not have it.
struct Driver {
#define SEAMSCOPE_DRIVER_FUNCTION(Name, Symbol) decltype(&::cu##Name) Name;
#include "cuda/Functions.def"

  // Of CUDA 12.0, 12.3 and 12.4; null: an older driver.
  CUresult (*CtxGetId)(CUcontext Context, unsigned long long *Id);
  CUresult (*FuncGetName)(const char **Name, CUfunction Function);
  CUresult (*ModuleGetFunctionCount)(unsigned *Count, CUmodule Module);
  CUresult (*ModuleEnumerateFunctions)(CUfunction *Functions, unsigned Count, CUmodule Module);

  /// Whether there is a libcuda.
  static bool isThere();
  /// Opened once; null: there is none, or it lacks something that must be there.
  static const Driver *get();
};

/// What is used of libcupti.
struct Cupti {
#define SEAMSCOPE_CUPTI_FUNCTION(Name) decltype(&::cupti##Name) Name;
#include "cuda/Functions.def"
  /// cuptiSetThreadIdType, which CUDA 12 may lack: 1 has records name threads as the system does.
  CUptiResult (*SetThreadIdType)(int);
  /// Null: this one has no graphs, or no such function.
  decltype(&::cuptiSubscribe) Subscribe;
  decltype(&::cuptiEnableCallback) EnableCallback;
  decltype(&::cuptiGetGraphNodeId) GetGraphNodeId;

  /// Opened once; null: there is none. Says why in one line.
  static const Cupti *get();

  /// "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
  const char *nameOf(CUptiResult Error) const;
};

/// The path of the first loaded object whose file name begins so; empty: there is none.
std::string loadedPath(const char *Prefix);

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_LIBRARIES_H
