//===- Check.h - the document of `seamscope check` --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_CHECK_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_CHECK_H

#include "report/model/Document.h"
#include "run/replay/CheckLog.h"

#include <string>

namespace seamscope::tools {

/// `seamscope.check/1`. \p Of must outlive it. \p Run: the folder.
Document checkDocument(const CheckLog &Of, const std::string &Run);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_CHECK_H
