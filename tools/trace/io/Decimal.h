//===- Decimal.h - microseconds as written, to whole nanoseconds ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A double holds an epoch time in µs to a quarter of a µs only. Times are thus
// read digit by digit.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_DECIMAL_H
#define SEAMSCOPE_TOOLS_TRACE_DECIMAL_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// \p Text, a number of µs as JSON writes it ("-12.345", "1.5e3"), in ns, rounded half away from
/// zero. Nothing when it is not such a number or the result does not fit.
std::optional<int64_t> nanosecondsFromMicroseconds(std::string_view Text);

/// Whole µs in ns; nothing when the result does not fit.
std::optional<int64_t> nanosecondsFromMicroseconds(int64_t Microseconds);

/// \p Ns in µs with three decimals, which is exact: "-12.345".
std::string microsecondsText(int64_t Ns);

/// "7" of "7.0", as writers that keep numbers in tables of floats have it; else all of it.
std::string_view withoutFraction(std::string_view Number);

/// An integer in digits, or one written as 7.0.
std::optional<int64_t> wholeNumber(std::string_view Text);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_DECIMAL_H
