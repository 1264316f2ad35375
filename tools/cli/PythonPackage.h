//===- PythonPackage.h - verbs that the Python package does ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_PYTHONPACKAGE_H
#define SEAMSCOPE_TOOLS_PYTHONPACKAGE_H

#include <string>
#include <vector>

namespace seamscope::tools {

/// Replaces this process by `python -m seamscope._VERB WORDS`. \p Python empty: SEAMSCOPE_PYTHON,
/// else python3. Returns an exit status if that fails, after a message.
int becomePython(const std::string &Verb, std::vector<std::string> Words, std::string Python);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_PYTHONPACKAGE_H
