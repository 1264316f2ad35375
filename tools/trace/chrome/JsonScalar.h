//===- JsonScalar.h - a value of an event that is not nested --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_JSONSCALAR_H
#define SEAMSCOPE_TOOLS_TRACE_JSONSCALAR_H

#include "trace/io/Decimal.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace seamscope::tools {

/// A JSON value that is neither object nor array.
struct JsonScalar {
  enum class Type : uint8_t { Null, Boolean, Integer, Decimal, String };
  Type Kind = Type::Null;
  int64_t Integer = 0;   ///< Integer; Boolean: 0 or 1
  std::string_view Text; ///< numbers: as written; String: its characters

  /// Its characters; empty: it is not a string.
  std::string_view string() const { return Kind == Type::String ? Text : std::string_view(); }

  /// An integer, which some writers put in quotes or write as 7.0.
  std::optional<int64_t> wholeNumber() const {
    if (Kind == Type::Integer)
      return Integer;
    if (Kind != Type::String && Kind != Type::Decimal)
      return std::nullopt;
    return tools::wholeNumber(Text);
  }

  /// A pid, tid or the like: a number or, in torch's traces, a word.
  std::string_view label() const {
    const std::string_view Label = Kind == Type::Decimal ? withoutFraction(Text) : Text;
    // Zero may be written as -0.
    return (Kind == Type::Integer && Integer == 0) || Label == "-0" ? "0" : Label;
  }
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_JSONSCALAR_H
