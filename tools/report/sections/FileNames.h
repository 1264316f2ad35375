//===- FileNames.h - shortest distinct names of source files --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_SECTIONS_FILENAMES_H
#define SEAMSCOPE_TOOLS_REPORT_SECTIONS_FILENAMES_H

#include "trace/model/Trace.h"

#include <string>
#include <unordered_map>

namespace seamscope::tools {

/// Names of the source files of a trace: without folders, or with as many of the last ones as
/// distinguish files of one name.
class FileNames {
public:
  explicit FileNames(const Trace &Source);

  /// "k.cpp:12:3" or "lib/k.cpp:12:3" for a site, safe to print; "" if it is not known.
  std::string place(const Site &What) const;

private:
  std::unordered_map<StringId, std::string> Names;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_SECTIONS_FILENAMES_H
