//===- Convolution.cpp - the work of convolutions ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/Formulas.h"

namespace seamscope::tools::formulas {
namespace {

/// 2 operations per element of the kernel at each place of the result or, if transposed, of the
/// input. The weight's dimensions are (out, in / groups, kernel...) or, if transposed, (in, out /
/// groups, kernel...): their product accounts for groups.
Count operations(int64_t Batch, std::span<const int64_t> Places, std::span<const int64_t> Weight) {
  return Count(2) * Batch * elementsOf(Places) * elementsOf(Weight);
}

struct Operands {
  TensorRef X, Weight;
};

std::optional<Operands> operands(OpCall &C, size_t X, size_t Weight) {
  std::optional<TensorRef> Input = C.need(X);
  std::optional<TensorRef> W = Input ? C.need(Weight) : std::nullopt;
  if (!W)
    return std::nullopt;
  if (Input->Dims.size() < 3 || W->Dims.size() != Input->Dims.size()) {
    C.fail(WorkUnknown::Inconsistent);
    return std::nullopt;
  }
  return Operands{*Input, *W};
}

/// One number per spatial dimension; a single number applies to all.
struct PerDimension {
  std::vector<int64_t> Values;
  int64_t operator[](size_t I) const { return Values[Values.size() == 1 ? 0 : I]; }
};

std::optional<PerDimension> perDimension(OpCall &C, size_t Index, size_t Spatial) {
  std::optional<std::vector<int64_t>> Values = C.Args.integers(Index);
  if (!Values) {
    C.fail(WorkUnknown::Argument);
    return std::nullopt;
  }
  if (Values->size() != 1 && Values->size() != Spatial) {
    C.fail(WorkUnknown::Inconsistent);
    return std::nullopt;
  }
  return PerDimension{std::move(*Values)};
}

/// The sizes of the result; None if a convolution cannot have such arguments.
std::optional<Dims> resultOf(OpCall &C, const Operands &O, size_t Stride, size_t Padding,
                             size_t Dilation) {
  size_t Spatial = O.X.Dims.size() - 2;
  std::optional<PerDimension> S = perDimension(C, Stride, Spatial),
                              P = perDimension(C, Padding, Spatial),
                              D = Dilation ? perDimension(C, Dilation, Spatial) : PerDimension{{1}};
  if (!S || !P || !D)
    return std::nullopt;
  Dims Result;
  Result.push(O.X.Dims[0]);
  Result.push(O.Weight.Dims[0]);
  for (size_t I = 0; I < Spatial; ++I) {
    int64_t Step = (*S)[I];
    std::optional<int64_t> Room =
        (Count(O.X.Dims[I + 2]) + Count(2) * (*P)[I] +
         Count(-1) * (*D)[I] * (Count(O.Weight.Dims[I + 2]) + Count(-1)) + Count(-1))
            .value();
    if (!Room || Step <= 0 || (*P)[I] < 0 || (*D)[I] <= 0 || *Room < 0) {
      C.fail(WorkUnknown::Inconsistent);
      return std::nullopt;
    }
    Result.push(*Room / Step + 1);
  }
  return Result;
}

/// The sizes of a transposed convolution's result. \p Groups is an argument's index.
std::optional<Dims> transposedResultOf(OpCall &C, const Operands &O, size_t Stride, size_t Padding,
                                       size_t Dilation, size_t OutputPadding, size_t Groups) {
  size_t Spatial = O.X.Dims.size() - 2;
  std::optional<PerDimension> S = perDimension(C, Stride, Spatial),
                              P = perDimension(C, Padding, Spatial),
                              D = perDimension(C, Dilation, Spatial),
                              Extra = perDimension(C, OutputPadding, Spatial);
  std::optional<int64_t> G = C.Args.integer(Groups);
  if (!S || !P || !D || !Extra || !G) {
    C.noBytes(WorkUnknown::Argument);
    return std::nullopt;
  }
  Dims Result;
  Result.push(O.X.Dims[0]);
  std::optional<int64_t> Channels = (Count(O.Weight.Dims[1]) * *G).value();
  bool Good = Channels && *G > 0;
  Result.push(Channels.value_or(0));
  for (size_t I = 0; I < Spatial; ++I) {
    std::optional<int64_t> Size =
        (Count(O.X.Dims[I + 2] - 1) * (*S)[I] + Count(-2) * (*P)[I] +
         Count((*D)[I]) * Count(O.Weight.Dims[I + 2] - 1) + Count((*Extra)[I]) + Count(1))
            .value();
    Good &= Size && *Size >= 0;
    Result.push(Size.value_or(0));
  }
  if (!Good) {
    C.fail(WorkUnknown::Inconsistent);
    return std::nullopt;
  }
  return Result;
}

void moveAll(OpCall &C, const Operands &O, const std::optional<Dims> &Result, size_t Inputs) {
  for (size_t I = 0; I < Inputs; ++I)
    C.readIfTensor(I);
  if (Result)
    C.move(Result->elements(), O.X.Type);
}

/// A convolution that is not transposed and whose tensors come before the three lists.
void plain(OpCall &C, size_t Stride, size_t Padding, size_t Dilation) {
  std::optional<Operands> O = operands(C, 0, 1);
  if (!O)
    return;
  C.compute(O->X.Type);
  std::optional<Dims> Result = resultOf(C, *O, Stride, Padding, Dilation);
  if (Result)
    C.flop(operations(O->X.Dims[0], std::span<const int64_t>(*Result).subspan(2), O->Weight.Dims));
  moveAll(C, *O, Result, std::min(Stride, Padding));
}

void transposedConvolution(OpCall &C, size_t Stride, size_t Padding, size_t Dilation,
                           size_t OutputPadding, size_t Groups) {
  std::optional<Operands> O = operands(C, 0, 1);
  if (!O)
    return;
  C.compute(O->X.Type);
  C.flop(operations(O->X.Dims[0], O->X.Dims.subspan(2), O->Weight.Dims));
  moveAll(C, *O, transposedResultOf(C, *O, Stride, Padding, Dilation, OutputPadding, Groups),
          std::min(Stride, Padding));
}

/// The gradients that the masks ask for.
void backward(OpCall &C, const TensorRef &Grad, const Operands &O, bool Transposed, bool MaskInput,
              bool MaskWeight, bool MaskBias) {
  if (Grad.Dims.size() != O.X.Dims.size())
    return C.fail(WorkUnknown::Inconsistent);
  C.compute(O.X.Type);
  const TensorRef &Places = Transposed ? O.X : Grad;
  std::span<const int64_t> Kernel = O.Weight.Dims.subspan(2);
  if (MaskInput)
    C.flop(operations(Grad.Dims[0], Places.Dims.subspan(2), O.Weight.Dims));
  // torch counts each channel of the input with each one of the result, whatever the groups.
  if (MaskWeight)
    C.flop(Count(2) * O.X.Dims[0] * elementsOf(Places.Dims.subspan(2)) * O.X.Dims[1] *
           Grad.Dims[1] * elementsOf(Kernel));
  C.read(Grad);
  if (MaskWeight)
    C.read(O.X);
  if (MaskInput)
    C.read(O.Weight);
  if (MaskInput)
    C.move(elementsOf(O.X.Dims), O.X.Type);
  if (MaskWeight)
    C.move(elementsOf(O.Weight.Dims), O.Weight.Type);
  if (MaskBias)
    C.move(Grad.Dims[1], O.Weight.Type);
}

} // namespace

void convolution(OpCall &C) {
  std::optional<bool> Transposed = C.Args.boolean(6);
  if (!Transposed)
    return C.fail(C.Args.known() ? WorkUnknown::Argument : WorkUnknown::Shapes);
  if (*Transposed)
    transposedConvolution(C, 3, 4, 5, 7, 8);
  else
    plain(C, 3, 4, 5);
}

void backendConvolution(OpCall &C) {
  // Old versions of cudnn_convolution and the other backends have a bias as third argument.
  size_t Padding = C.Rule.Operands;
  if (Padding == 2 && !C.Args.integers(2))
    Padding = 3;
  plain(C, Padding + 1, Padding, Padding + 2);
}

void backendTransposed(OpCall &C) { transposedConvolution(C, 4, 2, 5, 3, 6); }

void fusedConvolution(OpCall &C) {
  size_t Stride = C.Rule.Operands;
  plain(C, Stride, Stride + 1, Stride + 2);
}

void kernelConvolution(OpCall &C) { plain(C, 4, 5, C.Rule.Operands); }

void convolutionBackward(OpCall &C) {
  std::optional<TensorRef> Grad = C.need(0);
  std::optional<Operands> O = Grad ? operands(C, 1, 2) : std::nullopt;
  if (!O)
    return;
  std::optional<bool> Transposed = C.Args.boolean(7);
  std::optional<std::vector<int64_t>> Mask = C.Args.integers(10);
  if (!Transposed || !Mask || Mask->size() != 3)
    return C.fail(WorkUnknown::Argument);
  backward(C, *Grad, *O, *Transposed, (*Mask)[0], (*Mask)[1], (*Mask)[2]);
}

void backendBackward(OpCall &C) {
  std::optional<TensorRef> Grad = C.need(1);
  std::optional<Operands> O = Grad ? operands(C, 0, 2) : std::nullopt;
  if (!O)
    return;
  std::optional<std::vector<int64_t>> Mask = C.Args.integers(C.Args.size() - 1);
  if (!Mask || Mask->size() < 2 || Mask->size() > 3)
    return C.fail(WorkUnknown::Argument);
  backward(C, *Grad, *O, false, (*Mask)[0], (*Mask)[1], Mask->size() == 3 && (*Mask)[2]);
}

} // namespace seamscope::tools::formulas
