//===- StepShare.h - what is too little for a finding -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_STEPSHARE_H
#define SEAMSCOPE_TOOLS_RUN_STEPSHARE_H

namespace seamscope::tools {

/// Shares of the time of the steps, for findings: each is about what takes at least one of them.
constexpr double LeastOfSteps = 0.05, MuchOfSteps = 0.1;

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_STEPSHARE_H
