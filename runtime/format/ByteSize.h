//===- ByteSize.h - sizes as people write them ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_BYTESIZE_H
#define SEAMSCOPE_FORMAT_BYTESIZE_H

#include <cerrno>
#include <cstdint>
#include <cstdlib>

namespace seamscope::format {

/// The largest size of a trace, unless SEAMSCOPE_OUT_LIMIT says otherwise. V8, and so
/// Chrome's tracing page, parses it in some seconds; a string of V8 has at most 512 MiB.
constexpr uint64_t DefaultOutLimit = uint64_t{256} << 20;

/// Parses a size such as "512M", "4G" or "1024" (bytes). Returns false if \p Text is not a size.
inline bool parseByteSize(const char *Text, uint64_t &Value) {
  char *End = nullptr;
  errno = 0;
  const unsigned long long Parsed = strtoull(Text, &End, 10);
  if (errno || End == Text || *Text == '-')
    return false;
  unsigned Shift = 0;
  switch (*End) {
  case 'K':
  case 'k':
    Shift = 10;
    ++End;
    break;
  case 'M':
  case 'm':
    Shift = 20;
    ++End;
    break;
  case 'G':
  case 'g':
    Shift = 30;
    ++End;
    break;
  default:
    break;
  }
  if (*End || Parsed > (UINT64_MAX >> Shift) >> 8)
    return false;
  Value = Parsed << Shift;
  return true;
}

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_BYTESIZE_H
