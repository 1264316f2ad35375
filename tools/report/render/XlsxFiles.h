//===- XlsxFiles.h - libxlsxwriter's temporary files -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_XLSXFILES_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_XLSXFILES_H

#include <cstdio>

namespace seamscope::tools {

/// While it lives, libxlsxwriter's temporary files are watched, since the library does not notice
/// that one of them could not be written and makes a workbook with holes; and it prints nothing.
class XlsxFiles {
public:
  XlsxFiles();
  ~XlsxFiles();
  XlsxFiles(const XlsxFiles &) = delete;
  XlsxFiles &operator=(const XlsxFiles &) = delete;

  /// Why one could not be made, written or read, as errno has it; 0: all could.
  int error() const;

private:
  FILE *const Messages; ///< where messages go otherwise
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_XLSXFILES_H
