//===- Numbers.h - numbers in readable form ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_MODEL_NUMBERS_H
#define SEAMSCOPE_TOOLS_REPORT_MODEL_NUMBERS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace seamscope::tools {

/// ns with a readable unit: "9.8 us", "1.234 ms".
std::string shownTime(int64_t Ns);
/// "-" for nothing.
std::string shownTime(const std::optional<int64_t> &Ns);
/// A change, with its sign.
std::string shownChange(int64_t Ns);

/// \p Part of \p Whole in percent; nothing if the whole is 0.
std::optional<double> percentOf(int64_t Part, int64_t Whole);
/// The same, with one decimal; "-" if the whole is 0.
std::string shownShare(int64_t Part, int64_t Whole);

/// Bytes with a readable unit: "640 B", "47.5 MB" (10^6).
std::string shownBytes(double Bytes);

/// "1.23" of \p Value / \p Unit; "-" for nothing.
std::string shownRate(const std::optional<double> &Value, double Unit);

/// \p Value with a decimal prefix for its unit: "1.2 TFLOP/s", "0.4 GB/s" as "400.0 MB/s".
std::string shownScaled(double Value, std::string_view Of);

/// A name or line from outside, safe to print and at most \p Width characters.
std::string fit(std::string_view Text, size_t Width);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_MODEL_NUMBERS_H
