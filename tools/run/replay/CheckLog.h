//===- CheckLog.h - kernels compared with eager mode, by a run's folder ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_CHECKLOG_H
#define SEAMSCOPE_TOOLS_RUN_CHECKLOG_H

#include "trace/io/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seamscope::tools {

/// A tensor that a call wrote.
struct CheckedOutput {
  std::string Unknown; ///< why it was not compared; empty: it was
  std::string Buffer;
  std::string Node, Target; ///< of the graph, whose value it is
  /// The node inside the kernel that makes it wrong, and its operator; empty: not known.
  std::string Culprit, CulpritTarget;
  std::string Type;
  uint64_t Numbers = 0, Wrong = 0;
  uint64_t Differs = 0; ///< not near eager mode, but near float64, or explained by rounding
  // Null: there is no such reference, or it does not apply to the type.
  std::optional<double> MaxAbs;      ///< from eager mode
  std::optional<double> MaxUlp;      ///< the same in units in the last place of eager mode's number
  std::optional<double> MaxRelF64;   ///< from float64, relative
  std::optional<double> EagerRelF64; ///< that of eager mode
  // The first number that is wrong.
  std::vector<uint64_t> Index;
  std::string Value, Eager, F64;                           ///< empty: not known
  std::vector<std::pair<std::string, std::string>> Inputs; ///< at the same index: node and value
  std::string Stack; ///< of the program, where that node, else Node, was captured
};

/// A call of a kernel that torch/start/check.py compared.
struct CheckedCall {
  std::string Kernel, Graph;
  uint64_t Process = 0;
  uint64_t Number = 0; ///< among the kernel's calls, from 1 on
  std::string Unknown; ///< why nothing of it was compared; empty: see the outputs
  std::vector<CheckedOutput> Outputs;
};

struct CheckLog {
  std::vector<CheckedCall> Calls; ///< in the order of the program
  uint64_t NotRead = 0;           ///< lines
};

/// The file inside a run's folder.
std::string checkLogIn(const std::string &Folder);

/// What `seamscope run --check` left in a folder. None of it is trusted to fit together.
Result<CheckLog> readCheckLog(const std::string &Folder);

/// A kernel with all of its calls that were compared.
struct CheckedKernel {
  std::string Name;
  uint64_t Calls = 0;
  uint64_t Compared = 0, NotCompared = 0; ///< tensors
  uint64_t Wrong = 0, Differs = 0;        ///< numbers
  std::optional<double> MaxAbs = {}, MaxUlp = {}, MaxRelF64 = {}, EagerRelF64 = {};
  std::vector<std::string> Why = {}; ///< tensors were not compared

  /// Nothing: nothing of it was compared.
  std::optional<bool> isOk() const;
};

/// By name, in the order in which the program called them first.
std::vector<CheckedKernel> checkedKernels(const CheckLog &Log);

/// The first tensor in the order of the program with a wrong number, and its call; none: nulls.
std::pair<const CheckedCall *, const CheckedOutput *> firstWrong(const CheckLog &Log);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_CHECKLOG_H
