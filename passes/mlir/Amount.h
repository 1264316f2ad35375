//===- Amount.h - a count that may depend on dynamic sizes ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_MLIR_AMOUNT_H
#define SEAMSCOPE_MLIR_AMOUNT_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::mlir_passes {

/// A polynomial in sizes that are unknown before the program runs, such as `2*arg0.1*arg1.1`, where
/// `arg0.1` is dimension 1 of the function's argument 0. Unknown if a part is unknown or a
/// coefficient overflows.
class Amount {
public:
  /// Unknown.
  Amount() = default;
  /* implicit */ Amount(int64_t Value);

  static Amount symbol(std::string Name);
  /// Parses the output of text(). Unknown if \p Text is anything else.
  static Amount parse(llvm::StringRef Text);

  bool known() const { return Known; }
  /// The value, if it does not depend on a dynamic size.
  std::optional<int64_t> constant() const;
  /// `0`, `4096`, `2*arg0.0*arg0.1+4*arg0.0`; empty if unknown.
  std::string text() const;

  Amount operator+(const Amount &Other) const;
  Amount operator*(const Amount &Other) const;
  bool operator==(const Amount &Other) const = default;

private:
  /// The number of terms, including the constant.
  size_t count() const { return Terms.size() + (Fixed != 0); }

  bool Known = false;
  /// The constant term. Stored apart because usually no size is dynamic and it is the only one.
  int64_t Fixed = 0;
  std::map<std::vector<std::string>, int64_t> Terms; ///< other terms: sorted factors to coefficient
};

} // namespace seamscope::mlir_passes
#endif // SEAMSCOPE_MLIR_AMOUNT_H
