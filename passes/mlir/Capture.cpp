//===- Capture.cpp - identities that operators keep through fusion --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "Work.h"
#include "seamscope/mlir/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace seamscope::mlir_passes {

#define GEN_PASS_DEF_CAPTUREPASS
#include "seamscope/mlir/Passes.h.inc"

namespace {

/// Operators of a body that are named; more say no more.
constexpr size_t MostNamed = 6;
/// Views of views that are followed.
constexpr unsigned MostViews = 64;

bool isNumeric(Type Of) {
  if (auto Shaped = dyn_cast<ShapedType>(Of))
    return isNumeric(Shaped.getElementType());
  return Of.isIntOrFloat() || isa<ComplexType>(Of);
}

/// Gives a value other shape or place, not other contents.
bool isView(Operation &Op) {
  return isa<tensor::CastOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ReshapeOp, ViewLikeOpInterface, CastOpInterface>(Op);
}

/// Whether \p Op computes, or moves data as a whole, as operators of a front end do.
bool computes(Operation &Op) {
  if (isa<linalg::LinalgOp>(Op))
    return true;
  if (!Op.getNumResults() || Op.hasTrait<OpTrait::IsTerminator>() ||
      Op.hasTrait<OpTrait::ConstantLike>() || Op.hasTrait<OpTrait::SymbolTable>())
    return false;
  if (isa<CallOpInterface, LoopLikeOpInterface, RegionBranchOpInterface, FunctionOpInterface,
          tensor::EmptyOp, tensor::DimOp, tensor::ExtractOp, tensor::InsertOp,
          tensor::InsertSliceOp>(Op) ||
      isView(Op))
    return false;
  // Constants of front ends have no trait where their dialect is not known here.
  if (!Op.getNumOperands() && !Op.getNumRegions())
    return false;
  // What allocates, loads and stores only serves what computes.
  if (auto Effects = dyn_cast<MemoryEffectOpInterface>(Op); Effects && !Effects.hasNoEffect())
    return false;
  return llvm::any_of(Op.getResultTypes(), isNumeric);
}

class Capturer {
public:
  explicit Capturer(ModuleOp Module) : Module(Module), Table(OpTable::read(Module)) {}

  /// Returns the number of operators in the table.
  size_t run() {
    Module->walk<WalkOrder::PreOrder>([&](Operation *Op) {
      if (auto Function = dyn_cast<FunctionOpInterface>(Op)) {
        Name = Function.getName().str();
        return WalkResult::advance();
      }
      if (Op == Module.getOperation() || !computes(*Op))
        return WalkResult::advance();
      capture(*Op);
      // A body was dealt with, if there was one of scalar code.
      return isa<linalg::LinalgOp>(Op) ? WalkResult::skip() : WalkResult::advance();
    });
    for (Operation *Op : New)
      addTransfers(*Op);
    if (!Table.Ops.empty())
      Table.write(Module);
    return Table.Ops.size();
  }

private:
  void capture(Operation &Op) {
    if (const auto Known = idOf(Op.getLoc()); Known && *Known < Table.Ops.size()) {
      Ids[&Op] = *Known;
      return;
    }
    CapturedOp Entry = describe(Op);
    auto Structured = dyn_cast<linalg::LinalgOp>(Op);
    SmallVector<std::pair<Operation *, unsigned>> Parts;
    if (Structured)
      Parts = captureParts(Structured, Entry.Name);
    const auto Id = static_cast<unsigned>(Table.Ops.size());
    for (const auto &[Inner, Part] : Parts)
      Table.Ops[Part].PartOf = Id;
    Op.setLoc(withId(Op.getLoc(), Id));
    Ids[&Op] = Id;
    New.push_back(&Op);
    const Amount Times = executionsOf(Op);
    Entry.Flops = Entry.Flops * Times;
    if (Structured) {
      for (Region &Body : Op.getRegions())
        for (Block &Scalars : Body) {
          Scalars.walk([&](Operation *Inner) {
            if (!idOf(Inner->getLoc()))
              Inner->setLoc(isa<UnknownLoc>(Inner->getLoc()) ? Op.getLoc()
                                                             : withId(Inner->getLoc(), Id));
          });
        }
      Entry.Flops = flopsOf(Structured) * Times;
      // The parts have theirs.
      for (const auto &[Inner, Part] : Parts)
        Entry.Flops = Entry.Flops + Amount(-1) * share(Structured, *Inner);
    }
    Table.Ops.push_back(std::move(Entry));
  }

