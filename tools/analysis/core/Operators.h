//===- Operators.h - which operators a kernel stands for ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_OPERATORS_H
#define SEAMSCOPE_TOOLS_ANALYSIS_OPERATORS_H

#include "trace/model/Trace.h"

#include <string>
#include <vector>

namespace seamscope::tools {

/// The operators that a kernel stands for, and how often each.
struct OperatorList {
  struct Entry {
    std::string Name;
    uint64_t Count; ///< times in one call; 1 when CountsKnown is false
  };
  std::vector<Entry> Entries;        ///< by first appearance
  std::vector<std::string> Sequence; ///< as listed; of a name, each once
  /// Whether the counts are known: a list in the source gives them, an Inductor name does not.
  bool CountsKnown = true;
};

/// The operators of a site, by their bare names: from its `ops`, else from a name that Inductor
/// gave (operatorsInName()). Empty: it has none.
OperatorList operatorsOf(const Trace &Input, const Site &What);

/// An operator's bare name: without blanks around it, its namespace ("aten::add", "aten.add"), its
/// overload ("add.Tensor") and the trailing underscore of the in-place form ("add_").
std::string bareOperator(std::string_view Name);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_OPERATORS_H
