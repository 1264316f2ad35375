//===- OpInputs.h - the inputs of an operator's call ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_OPINPUTS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_OPINPUTS_H

#include "trace/model/Trace.h"
#include "work/DType.h"
#include "work/OpArguments.h"

#include <string>
#include <string_view>

namespace seamscope::tools {

/// The inputs of one call, for display and for questions about its elements.
struct OpInputs {
  /// The given inputs, with semicolons between: "[5,128]float32;[128,64]float32;1".
  std::string Text;
  /// Type of the first floating-point tensor, else of the first tensor.
  DType Elements = DType::Unknown;
};

/// Reads the inputs of a site. Arrays that do not have the documented form give no inputs.
OpInputs inputsOf(const Trace &Input, const Site &What);

/// The inputs of a site as the arguments of a call; they refer to the trace's texts.
OpArguments argumentsOf(const Trace &Input, const Site &What);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_OPINPUTS_H
