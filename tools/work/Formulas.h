//===- Formulas.h - the shapes' rules behind the registry -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Argument numbers are those of the operators' schemas. Where a call has more tensors than its
// schema, the last are the results it writes (`out=`).
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_WORK_FORMULAS_H
#define SEAMSCOPE_TOOLS_WORK_FORMULAS_H

#include "work/OpCall.h"

namespace seamscope::tools::formulas {

// Nothing.cpp
void nothing(OpCall &C); ///< no work, whatever the arguments

// MatMul.cpp. Operands: where the factors begin; a tensor before them is added to the product.
void mm(OpCall &C);
void bmm(OpCall &C);
void addbmm(OpCall &C);
void mv(OpCall &C);
void dot(OpCall &C);
void addr(OpCall &C);
void matmul(OpCall &C);
void linear(OpCall &C); ///< Operands: where the weight is
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
void convolutionBackward(OpCall &C); ///< of convolution
void backendBackward(OpCall &C);     ///< (x, grad, weight, ..., output_mask)

// Attention.cpp. Operands: where query, key, value begin; a gradient stands before them.
void attention(OpCall &C); ///< (batch, heads, sequence, size)
void attentionBackward(OpCall &C);
void sequenceAttention(OpCall &C); ///< (batch, sequence, heads, size), or packed sequences
void sequenceAttentionBackward(OpCall &C);

// Pointwise.cpp. Operands: how many of the first arguments are operands.
void pointwise(OpCall &C);
void scaledSum(OpCall &C); ///< add, sub: with a factor as third argument
void clampOp(OpCall &C);
void glu(OpCall &C);

// Reduction.cpp. Operands: which argument has the dimensions.
void reduction(OpCall &C);
void scan(OpCall &C);
void sortOp(OpCall &C);
void topk(OpCall &C);
void softmax(OpCall &C);

// Normalization.cpp
void layerNorm(OpCall &C); ///< Operands: the statistics per row: 2, or 1 without the mean
void groupNorm(OpCall &C);
void batchNorm(OpCall &C);    ///< Operands: which argument is `training`; 0 always, 255 never
void normBackward(OpCall &C); ///< Operands: which argument is the weight; PerElement: the mask
void rmsNormBackward(OpCall &C);
void batchNormBackward(OpCall &C); ///< Operands: which argument is `train`; 0: a library's own

// Movement.cpp
void fill(OpCall &C);    ///< PerElement: whether the numbers are random
void copyTo(OpCall &C);  ///< copy_(self, src)
void cloneOp(OpCall &C); ///< Operands: which argument is the result's type; 0 the input's
void repeat(OpCall &C);
void cat(OpCall &C);
void readScalar(OpCall &C);

// Indexing.cpp
void embedding(OpCall &C);
void embeddingBackward(OpCall &C);
void indexSelect(OpCall &C);
void gather(OpCall &C);
void scatter(OpCall &C); ///< PerElement: operations for each element that is stored
void indexStore(OpCall &C);
void data(OpCall &C);          ///< the contents of a tensor decide
void hiddenIndices(OpCall &C); ///< the indices' shapes are not recorded

// Pooling.cpp
void pool(OpCall &C); ///< Operands: which argument is ceil_mode
void poolBackward(OpCall &C);
void adaptivePool(OpCall &C);
void adaptivePoolBackward(OpCall &C);
void upsample(OpCall &C);

// Loss.cpp
void nll(OpCall &C);
void nllBackward(OpCall &C);
void elementLoss(OpCall &C); ///< Operands: which argument is the reduction
void nativeDropout(OpCall &C);

// Optimizer.cpp
void fusedAdam(OpCall &C);
void fusedSgd(OpCall &C);
void fusedAdagrad(OpCall &C);
void unscale(OpCall &C);

/// Writes a result of \p Dims and \p Type, in place of which an `out` argument after \p Inputs
/// arguments may stand.
void write(OpCall &C, Count Elements, DType Type, size_t Inputs);

} // namespace seamscope::tools::formulas
#endif // SEAMSCOPE_TOOLS_WORK_FORMULAS_H
