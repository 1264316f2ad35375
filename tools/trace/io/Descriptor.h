//===- Descriptor.h - a file descriptor that closes itself ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_DESCRIPTOR_H
#define SEAMSCOPE_TOOLS_TRACE_DESCRIPTOR_H

#include <unistd.h>

#include <utility>

namespace seamscope::tools {

/// A file descriptor that closes itself.
class Descriptor {
public:
  explicit Descriptor(int Number = -1) : Number(Number) {}
  Descriptor(Descriptor &&Other) noexcept : Number(std::exchange(Other.Number, -1)) {}
  Descriptor &operator=(Descriptor &&Other) noexcept {
    std::swap(Number, Other.Number);
    return *this;
  }
  ~Descriptor() {
    if (Number >= 0)
      close(Number);
  }

  /// Whether there is one.
  explicit operator bool() const { return Number >= 0; }
  int number() const { return Number; }

private:
  int Number;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_DESCRIPTOR_H
