//===- CompilerTimes.h - how long the compiler took for each file ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_RUN_COMPILERTIMES_H
#define SEAMSCOPE_TOOLS_RUN_COMPILERTIMES_H

#include "trace/io/Error.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// What the compiler wrapper logged about one source file in a run.
struct CompilerTime {
  uint32_t Calls = 0;  ///< of the compiler
  uint32_t Failed = 0; ///< those of them that ended with an error
  int64_t Ns = 0;      ///< wall time of all calls; calls for several files may overlap
};

struct CompilerTimes {
  std::map<std::string, CompilerTime, std::less<>> Files; ///< by the file's name without folders
  size_t Unread = 0;            ///< lines that do not describe a compilation
  std::optional<Error> NotRead; ///< why nothing is known

  /// The time of the file at \p Path; null if it was not compiled in the run.
  const CompilerTime *of(std::string_view Path) const;
};

/// The file in the run's folder \p Folder that the wrapper writes.
std::string compilerTimesIn(const std::string &Folder);

/// Reads it; without the file nothing was compiled. Other lines are counted.
CompilerTimes readCompilerTimes(const std::string &Folder);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_RUN_COMPILERTIMES_H
