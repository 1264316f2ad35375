//===- Process.cpp - the state of the process -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "core/Process.h"

namespace seamscope {

constinit Process TheProcess = {};

} // namespace seamscope
