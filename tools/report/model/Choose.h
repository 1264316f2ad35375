//===- Choose.h - columns that a reader asked for --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_MODEL_CHOOSE_H
#define SEAMSCOPE_TOOLS_REPORT_MODEL_CHOOSE_H

#include "report/model/Document.h"

#include <string>
#include <vector>

namespace seamscope::tools {

/// The names that the columns of a table can be chosen by, in their order.
std::vector<std::string> choosable(const Table &Of);

/// Leaves of the main table's text and CSV the first column and those that \p Names has, in that
/// order; none and "all": the columns as they are. An empty text, or what is wrong with a name.
std::string chooseColumns(Document &Of, const std::vector<std::string> &Names);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_MODEL_CHOOSE_H
