//===- KernelBody.h - bodies of the loops that measure a processor --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the files Kernels*.cpp alone, each compiled for another instruction set;
// all is in an unnamed namespace for that reason.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_MACHINE_KERNELBODY_H
#define SEAMSCOPE_TOOLS_MACHINE_KERNELBODY_H

#include "machine/Kernels.h"

#ifdef __x86_64__
#include <immintrin.h>
#else
#include <arm_neon.h>
#endif

namespace {

using f32x4 [[gnu::vector_size(16)]] = float;
using f64x2 [[gnu::vector_size(16)]] = double;
using f32x8 [[gnu::vector_size(32)]] = float;
using f64x4 [[gnu::vector_size(32)]] = double;
using f32x16 [[gnu::vector_size(64)]] = float;
using f64x8 [[gnu::vector_size(64)]] = double;

/// A vector of unsigned integers.
template <typename T, unsigned Bits> struct IntegersOf {
  using Type [[gnu::vector_size(Bits / 8)]] = T;
};
template <typename T, unsigned Bits> using Integers = typename IntegersOf<T, Bits>::Type;

// A value in a register that the compiler knows nothing about: it can neither fold what made it nor
// join two values into one vector.
#if defined(__AVX512F__)
#define OPAQUE(VALUE) asm volatile("" : "+v"(VALUE))
#elif defined(__x86_64__)
#define OPAQUE(VALUE) asm volatile("" : "+x"(VALUE))
#else
#define OPAQUE(VALUE) asm volatile("" : "+w"(VALUE))
#endif

// More than latency times units, which is 8 on x86-64 and up to 16 on AArch64. Twelve chains and
// two operands fit the 16 registers of SSE and AVX; AArch64 has 32.
#ifdef __x86_64__
constexpr unsigned Chains = 12;
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define EACH_PAIR(DO) DO(0, 1) DO(2, 3) DO(4, 5) DO(6, 7) DO(8, 9) DO(10, 11)
#else
constexpr unsigned Chains = 20;
// clang-format off
#define EACH(DO)                                                                                   \
  DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14)   \
  DO(15) DO(16) DO(17) DO(18) DO(19)
#define EACH_PAIR(DO)                                                                              \
  DO(0, 1) DO(2, 3) DO(4, 5) DO(6, 7) DO(8, 9) DO(10, 11) DO(12, 13) DO(14, 15) DO(16, 17)         \
  DO(18, 19)
// clang-format on
#endif

#define DECLARE(I) V S##I = Half;
#define HIDE(I) OPAQUE(S##I);
#define MULTIPLY_ADD(I) S##I = S##I * Half + Half;
#define MULTIPLY_AND_ADD(I, J)                                                                     \
  S##I = S##I * Factor;                                                                            \
  S##J = S##J + Term;

/// The elements of a V, which is a float, a double or a vector of them.
template <typename V> constexpr unsigned elements() {
  if constexpr (__is_same(V, float) || __is_same(V, double))
    return 1;
  else
    return sizeof(V) / sizeof(V{}[0]);
}

/// Operations of a step of the two loops below.
template <typename V> constexpr unsigned FlopOfFma = 4 * Chains * elements<V>();
template <typename V> constexpr unsigned FlopOfPair = 2 * Chains * elements<V>();

/// Independent chains of x * 0.5 + 0.5, which stay at 1.
template <typename V> [[gnu::always_inline]] inline void multiplyAdd(uint64_t Steps) {
  V Half = V{} + 0.5f;
  OPAQUE(Half);
  EACH(DECLARE)
  for (; Steps; --Steps) {
    EACH(MULTIPLY_ADD)
    EACH(HIDE)
    EACH(MULTIPLY_ADD)
    EACH(HIDE)
  }
}

/// Chains of x * 1 and as many of x + 0.5, none of which joins into a multiply-add.
template <typename V> [[gnu::always_inline]] inline void multiplyAndAdd(uint64_t Steps) {
  V Half = V{} + 0.5f, Factor = V{} + 1.0f, Term = Half;
  OPAQUE(Factor);
  OPAQUE(Term);
  EACH(DECLARE)
  for (; Steps; --Steps) {
    EACH_PAIR(MULTIPLY_AND_ADD)
    EACH(HIDE)
    EACH_PAIR(MULTIPLY_AND_ADD)
    EACH(HIDE)
  }
}

