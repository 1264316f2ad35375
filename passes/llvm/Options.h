//===- Options.h - the options of the pass ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_PASSES_OPTIONS_H
#define SEAMSCOPE_PASSES_OPTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace seamscope {

/// Which kernels are kept from being inlined (Keep.h).
enum class KeepMode { Auto, All, None };

/// The options of Options.def as values.
struct Options {
  using Flag = bool;
  using Number = unsigned;
  using Text = std::string;
  using List = std::vector<std::string>;

#define SEAMSCOPE_OPTION(Field, Name, Type, Default, Help) Type Field = Default;
#include "Options.def"

  /// Adds the `;`-separated settings of \p Text. `config=FILE` reads FILE: one setting a line, `#`
  /// begins a comment. Fails on an unknown name (naming the nearest), a bad value, or an unreadable
  /// file; settings before the bad one stay. Errors begin with \p Origin.
  llvm::Error parse(llvm::StringRef Text, llvm::StringRef Origin);

  /// Applies defaults, SEAMSCOPE_PASS, -mllvm flags and \p Parameters in this order. Later values
  /// win; lists add up.
  static llvm::Expected<Options> collect(llvm::StringRef Parameters);

private:
  llvm::Error set(llvm::StringRef Setting, llvm::StringRef Origin);
  llvm::Error readFile(llvm::StringRef Path, llvm::StringRef Origin);
  llvm::Error check(llvm::StringRef Origin) const;
};

} // namespace seamscope
#endif // SEAMSCOPE_PASSES_OPTIONS_H
