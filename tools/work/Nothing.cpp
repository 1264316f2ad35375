//===- Nothing.cpp - operators without work of their own -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/Formulas.h"

namespace seamscope::tools::formulas {

void nothing(OpCall &) {}

} // namespace seamscope::tools::formulas
