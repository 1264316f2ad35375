//===- Decimal.h - microseconds as written, to whole nanoseconds ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A double represents an epoch time in µs only to a quarter of a µs, so times
// are read digit by digit.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_DECIMAL_H
#define SEAMSCOPE_TOOLS_TRACE_DECIMAL_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// Converts \p Text, a number of µs as in JSON ("-12.345", "1.5e3"), to ns, rounded half away from
/// zero. Nothing if it is not such a number or the result does not fit.
std::optional<int64_t> nanosecondsFromMicroseconds(std::string_view Text);

/// Whole µs in ns; nothing if the result does not fit.
std::optional<int64_t> nanosecondsFromMicroseconds(int64_t Microseconds);

/// \p Ns in µs with three decimals, which is exact: "-12.345".
std::string microsecondsText(int64_t Ns);

/// "7" for "7.0", as written by tools that keep numbers in tables of floats; else the whole text.
std::string_view withoutFraction(std::string_view Number);

/// An integer in digits, or one written like 7.0.
std::optional<int64_t> wholeNumber(std::string_view Text);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_DECIMAL_H
