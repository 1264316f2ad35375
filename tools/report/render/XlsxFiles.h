//===- XlsxFiles.h - libxlsxwriter's temporary files -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_RENDER_XLSXFILES_H
#define SEAMSCOPE_TOOLS_REPORT_RENDER_XLSXFILES_H

#include <cstdio>

namespace seamscope::tools {

/// While this object lives, libxlsxwriter's temporary files are watched: the library does not
/// notice that one of them could not be written, and makes a workbook with holes. It also prints
/// nothing meanwhile.
class XlsxFiles {
public:
  XlsxFiles();
  ~XlsxFiles();
  XlsxFiles(const XlsxFiles &) = delete;
  XlsxFiles &operator=(const XlsxFiles &) = delete;

  /// Why a file could not be made, written or read, as errno; 0: no error.
  int error() const;

private:
  FILE *const Messages; ///< where messages go otherwise
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_RENDER_XLSXFILES_H
