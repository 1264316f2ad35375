//===- Signature.h - an operator's inputs as words and as text -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trace keeps the same of an operator's inputs as torch.profiler with record_shapes:
// dimensions, types, strides, and the values of scalars and short lists. Calls that agree in all of
// these have the same words, and their text is made once.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TORCH_SIGNATURE_H
#define SEAMSCOPE_TORCH_SIGNATURE_H

#include "Memory.h"

#include <ATen/record_function.h>

#include <cstdint>

namespace seamscope::bridge {

/// The key of a call's kind: name and inputs as words. The object is reused for the next call, so
/// that it allocates only when it grows.
class Words {
public:
  /// May throw exceptions of torch.
  void set(const at::RecordFunction &Call);

  const uint64_t *data() const { return Data.data(); }
  size_t size() const { return Used; }
  uint64_t hash() const;

private:
  /// Appends \p Count words, which the caller writes.
  uint64_t *room(size_t Count) {
    // hash() reads a whole group beyond the last word.
    if (Used + Count + 4 > Data.size())
      Data.resize(2 * (Used + Count + 4));
    uint64_t *First = Data.data() + Used;
    Used += Count;
    return First;
  }
  void add(uint64_t Word) { *room(1) = Word; }
  void addText(const char *Text, size_t Size);
  void addTensor(const at::Tensor &Tensor);
  void addScalar(const c10::IValue &Value);
  void addInput(const c10::IValue &Value);

  Vector<uint64_t> Data;
  size_t Used = 0;
};

/// The inputs of a call as JSON arrays; empty for a call without inputs.
struct Texts {
  String Dims, Types, Strides, Values;

  explicit Texts(const at::RecordFunction &Call);
};

} // namespace seamscope::bridge
#endif // SEAMSCOPE_TORCH_SIGNATURE_H