  /// Operators in the body that have a name other than \p Whole.
  SmallVector<std::pair<Operation *, unsigned>> captureParts(linalg::LinalgOp Op, StringRef Whole) {
    SmallVector<std::pair<Operation *, unsigned>> Parts;
    std::map<std::string, unsigned> ByName;
    for (Operation &Inner : Op.getBlock()->without_terminator()) {
      const std::string Own = nameOf(Inner.getLoc());
      if (Own.empty() || Own == Whole || Inner.hasTrait<OpTrait::ConstantLike>() ||
          idOf(Inner.getLoc()))
        continue;
      const auto [At, IsNew] = ByName.try_emplace(Own, Table.Ops.size());
      if (IsNew) {
        CapturedOp Entry;
        Entry.Op = Op->getName().getStringRef().str();
        Entry.Name = Own;
        Entry.Function = Name;
        Entry.At = placeOf(Inner.getLoc());
        Entry.Result = typesOf(*Op);
        Entry.Flops = 0;
        Table.Ops.push_back(std::move(Entry));
      }
      CapturedOp &Entry = Table.Ops[At->second];
      Entry.Flops = Entry.Flops + share(Op, Inner);
      Inner.setLoc(withId(Inner.getLoc(), At->second));
      Parts.emplace_back(&Inner, At->second);
    }
    return Parts;
  }

  /// Of all FLOPs of \p Op those of \p Inner.
  static Amount share(linalg::LinalgOp Op, Operation &Inner) {
    const int64_t Each = flopsOf(Inner);
    return Each ? Amount(Each) * pointsOf(Op) * executionsOf(*Op) : Amount(0);
  }

  static std::string typesOf(Operation &Op) {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    if (Op.getNumResults()) {
      llvm::interleaveComma(Op.getResultTypes(), OS);
    } else if (auto Styled = dyn_cast<DestinationStyleOpInterface>(Op)) {
      llvm::interleaveComma(Styled.getDpsInits().getTypes(), OS);
    }
    return boundedText(Text);
  }

  CapturedOp describe(Operation &Op) const {
    CapturedOp Entry;
    Entry.Op = boundedText(Op.getName().getStringRef());
    Entry.Name = nameOf(Op.getLoc());
    if (Entry.Name.empty())
      Entry.Name = shownName(Op);
    Entry.Function = Name;
    Entry.At = placeOf(Op.getLoc());
    Entry.Result = typesOf(Op);
    if (auto Softmax = dyn_cast<linalg::SoftmaxOp>(Op))
      Entry.Flops = Amount(5) * elements(Softmax.getInput());
    else if (isa<linalg::PackOp, linalg::UnPackOp, tensor::PadOp, tensor::ConcatOp,
                 tensor::GatherOp, tensor::ScatterOp>(Op))
      Entry.Flops = 0;
    return Entry;
  }

  /// `linalg.matmul`, `linalg.generic(mulf+addf)`.
  static std::string shownName(Operation &Op) {
    std::string Text = boundedText(Op.getName().getStringRef());
    auto Structured = dyn_cast<linalg::LinalgOp>(Op);
    if (!isa<linalg::GenericOp>(Op) || !Structured)
      return Text;
    SmallVector<StringRef> Inside;
    for (Operation &Inner : Structured.getBlock()->without_terminator())
      if (flopsOf(Inner))
        Inside.push_back(Inner.getName().stripDialect());
    if (Inside.empty())
      return Text;
    const bool More = Inside.size() > MostNamed;
    if (More)
      Inside.resize(MostNamed);
    return Text + "(" + llvm::join(Inside, "+") + (More ? "+..." : "") + ")";
  }

  static Amount elements(Value Of) {
    const auto Type = dyn_cast<ShapedType>(Of.getType());
    if (!Type || !Type.hasRank())
      return {};
    Amount Count(1);
    for (unsigned I = 0; I < Type.getRank(); ++I)
      Count = Count * sizeOf(Of, I);
    return Count;
  }

