//===- Error.h - errors of readers and writers ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_ERROR_H
#define SEAMSCOPE_TOOLS_TRACE_ERROR_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace seamscope::tools {

/// Why a file could not be read or written.
struct Error {
  std::string Path;
  std::optional<uint64_t> Offset; ///< byte of the text after decompression; none: no single place
  std::string Reason;             ///< plain text; may contain bytes of the input

  /// "PATH: offset N: REASON", for a line on stderr, without control characters for the terminal.
  std::string message() const;
};

/// A value, or why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T Value) : Held(std::move(Value)) {}
  Result(Error Why) : Held(std::move(Why)) {}

  explicit operator bool() const { return std::holds_alternative<T>(Held); }
  T &operator*() { return std::get<T>(Held); }
  const T &operator*() const { return std::get<T>(Held); }
  T *operator->() { return &std::get<T>(Held); }
  const T *operator->() const { return &std::get<T>(Held); }
  const Error &error() const { return std::get<Error>(Held); }

private:
  std::variant<T, Error> Held;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_ERROR_H
