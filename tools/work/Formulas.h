//===- Formulas.h - formulas for the work of operators --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Argument indices refer to the operators' schemas. If a call has more tensors than its schema, the
// last ones are the results that it writes (`out=`).
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_WORK_FORMULAS_H
#define SEAMSCOPE_TOOLS_WORK_FORMULAS_H

#include "work/OpCall.h"

namespace seamscope::tools::formulas {

// Nothing.cpp
void nothing(OpCall &C); ///< no work, whatever the arguments

// MatMul.cpp. Operands: the index of the first factor; a tensor before it is added to the product.
void mm(OpCall &C);
void bmm(OpCall &C);
void addbmm(OpCall &C);
void mv(OpCall &C);
void dot(OpCall &C);
void addr(OpCall &C);
void matmul(OpCall &C);
void linear(OpCall &C); ///< Operands: the index of the weight
void scaledMm(OpCall &C);
void groupedMm(OpCall &C);

// Convolution.cpp
void convolution(OpCall &C); ///< (x, weight, bias?, stride, padding, dilation, transposed, ...)
void backendConvolution(
    OpCall &C);                    ///< (x, weight, [bias?,] padding, stride, dilation, groups, ...)
void backendTransposed(OpCall &C); ///< (x, weight, padding, output_padding, stride, dilation, ...)
void fusedConvolution(
    OpCall &C); ///< (x, weight, [z, alpha,] bias?, stride, padding, dilation, ...)
void kernelConvolution(OpCall &C); ///< (x, weight, kernel_size, bias?, stride, padding[, dilation])
void convolutionBackward(OpCall &C); ///< the gradient of convolution
void backendBackward(OpCall &C);     ///< (x, grad, weight, ..., output_mask)

// Attention.cpp. Operands: the index of query, before key and value; a gradient comes before it.
void attention(OpCall &C); ///< (batch, heads, sequence, size)
void attentionBackward(OpCall &C);
void sequenceAttention(OpCall &C); ///< (batch, sequence, heads, size), or packed sequences
void sequenceAttentionBackward(OpCall &C);

// Pointwise.cpp. Operands: the number of operands, which are the first arguments.
void pointwise(OpCall &C);
void scaledSum(OpCall &C); ///< add, sub: the third argument is a factor
void clampOp(OpCall &C);
void glu(OpCall &C);

// Reduction.cpp. Operands: the index of the dimensions.
void reduction(OpCall &C);
void scan(OpCall &C);
void sortOp(OpCall &C);
void topk(OpCall &C);
void softmax(OpCall &C);

// Normalization.cpp
void layerNorm(OpCall &C); ///< Operands: statistics per row: 2, or 1 without the mean
void groupNorm(OpCall &C);
void batchNorm(OpCall &C); ///< Operands: the index of `training`; 0: always true, 255: always false
void normBackward(OpCall &C); ///< Operands: the index of the weight; PerElement: of the mask
void rmsNormBackward(OpCall &C);
void batchNormBackward(OpCall &C); ///< Operands: the index of `train`; 0: a library's operator

// Movement.cpp
void fill(OpCall &C);    ///< PerElement: whether the numbers are random
void copyTo(OpCall &C);  ///< copy_(self, src)
void cloneOp(OpCall &C); ///< Operands: the index of the result's type; 0: the input's type
void repeat(OpCall &C);
void cat(OpCall &C);
void readScalar(OpCall &C);

// Indexing.cpp
void embedding(OpCall &C);
void embeddingBackward(OpCall &C);
void indexSelect(OpCall &C);
void gather(OpCall &C);
void scatter(OpCall &C); ///< PerElement: operations per stored element
void indexStore(OpCall &C);
void data(OpCall &C);          ///< the work depends on the contents of a tensor
void hiddenIndices(OpCall &C); ///< the indices' shapes are not recorded

// Pooling.cpp
void pool(OpCall &C); ///< Operands: the index of ceil_mode
void poolBackward(OpCall &C);
void adaptivePool(OpCall &C);
void adaptivePoolBackward(OpCall &C);
void upsample(OpCall &C);

// Loss.cpp
void nll(OpCall &C);
void nllBackward(OpCall &C);
void elementLoss(OpCall &C); ///< Operands: the index of the reduction
void nativeDropout(OpCall &C);

// Optimizer.cpp
void fusedAdam(OpCall &C);
void fusedSgd(OpCall &C);
void fusedAdagrad(OpCall &C);
void unscale(OpCall &C);

/// Counts the write of a result of \p Elements of \p Type, or of an `out` argument after the first
/// \p Inputs arguments.
void write(OpCall &C, Count Elements, DType Type, size_t Inputs);

} // namespace seamscope::tools::formulas
#endif // SEAMSCOPE_TOOLS_WORK_FORMULAS_H