  /// Bounded: where the order of operations is free, views may be of each other.
  static Value rootOf(Value Of) {
    for (unsigned Steps = 0; Steps < MostViews; ++Steps) {
      Operation *Op = Of.getDefiningOp();
      if (!Op || !isView(*Op) || !Op->getNumOperands())
        break;
      Of = Op->getOperand(0);
    }
    return Of;
  }

  /// The same text for the same value.
  std::string key(Value Of) {
    const Value Root = rootOf(Of);
    if (auto Result = dyn_cast<OpResult>(Root))
      if (const auto At = Ids.find(Result.getOwner()); At != Ids.end())
        return std::to_string(At->second) + "." + std::to_string(Result.getResultNumber());
    const auto [At, IsNew] = Values.try_emplace(Root, Values.size());
    return "v" + std::to_string(At->second);
  }

  /// Adds who reads \p Of, views included. A view of several values is reached over each of them.
  void addReaders(Value Of, Output &Into, llvm::SmallDenseSet<Value> &Seen, unsigned Depth = 0) {
    if (!Seen.insert(Of).second)
      return;
    for (OpOperand &Use : Of.getUses()) {
      Operation *User = Use.getOwner();
      if (isa<tensor::DimOp, memref::DimOp, memref::DeallocOp>(User))
        continue;
      if (isView(*User) && Depth < MostViews) {
        for (Value View : User->getResults())
          addReaders(View, Into, Seen, Depth + 1);
        continue;
      }
      if (const auto At = Ids.find(User); At != Ids.end())
        Into.Readers.push_back(At->second);
      else
        Into.Escapes = true;
    }
  }

  Output makeOutput(Value Of, Amount Bytes) {
    Output Out;
    Out.Value = key(Of);
    Out.Bytes = Bytes;
    const Value Root = rootOf(Of);
    // A buffer that somebody else owns may be read by anybody.
    Out.Escapes = isa<BaseMemRefType>(Of.getType()) &&
                  !isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(Root.getDefiningOp());
    llvm::SmallDenseSet<Value> Seen;
    addReaders(Root, Out, Seen);
    return Out;
  }

  void addTransfers(Operation &Op) {
    // What loops around an operator move of its values, and how often, is not its own.
    if (executionsOf(Op) != Amount(1))
      return;
    CapturedOp &Entry = Table.Ops[Ids[&Op]];
    if (auto Structured = dyn_cast<linalg::LinalgOp>(Op)) {
      unsigned Result = 0;
      for (OpOperand &Operand : Op.getOpOperands()) {
        const Amount Bytes = bytesOf(Structured, Operand);
        if (Structured.payloadUsesValueFromOperand(&Operand))
          Entry.Inputs.push_back({key(Operand.get()), Bytes});
        if (!Structured.isDpsInit(&Operand))
          continue;
        // Results are those of tensors; buffers among the outputs have none.
        Value Written = Operand.get();
        if (isa<TensorType>(Written.getType()) && Result < Op.getNumResults())
          Written = Op.getResult(Result++);
        Entry.Outputs.push_back(makeOutput(Written, Bytes));
      }
      return;
    }
    // Scalars and vectors are in registers; loops around them say how often.
    if (llvm::none_of(Op.getResultTypes(), llvm::IsaPred<TensorType>))
      return;
    for (Value Operand : Op.getOperands())
      if (isa<TensorType>(Operand.getType()))
        Entry.Inputs.push_back({key(Operand), bytesOfAll(Operand)});
    for (Value Result : Op.getResults())
      if (isa<TensorType>(Result.getType()))
        Entry.Outputs.push_back(makeOutput(Result, bytesOfAll(Result)));
  }

  static Amount bytesOfAll(Value Of) {
    const auto Element = elementBytes(cast<ShapedType>(Of.getType()).getElementType());
    return Element ? Amount(*Element) * elements(Of) : Amount();
  }

  ModuleOp Module;
  OpTable Table;
  std::string Name; ///< of the function
  llvm::DenseMap<Operation *, unsigned> Ids;
  llvm::DenseMap<Value, unsigned> Values;
  SmallVector<Operation *> New;
};

class CapturePass : public impl::CapturePassBase<CapturePass> {
  void runOnOperation() override {
    captured = Capturer(getOperation()).run();
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace seamscope::mlir_passes
