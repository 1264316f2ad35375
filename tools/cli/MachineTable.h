//===- MachineTable.h - measured roofs, as a document -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_CLI_MACHINETABLE_H
#define SEAMSCOPE_TOOLS_CLI_MACHINETABLE_H

#include "machine/Machine.h"
#include "report/model/Document.h"

namespace seamscope::tools {

/// `seamscope.machine/1`; its JSON is what readMachine() reads.
Document machineDocument(const Machine &Of);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_CLI_MACHINETABLE_H