// The blocks of the loops below end with a barrier, so that none becomes a call of memcpy or
// memset, which may write past the caches.
#define BLOCK_END asm volatile("" ::: "memory")
#define VECTORS(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

template <typename V> V *vectors(double *Array) { return reinterpret_cast<V *>(Array); }

template <typename V> [[gnu::always_inline]] inline void readArray(double *A, size_t Count) {
  // Loads alone: to add the values up would be as slow as the loads.
  const V *From = vectors<V>(A), *End = From + Count * sizeof(double) / sizeof(V);
#define LOAD(I) V S##I = From[I];
  for (; From != End; From += 8) {
    VECTORS(LOAD)
    VECTORS(HIDE)
  }
#undef LOAD
}

template <typename V> [[gnu::always_inline]] inline void writeArray(double *A, size_t Count) {
  V *To = vectors<V>(A), *End = To + Count * sizeof(double) / sizeof(V);
  V Half = V{} + 0.5;
  OPAQUE(Half);
#define STORE(I) To[I] = Half;
  for (; To != End; To += 8) {
    VECTORS(STORE)
    BLOCK_END;
  }
#undef STORE
}

template <typename V>
[[gnu::always_inline]] inline void copyArray(double *A, double *B, size_t Count) {
  V *To = vectors<V>(A), *From = vectors<V>(B), *End = To + Count * sizeof(double) / sizeof(V);
#define STORE(I) To[I] = From[I];
  for (; To != End; To += 8, From += 8) {
    VECTORS(STORE)
    BLOCK_END;
  }
#undef STORE
}

template <typename V>
[[gnu::always_inline]] inline void triadArrays(double *A, double *B, double *C, size_t Count) {
  V *To = vectors<V>(A), *From = vectors<V>(B), *Scaled = vectors<V>(C);
  V *End = To + Count * sizeof(double) / sizeof(V);
  V Half = V{} + 0.5;
  OPAQUE(Half);
#define STORE(I) To[I] = From[I] + Half * Scaled[I];
  for (; To != End; To += 8, From += 8, Scaled += 8) {
    VECTORS(STORE)
    BLOCK_END;
  }
#undef STORE
}

template <typename V>
[[gnu::always_inline]] inline void divideArrays(void *Out, const void *A, const void *B,
                                                size_t Count) {
  V *To = static_cast<V *>(Out), *End = To + Count / elements<V>();
  const V *Over = static_cast<const V *>(A), *By = static_cast<const V *>(B);
  for (; To != End; ++To, ++Over, ++By) {
    V Value = *Over / *By;
    OPAQUE(Value);
    *To = Value;
  }
}

template <typename V, V (*Root)(V)>
[[gnu::always_inline]] inline void rootArray(void *Out, const void *A, size_t Count) {
  V *To = static_cast<V *>(Out), *End = To + Count / elements<V>();
  const V *Of = static_cast<const V *>(A);
  for (; To != End; ++To, ++Of) {
    V Value = Root(*Of);
    OPAQUE(Value);
    *To = Value;
  }
}

/// One chain of additions, as a sum into one register. It goes on in the next call, which would
/// overlap with this one otherwise.
template <typename V>
[[gnu::always_inline]] inline void sumArray(void *Out, const void *A, size_t Count) {
  const V *Of = static_cast<const V *>(A), *End = Of + Count / elements<V>();
  V Sum = *static_cast<V *>(Out);
  for (; Of != End; ++Of) {
    Sum = Sum + *Of;
    OPAQUE(Sum);
  }
  *static_cast<V *>(Out) = Sum;
}

/// The same with the sum in memory: each addition waits for the store before it, too.
template <typename V>
[[gnu::always_inline]] inline void sumInMemory(void *Out, const void *A, size_t Count) {
  const V *Of = static_cast<const V *>(A), *End = Of + Count / elements<V>();
  V *const Sum = static_cast<V *>(Out);
  for (; Of != End; ++Of) {
    *Sum = *Sum + *Of;
    BLOCK_END;
  }
}

