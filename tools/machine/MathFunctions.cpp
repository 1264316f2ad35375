//===- MathFunctions.cpp - loops that call functions of libm --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "machine/MathFunctions.h"

#include <math.h>

namespace seamscope::tools {
namespace {

template <typename T, T (*Function)(T)>
void callEach(void *Out, const void *A, const void *, size_t Count) {
  for (size_t I = 0; I < Count; ++I)
    static_cast<T *>(Out)[I] = Function(static_cast<const T *>(A)[I]);
}

void callPowf(void *Out, const void *A, const void *B, size_t Count) {
  for (size_t I = 0; I < Count; ++I)
    static_cast<float *>(Out)[I] =
        powf(static_cast<const float *>(A)[I], static_cast<const float *>(B)[I]);
}

constexpr MathFunction Functions[] = {
    {"expf", "f32", -8, 8, callEach<float, expf>},
    {"exp", "f64", -8, 8, callEach<double, exp>},
    {"logf", "f32", 0.01, 100, callEach<float, logf>},
    {"log", "f64", 0.01, 100, callEach<double, log>},
    {"tanhf", "f32", -4, 4, callEach<float, tanhf>},
    {"erff", "f32", -4, 4, callEach<float, erff>},
    {"sinf", "f32", -8, 8, callEach<float, sinf>},
    {"powf", "f32", 0.01, 4, callPowf},
};

} // namespace

std::span<const MathFunction> mathFunctions() { return Functions; }

} // namespace seamscope::tools
