//===- OpInputs.h - the inputs of an operator's call ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_OPINPUTS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_OPINPUTS_H

#include "work/DType.h"
#include "work/OpArguments.h"

#include <string>
#include <string_view>

namespace seamscope::tools {

/// The inputs of one call, for people and for questions about its elements.
struct OpInputs {
  /// Those that were given, with semicolons between: "[5,128]float32;[128,64]float32;1".
  std::string Text;
  /// Type of the first tensor of floating-point numbers, else of the first tensor.
  DType Elements = DType::Unknown;
};

/// The part of Site::Inputs that has the dimensions, "[[5, 128], [128, 64]]"; empty: it has none.
std::string_view dimensionsIn(std::string_view Inputs);

/// Reads Site::Inputs. What is not of its form gives none.
OpInputs parseInputs(std::string_view Json);

/// Site::Inputs as the arguments of a call. \p Texts gets the four texts that they are views of.
OpArguments argumentsOf(std::string_view Inputs, std::string (&Texts)[4]);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_OPINPUTS_H
