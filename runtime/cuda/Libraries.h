//===- Libraries.h - finds and opens the driver and CUPTI -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No library of CUDA is linked, since programs without a GPU or with a static CUDA runtime load
// this library, too. A library that is already loaded is used: two CUPTIs in a process disturb
// each other.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_CUDA_LIBRARIES_H
#define SEAMSCOPE_CUDA_LIBRARIES_H

#include "core/Message.h"

#include <cuda.h>
#include <cupti.h>

#include <string>

namespace seamscope::cuda {

/// The functions of libcuda that Seamscope calls.
struct Driver {
#define SEAMSCOPE_DRIVER_FUNCTION(Name, Symbol) decltype(&::cu##Name) Name;
#include "cuda/Functions.def"

  // From CUDA 12.0, 12.3 and 12.4; null: the driver is older.
  CUresult (*CtxGetId)(CUcontext Context, unsigned long long *Id);
  CUresult (*FuncGetName)(const char **Name, CUfunction Function);
  CUresult (*ModuleGetFunctionCount)(unsigned *Count, CUmodule Module);
  CUresult (*ModuleEnumerateFunctions)(CUfunction *Functions, unsigned Count, CUmodule Module);

  /// Whether a libcuda exists.
  static bool isThere();
  /// Opens the driver, once. Null: there is none, or it lacks a required function.
  static const Driver *get();
};

/// The functions of libcupti that Seamscope calls.
struct Cupti {
#define SEAMSCOPE_CUPTI_FUNCTION(Name) decltype(&::cupti##Name) Name;
#include "cuda/Functions.def"
  /// cuptiSetThreadIdType, which CUDA 12 may lack. After a call with 1, records have the system's
  /// thread numbers.
  CUptiResult (*SetThreadIdType)(int);
  /// Null: this libcupti lacks the function.
  decltype(&::cuptiSubscribe) Subscribe;
  decltype(&::cuptiEnableCallback) EnableCallback;
  decltype(&::cuptiGetGraphNodeId) GetGraphNodeId;
  decltype(&::cuptiGetContextId) GetContextId;
  decltype(&::cuptiGetStreamIdEx) GetStreamIdEx;
  CUptiResult (*ActivityEnableDriverApi)(CUpti_CallbackId Call, uint8_t Enable);

  /// Opens CUPTI, once. Null: there is none, and one line on stderr says why.
  static const Cupti *get();

  /// "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
  const char *nameOf(CUptiResult Error) const;
};

/// The path of the first loaded object whose file name begins with \p Prefix; empty: none.
std::string loadedPath(const char *Prefix);

} // namespace seamscope::cuda
#endif // SEAMSCOPE_CUDA_LIBRARIES_H
