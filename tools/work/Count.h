//===- Count.h - integers with overflow detection -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_WORK_COUNT_H
#define SEAMSCOPE_TOOLS_WORK_COUNT_H

#include <cstdint>
#include <optional>

namespace seamscope::tools {

/// A sum or product of sizes from untrusted files. After an overflow it does not have a value.
class Count {
public:
  constexpr Count(int64_t Value = 0) : Value(Value) {}

  Count &operator+=(Count O) {
    Bad |= O.Bad | __builtin_add_overflow(Value, O.Value, &Value);
    return *this;
  }
  Count &operator*=(Count O) {
    Bad |= O.Bad | __builtin_mul_overflow(Value, O.Value, &Value);
    return *this;
  }
  friend Count operator+(Count A, Count B) { return A += B; }
  friend Count operator*(Count A, Count B) { return A *= B; }

  std::optional<int64_t> value() const { return Bad ? std::nullopt : std::optional(Value); }

private:
  int64_t Value;
  bool Bad = false;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_WORK_COUNT_H
