//===- Kernels.h - the loops that measure a processor ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each instruction set has a source file of its own, compiled with its flags.
// This header and those files include nothing whose inline functions the rest of
// the tool uses: the linker could keep a copy that other processors cannot run.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_MACHINE_KERNELS_H
#define SEAMSCOPE_TOOLS_MACHINE_KERNELS_H

#include <cstddef>
#include <cstdint>

namespace seamscope::tools {

/// Arithmetic in registers.
struct ComputeKernel {
  const char *Type; ///< "f32" or "f64"
  unsigned Bits;    ///< width of the registers; that of the type: scalar instructions
  bool Fma;         ///< fused multiply-add, else as many additions as multiplications
  unsigned Flop;    ///< operations of a step; a multiply-add counts 2
  void (*Run)(uint64_t Steps);
};

/// Loops over arrays of f64, aligned to 64 bytes; their length is a multiple of 64 elements.
struct MemoryKernels {
  unsigned Bits;                                                ///< width of the registers
  void (*Read)(double *A, double *B, double *C, size_t Count);  ///< of A
  void (*Write)(double *A, double *B, double *C, size_t Count); ///< to A
  void (*Copy)(double *A, double *B, double *C, size_t Count);  ///< A = B
  void (*Triad)(double *A, double *B, double *C, size_t Count); ///< A = B + s * C
};

/// One operation for each element of type \p Type: Out = A / B, Out = sqrt(A), the sum or maximum
/// of A in one register or in memory, where each operation waits for the one before, or maxima that
/// do not wait. Shifts and products of integers compute in registers, Count of them.
struct ArrayKernel {
  const char *Function; ///< MathCost::Function, such as "div"
  const char *Type;     ///< "f32", "f64", or "i8" to "i64"
  unsigned Bits;        ///< width of the registers
  void (*Run)(void *Out, const void *A, const void *B, size_t Count);
};

/// Loops that call a function of vectors, passed in registers, for each vector of the arrays: Out =
/// Function(A), and Function(A, B). Null: the set has no registers of its width.
struct VectorCalls {
  void (*One)(void *Function, void *Out, const void *A, const void *B, size_t Count);
  void (*Two)(void *Function, void *Out, const void *A, const void *B, size_t Count);
};

/// Loops that one instruction set has.
struct KernelSet {
  const char *Name; ///< of the instruction set
  const ComputeKernel *Compute;
  size_t ComputeCount;
  MemoryKernels Memory;
  const ArrayKernel *Arrays;
  size_t ArrayCount;
  VectorCalls F32Calls, F64Calls;
};

/// Of every processor of this architecture: SSE2, or Advanced SIMD.
extern const KernelSet BaselineKernels;
#ifdef __x86_64__
extern const KernelSet Avx2Kernels;   ///< AVX2 and FMA
extern const KernelSet Avx512Kernels; ///< AVX-512F, BW and DQ
#endif

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_MACHINE_KERNELS_H
