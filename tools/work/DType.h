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

/// Formats that hardware treats alike share a value: both kinds of Float8, quantized and plain
/// integers.
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

/// Size of an element in bytes; 0 if unknown.
int64_t sizeOf(DType Type);

/// "float32", "bfloat16", ...; "unknown".
std::string_view nameOf(DType Type);

/// The type that torch.profiler calls \p Name: "float", "c10::BFloat16", "long int", ... Unknown
/// for every other text: "Scalar", "TensorList", "".
DType typeOfProfilerName(std::string_view Name);

/// The type that torch calls \p Name in Python: "float32", "half", "torch.bfloat16", "fp16",
/// "tf32", ...
DType typeOfTorchName(std::string_view Name);

/// The type that torch.fx and Triton call \p Name: "f32", "bf16", "i64", "b8", "i1", "f8e4m3fn",
/// ...
DType typeOfGraphName(std::string_view Name);

/// The type with number \p Code in c10::ScalarType; Unknown for types without a size in whole
/// bytes.
DType typeOfScalarTypeCode(int64_t Code);

/// bool, integer, real or complex, which decides torch's type promotion.
enum class DTypeCategory : uint8_t { Bool, Integer, Real, Complex };
DTypeCategory categoryOf(DType Type);

/// The result type of an operator on tensors of these two types. Unknown if either is.
DType promote(DType A, DType B);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_WORK_DTYPE_H
