//===- Signature.h - an operator's inputs as words and as text -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of an operator's inputs the trace keeps what torch.profiler keeps with record_shapes: dimensions,
// types, strides, and the values of scalars and short lists. Two calls that agree on all of these
// have the same words; the text is made once for each.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TORCH_SIGNATURE_H
#define SEAMSCOPE_TORCH_SIGNATURE_H

#include "Memory.h"

#include <ATen/record_function.h>

#include <cstdint>

namespace seamscope::bridge {

/// What a call is, as words to look it up by. Reused from call to call: it allocates while it
/// grows.
class Words {
public:
  /// May throw what torch throws when it is asked for sizes.
  void set(const at::RecordFunction &Call);

  const uint64_t *data() const { return Data.data(); }
  size_t size() const { return Used; }
  uint64_t hash() const;

private:
  /// Room for \p Count more, to be written at once.
  uint64_t *room(size_t Count) {
    // A whole group for hash() beyond the last.
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

/// The same for people, as JSON arrays; empty for a call without inputs.
struct Texts {
  String Dims, Types, Strides, Values;

  explicit Texts(const at::RecordFunction &Call);
};

} // namespace seamscope::bridge
#endif // SEAMSCOPE_TORCH_SIGNATURE_H