/// One chain of maxima, as sumArray().
template <typename V, V (*Larger)(V, V)>
[[gnu::always_inline]] inline void largestOf(void *Out, const void *A, size_t Count) {
  const V *Of = static_cast<const V *>(A), *End = Of + Count / elements<V>();
  V Largest = *static_cast<V *>(Out);
  for (; Of != End; ++Of) {
    Largest = Larger(Largest, *Of);
    OPAQUE(Largest);
  }
  *static_cast<V *>(Out) = Largest;
}

/// Maxima that do not wait for each other: eight chains, more than the latency of a maximum with
/// its comparison over the time between two.
template <typename V, V (*Larger)(V, V)>
[[gnu::always_inline]] inline void independentMaxima(const void *A, size_t Count) {
  const V *Of = static_cast<const V *>(A), *End = Of + Count / elements<V>();
#define START(I) V S##I = Of[I];
#define MAXIMUM(I) S##I = Larger(S##I, Of[I]);
  VECTORS(START)
  for (; Of != End; Of += 8) {
    VECTORS(MAXIMUM)
    VECTORS(HIDE)
  }
#undef START
#undef MAXIMUM
}

// Shifts are by a number that the program says, as in most code.
template <typename V> [[gnu::always_inline]] inline V shifted(V Of, V) { return Of >> 5; }
template <typename V> [[gnu::always_inline]] inline V product(V One, V Other) {
  return One * Other;
}
template <typename V> [[gnu::always_inline]] inline V sum(V One, V Other) { return One + Other; }

template <typename V, V (*Operate)(V, V)>
[[gnu::always_inline]] inline void operateOnce(V &Of, V Other) {
  V Made = Operate(Of, Other);
  OPAQUE(Made);
  OPAQUE(Of);
}

/// In registers, each of the operations for each vector of \p A. None waits for another: all have
/// the same operands, of which the compiler does not know that.
template <typename V, V (*...Each)(V, V)>
[[gnu::always_inline]] inline void operate(const void *A, size_t Count) {
  V Of = *static_cast<const V *>(A), Other = Of;
  OPAQUE(Other);
  for (size_t Left = Count / elements<V>() / 8; Left; --Left) {
#define OPERATE(I) (operateOnce<V, Each>(Of, Other), ...);
    VECTORS(OPERATE)
#undef OPERATE
  }
}

template <typename V>
void callOne(void *Function, void *Out, const void *A, const void *, size_t Count) {
  const auto Call = reinterpret_cast<V (*)(V)>(Function);
  V *To = static_cast<V *>(Out), *End = To + Count / elements<V>();
  for (const V *From = static_cast<const V *>(A); To != End; ++To, ++From)
    *To = Call(*From);
}

template <typename V>
void callTwo(void *Function, void *Out, const void *A, const void *B, size_t Count) {
  const auto Call = reinterpret_cast<V (*)(V, V)>(Function);
  V *To = static_cast<V *>(Out), *End = To + Count / elements<V>();
  const V *From = static_cast<const V *>(A), *And = static_cast<const V *>(B);
  for (; To != End; ++To, ++From, ++And)
    *To = Call(*From, *And);
}

} // namespace

// Functions with names that a disassembler shows.
#define MULTIPLY_ADD_KERNEL(NAME, V)                                                               \
  extern "C" void seamscope_roof_fma_##NAME(uint64_t Steps) { multiplyAdd<V>(Steps); }
#define MULTIPLY_AND_ADD_KERNEL(NAME, V)                                                           \
  extern "C" void seamscope_roof_muladd_##NAME(uint64_t Steps) { multiplyAndAdd<V>(Steps); }
#define MEMORY_KERNELS(NAME, V)                                                                    \
  extern "C" void seamscope_roof_read_##NAME(double *A, double *, double *, size_t Count) {        \
    readArray<V>(A, Count);                                                                        \
  }                                                                                                \
  extern "C" void seamscope_roof_write_##NAME(double *A, double *, double *, size_t Count) {       \
    writeArray<V>(A, Count);                                                                       \
  }                                                                                                \
  extern "C" void seamscope_roof_copy_##NAME(double *A, double *B, double *, size_t Count) {       \
    copyArray<V>(A, B, Count);                                                                     \
  }                                                                                                \
  extern "C" void seamscope_roof_triad_##NAME(double *A, double *B, double *C, size_t Count) {     \
    triadArrays<V>(A, B, C, Count);                                                                \
  }
