//===- Work.cpp - FLOPs and bytes of an operator --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Work.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace seamscope::mlir_passes {
namespace {

/// The number of values that are followed to find a size.
constexpr unsigned MostSteps = 64;

Amount dimension(Value Shaped, unsigned Index, unsigned Steps);

/// The value of \p Number, which has type index.
Amount valueOf(Value Number, unsigned Steps) {
  if (!Steps)
    return {};
  if (const auto Constant = getConstantIntValue(Number))
    return *Constant;
  Operation *Op = Number.getDefiningOp();
  if (!Op)
    return {};
  const auto Dimension = [&](Value Source, std::optional<int64_t> At) {
    return At && *At >= 0 ? dimension(Source, static_cast<unsigned>(*At), Steps - 1) : Amount();
  };
  if (auto Dim = dyn_cast<tensor::DimOp>(Op))
    return Dimension(Dim.getSource(), Dim.getConstantIndex());
  if (auto Dim = dyn_cast<memref::DimOp>(Op))
    return Dimension(Dim.getSource(), Dim.getConstantIndex());
  if (auto Add = dyn_cast<arith::AddIOp>(Op))
    return valueOf(Add.getLhs(), Steps / 2) + valueOf(Add.getRhs(), Steps / 2);
  if (auto Multiply = dyn_cast<arith::MulIOp>(Op))
    return valueOf(Multiply.getLhs(), Steps / 2) * valueOf(Multiply.getRhs(), Steps / 2);
  return {};
}

Amount dimension(Value Shaped, unsigned Index, unsigned Steps) {
  const auto Type = dyn_cast<ShapedType>(Shaped.getType());
  if (!Steps || !Type || !Type.hasRank() || Index >= Type.getRank())
    return {};
  if (!Type.isDynamicDim(Index))
    return Type.getDimSize(Index);
  if (auto Argument = dyn_cast<BlockArgument>(Shaped)) {
    auto Function = dyn_cast_or_null<FunctionOpInterface>(Argument.getOwner()->getParentOp());
    if (!Function || !Argument.getOwner()->isEntryBlock())
      return {};
    return Amount::symbol("arg" + std::to_string(Argument.getArgNumber()) + "." +
                          std::to_string(Index));
  }
  auto Result = cast<OpResult>(Shaped);
  Operation *Op = Result.getOwner();
  const auto OfOperand = [&](OperandRange Dynamic) -> Amount {
    const unsigned Number = Type.getDynamicDimIndex(Index);
    return Number < Dynamic.size() ? valueOf(Dynamic[Number], Steps - 1) : Amount();
  };
  if (auto Empty = dyn_cast<tensor::EmptyOp>(Op))
    return OfOperand(Empty.getDynamicSizes());
  if (auto Alloc = dyn_cast<memref::AllocOp>(Op))
    return OfOperand(Alloc.getDynamicSizes());
  if (auto Alloc = dyn_cast<memref::AllocaOp>(Op))
    return OfOperand(Alloc.getDynamicSizes());
  if (auto Cast = dyn_cast<tensor::CastOp>(Op))
    return dimension(Cast.getSource(), Index, Steps - 1);
  if (auto Cast = dyn_cast<memref::CastOp>(Op))
    return dimension(Cast.getSource(), Index, Steps - 1);
  if (auto Slice = dyn_cast<tensor::ExtractSliceOp>(Op)) {
    // Dimensions of size 1 may have been dropped.
    const auto Dropped = Slice.getDroppedDims();
    unsigned Kept = 0;
    for (const auto &[At, Size] : llvm::enumerate(Slice.getMixedSizes()))
      if (!Dropped.test(At) && Kept++ == Index) {
        if (const auto Constant = getConstantIntValue(Size))
          return *Constant;
        return valueOf(cast<Value>(Size), Steps - 1);
      }
    return {};
  }
  if (auto Styled = dyn_cast<DestinationStyleOpInterface>(Op))
    // With buffers among the outputs, results and outputs are numbered differently.
    if (OpOperand *Init = Styled.getTiedOpOperand(Result); Init && Init->get().getType() == Type)
      return dimension(Init->get(), Index, Steps - 1);
  return {};
}

/// The count of numbers in a value of type \p Ty: 0 if it does not hold numbers, like an index.
int64_t numbersIn(Type Ty) {
  if (auto Vector = dyn_cast<VectorType>(Ty))
    return Vector.isScalable() ? 0 : Vector.getNumElements() * numbersIn(Vector.getElementType());
  return Ty.isIntOrFloat() ? 1 : 0;
}

} // namespace

Amount sizeOf(Value Shaped, unsigned Index) { return dimension(Shaped, Index, MostSteps); }

