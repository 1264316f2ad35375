//===- SimdJson.h - simdjson's errors and memory --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CHROME_SIMDJSON_H
#define SEAMSCOPE_TOOLS_TRACE_CHROME_SIMDJSON_H

#include <memory>
#include <new>
#include <simdjson.h>
#include <string>

namespace seamscope::tools {

/// simdjson's error as an exception: it leaves nested loops in one step. Too little memory says
/// nothing of the text.
[[noreturn]] inline void failWith(simdjson::error_code Code) {
  if (Code == simdjson::MEMALLOC)
    throw std::bad_alloc();
  throw simdjson::simdjson_error(Code);
}

template <typename T> T get(simdjson::simdjson_result<T> Result) {
  T Value;
  if (const simdjson::error_code Code = std::move(Result).get(Value))
    failWith(Code);
  return Value;
}

/// simdjson finds out which processor it runs on at the first parse, in a function that must not
/// throw and that allocates. So this comes first, where nothing else takes memory yet.
inline void prepareSimdJson() { simdjson::get_active_implementation()->description(); }

/// Parses \p Text in place. Throws std::bad_alloc where memory is short: simdjson itself goes on
/// without a buffer for strings that it could not allocate. So what it is about to allocate is
/// asked for before; a thread that takes just that memory in between is not caught.
inline simdjson::ondemand::document iterate(simdjson::ondemand::parser &Parser, std::string &Text) {
  Text.reserve(Text.size() + simdjson::SIMDJSON_PADDING);
  if (Parser.capacity() < Text.size()) {
    // 5/3 bytes for strings and 4 for an index a byte of text, and what its depth takes.
    const auto Room = std::make_unique_for_overwrite<char[]>(6 * Text.size() + (size_t{64} << 10));
    // The compiler may leave out an allocation that nothing sees.
    asm volatile("" ::"r"(Room.get()) : "memory");
  }
  return get(Parser.iterate(Text.data(), Text.size(), Text.capacity()));
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CHROME_SIMDJSON_H