#define MEMORY_SET(NAME)                                                                           \
  seamscope_roof_read_##NAME, seamscope_roof_write_##NAME, seamscope_roof_copy_##NAME,             \
      seamscope_roof_triad_##NAME
#define ARRAY_KERNELS(NAME, V, ROOT)                                                               \
  extern "C" void seamscope_roof_div_##NAME(void *Out, const void *A, const void *B,               \
                                            size_t Count) {                                        \
    divideArrays<V>(Out, A, B, Count);                                                             \
  }                                                                                                \
  extern "C" void seamscope_roof_sqrt_##NAME(void *Out, const void *A, const void *,               \
                                             size_t Count) {                                       \
    rootArray<V, ROOT>(Out, A, Count);                                                             \
  }                                                                                                \
  extern "C" void seamscope_roof_sum_##NAME(void *Out, const void *A, const void *,                \
                                            size_t Count) {                                        \
    sumArray<V>(Out, A, Count);                                                                    \
  }                                                                                                \
  extern "C" void seamscope_roof_storedsum_##NAME(void *Out, const void *A, const void *,          \
                                                  size_t Count) {                                  \
    sumInMemory<V>(Out, A, Count);                                                                 \
  }
#define MAXIMUM_KERNELS(NAME, V, LARGER)                                                           \
  extern "C" void seamscope_roof_max_##NAME(void *Out, const void *A, const void *,                \
                                            size_t Count) {                                        \
    largestOf<V, LARGER>(Out, A, Count);                                                           \
  }                                                                                                \
  extern "C" void seamscope_roof_independentmax_##NAME(void *, const void *A, const void *,        \
                                                       size_t Count) {                             \
    independentMaxima<V, LARGER>(A, Count);                                                        \
  }

#define INTEGER_KERNEL(OPERATION, TYPE, T, BITS, ...)                                              \
  extern "C" void seamscope_roof_##OPERATION##_##TYPE##_##BITS(void *, const void *A,              \
                                                               const void *, size_t Count) {       \
    operate<Integers<T, BITS>, __VA_ARGS__>(A, Count);                                             \
  }
#define SHIFT_AND_MUL_KERNELS(TYPE, T, BITS)                                                       \
  INTEGER_KERNEL(shift, TYPE, T, BITS, shifted)                                                    \
  INTEGER_KERNEL(mul, TYPE, T, BITS, product)
#define INTEGER_KERNELS(BITS)                                                                      \
  SHIFT_AND_MUL_KERNELS(i8, uint8_t, BITS)                                                         \
  SHIFT_AND_MUL_KERNELS(i16, uint16_t, BITS)                                                       \
  SHIFT_AND_MUL_KERNELS(i32, uint32_t, BITS)                                                       \
  SHIFT_AND_MUL_KERNELS(i64, uint64_t, BITS)                                                       \
  INTEGER_KERNEL(add, i32, uint32_t, BITS, sum)                                                    \
  INTEGER_KERNEL(mulshift, i32, uint32_t, BITS, product, shifted)                                  \
  INTEGER_KERNEL(muladds, i32, uint32_t, BITS, product, sum, sum, sum, sum)
#define SHIFT_AND_MUL_SET(TYPE, BITS)                                                              \
  {"shift", #TYPE, BITS, seamscope_roof_shift_##TYPE##_##BITS}, {                                  \
    "mul", #TYPE, BITS, seamscope_roof_mul_##TYPE##_##BITS                                         \
  }
#define INTEGER_SET(BITS)                                                                          \
  SHIFT_AND_MUL_SET(i8, BITS), SHIFT_AND_MUL_SET(i16, BITS), SHIFT_AND_MUL_SET(i32, BITS),         \
      SHIFT_AND_MUL_SET(i64, BITS), {"add", "i32", BITS, seamscope_roof_add_i32_##BITS},           \
      {"mul_shift", "i32", BITS, seamscope_roof_mulshift_i32_##BITS}, {                            \
    "mul_4_add", "i32", BITS, seamscope_roof_muladds_i32_##BITS                                    \
  }

#define COUNT_OF(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

#endif // SEAMSCOPE_TOOLS_MACHINE_KERNELBODY_H