int64_t flopsOf(Operation &Op) {
  if (!Op.getNumResults() || !Op.getNumOperands())
    return 0;
  // Comparisons return truth values, so their operands count.
  const int64_t Numbers =
      numbersIn(isa<arith::CmpFOp, arith::CmpIOp>(Op) ? Op.getOperand(0).getType()
                                                      : Op.getResult(0).getType());
  if (isa<math::FmaOp>(Op))
    return 2 * Numbers;
  if (isa<arith::ConstantOp, CastOpInterface, arith::BitcastOp>(Op))
    return 0;
  const auto *Dialect = Op.getDialect();
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(Dialect) ? Numbers : 0;
}

Amount executionsOf(Operation &Op) {
  Amount Times(1);
  for (Operation *Around = Op.getParentOp(); Around && !isa<FunctionOpInterface>(Around);
       Around = Around->getParentOp()) {
    if (auto Affine = dyn_cast<affine::AffineForOp>(Around); Affine && Affine.hasConstantBounds()) {
      const int64_t Span = Affine.getConstantUpperBound() - Affine.getConstantLowerBound();
      Times = Times * (Span > 0 ? llvm::divideCeil(Span, Affine.getStepAsInt()) : 0);
      continue;
    }
    auto Loop = dyn_cast<LoopLikeOpInterface>(Around);
    const auto Trips = Loop ? Loop.getStaticTripCount() : std::nullopt;
    if (!Trips || !Trips->isSignedIntN(63))
      return {};
    Times = Times * Trips->getSExtValue();
  }
  return Times;
}

Domain::Domain(linalg::LinalgOp Op) : Sizes(Op.getNumLoops()) {
  for (Attribute Map : Op.getIndexingMaps())
    Maps.push_back(cast<AffineMapAttr>(Map).getValue());
  // A loop has the size of an operand dimension that it alone indexes.
  for (OpOperand &Operand : Op->getOpOperands())
    for (const auto &[At, Expression] :
         llvm::enumerate(Maps[Operand.getOperandNumber()].getResults())) {
      const auto Loop = dyn_cast<AffineDimExpr>(Expression);
      if (!Loop)
        continue;
      Amount &Size = Sizes[Loop.getPosition()];
      if (Size.constant())
        continue;
      // Both sizes must be equal at run time, so prefer a constant to a symbol.
      Amount Here = sizeOf(Operand.get(), static_cast<unsigned>(At));
      if (!Size.known() || Here.constant())
        Size = std::move(Here);
    }
}

Amount Domain::points() const {
  Amount Points(1);
  for (const Amount &Size : Sizes)
    Points = Points * Size;
  return Points;
}

Amount flopsOf(linalg::LinalgOp Op) { return flopsOf(Op, Domain(Op)); }

Amount flopsOf(linalg::LinalgOp Op, const Domain &Points) {
  int64_t Each = 0;
  bool Known = true;
  Op.getBlock()->walk([&](Operation *Inner) {
    // How often branches and loops in a body run depends on the data.
    if (Inner->getNumRegions() && Inner != Op.getOperation())
      Known = false;
    // The number of real operations in a complex one depends on the target.
    if (isa_and_nonnull<complex::ComplexDialect>(Inner->getDialect()))
      Known = false;
    Each += flopsOf(*Inner);
  });
  if (!Known)
    return {};
  if (!Each)
    return 0;
  return Amount(Each) * Points.points();
}

std::optional<int64_t> elementBytes(Type Element) {
  if (Element.isIndex())
    return 8;
  if (Element.isIntOrFloat())
    return (Element.getIntOrFloatBitWidth() + 7) / 8;
  if (auto Complex = dyn_cast<ComplexType>(Element)) {
    if (const auto Part = elementBytes(Complex.getElementType()))
      return 2 * *Part;
  } else if (auto Vector = dyn_cast<VectorType>(Element); Vector && !Vector.isScalable()) {
    if (const auto One = elementBytes(Vector.getElementType()))
      return *One * Vector.getNumElements();
  }
  return std::nullopt;
}

Amount bytesOf(const Domain &Points, OpOperand &Operand) {
  const auto Type = dyn_cast<ShapedType>(Operand.get().getType());
  const auto Element = elementBytes(Type ? Type.getElementType() : Operand.get().getType());
  if (!Element)
    return {};
  Amount Bytes(*Element);
  if (!Type)
    return Bytes;
  if (!Type.hasRank())
    return {};
  const AffineMap Map = Points.Maps[Operand.getOperandNumber()];
  if (Map.isProjectedPermutation()) {
    for (AffineExpr Result : Map.getResults())
      Bytes = Bytes * Points.Sizes[cast<AffineDimExpr>(Result).getPosition()];
    return Bytes;
  }
  for (unsigned I = 0; I < Type.getRank(); ++I)
    Bytes = Bytes * sizeOf(Operand.get(), I);
  return Bytes;
}

} // namespace seamscope::mlir_passes
