//===- DType.h - element types of tensors ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_WORK_DTYPE_H
#define SEAMSCOPE_TOOLS_WORK_DTYPE_H

#include <cstdint>
#include <string_view>

namespace seamscope::tools {

/// Formats that hardware treats alike are one: both kinds of Float8, quantized and plain integers.
enum class DType : uint8_t {
  Unknown,
  Bool,
  UInt8,
  Int8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Float4, ///< two numbers in a byte, counted as one element as torch does
  Float8,
  Float16,
  BFloat16,
  Float32,
  Float64,
  Complex32,
  Complex64,
  Complex128,
};

/// Size of an element in bytes; 0 when unknown.
int64_t sizeOf(DType Type);

/// "float32", "bfloat16", ...; "unknown".
std::string_view nameOf(DType Type);

/// What torch.profiler calls an element type: "float", "c10::BFloat16", "long int", ... Unknown for
/// every other text: "Scalar", "TensorList", "".
DType typeOfProfilerName(std::string_view Name);

/// By the name that torch gives in Python: "float32", "half", "torch.bfloat16", "fp16", "tf32", ...
DType typeOfTorchName(std::string_view Name);

/// By the number c10::ScalarType writes for a type; Unknown for those without a size of whole
/// bytes.
DType typeOfScalarTypeCode(int64_t Code);

/// bool, integer, real or complex: what decides in torch's type promotion.
enum class DTypeCategory : uint8_t { Bool, Integer, Real, Complex };
DTypeCategory categoryOf(DType Type);

/// The type of the result of an operator on tensors of these two types. Unknown when either is.
DType promote(DType A, DType B);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_WORK_DTYPE_H
