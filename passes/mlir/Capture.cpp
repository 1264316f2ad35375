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
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace seamscope::mlir_passes {

#define GEN_PASS_DEF_CAPTUREPASS
#include "seamscope/mlir/Passes.h.inc"

namespace {

/// The number of operations in a body that a name lists.
constexpr size_t MostNamed = 6;
/// The number of nested views that are followed.
constexpr unsigned MostViews = 64;

bool isNumeric(Type Ty) {
  if (auto Shaped = dyn_cast<ShapedType>(Ty))
    return isNumeric(Shaped.getElementType());
  return Ty.isIntOrFloat() || isa<ComplexType>(Ty);
}

/// Whether \p Op changes the shape or place of a value but not its contents.
bool isView(Operation &Op) {
  return isa<tensor::CastOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ReshapeOp, ViewLikeOpInterface, CastOpInterface>(Op);
}

/// Whether \p Op computes or moves whole values, like an operator of a front end.
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
  // A front end's constant does not have the trait if its dialect is not loaded.
  if (!Op.getNumOperands() && !Op.getNumRegions())
    return false;
  // Allocations, loads and stores only serve operators.
  if (auto Effects = dyn_cast<MemoryEffectOpInterface>(Op); Effects && !Effects.hasNoEffect())
    return false;
  return llvm::any_of(Op.getResultTypes(), isNumeric);
}

class Capturer {
public:
  explicit Capturer(ModuleOp Module) : Module(Module), Table(OpTable::read(Module)) {
    // Do not reuse the value numbers of an earlier run.
    for (const CapturedOp &Known : Table.Ops) {
      for (const Transfer &Input : Known.Inputs)
        LastValue = std::min(LastValue, Input.Value);
      for (const Transfer &Out : Known.Outputs)
        LastValue = std::min(LastValue, Out.Value);
    }
  }

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
      // capture() has handled the scalar code in the body.
      return isa<linalg::LinalgOp>(Op) ? WalkResult::skip() : WalkResult::advance();
    });
    for (const Captured &Each : New)
      addTransfers(Each);
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
    const Amount Times = executionsOf(Op);
    std::optional<Domain> Points;
    SmallVector<std::pair<unsigned, Amount>> Parts;
    if (Structured) {
      Points.emplace(Structured);
      captureParts(Structured, Entry.Name, Points->points() * Times, Parts);
    }
    const auto Id = static_cast<unsigned>(Table.Ops.size());
    const Attribute Metadata = idMetadata(Op.getContext(), Id);
    Op.setLoc(withId(Op.getLoc(), Metadata));
    Ids[&Op] = Id;
    Entry.Flops = Entry.Flops * Times;
    if (Structured) {
      for (Region &Body : Op.getRegions())
        for (Block &Scalars : Body) {
          Scalars.walk([&](Operation *Inner) {
            if (!idOf(Inner->getLoc()))
              Inner->setLoc(isa<UnknownLoc>(Inner->getLoc()) ? Op.getLoc()
                                                             : withId(Inner->getLoc(), Metadata));
          });
        }
      Entry.Flops = flopsOf(Structured, *Points) * Times;
      // The parts keep their own FLOPs.
      for (const auto &[Part, Flops] : Parts) {
        Table.Ops[Part].PartOf = Id;
        Entry.Flops = Entry.Flops + Amount(-1) * Flops;
      }
    }
    // It is unknown how much of its values an operator in a loop moves, so bytes are recorded only
    // outside loops.
    if (Times == Amount(1))
      New.push_back({&Op, Id, std::move(Points)});
    Table.Ops.push_back(std::move(Entry));
  }

  /// Captures the named operators in the body of \p Op whose name differs from \p OpName. Each runs
  /// at \p Times points.
  void captureParts(linalg::LinalgOp Op, StringRef OpName, const Amount &Times,
                    SmallVectorImpl<std::pair<unsigned, Amount>> &Parts) {
    llvm::StringMap<unsigned> ByName;
    for (Operation &Inner : Op.getBlock()->without_terminator()) {
      const std::string Own = nameOf(Inner.getLoc());
      if (Own.empty() || Own == OpName || Inner.hasTrait<OpTrait::ConstantLike>() ||
          idOf(Inner.getLoc()))
        continue;
      const auto [At, IsNew] = ByName.try_emplace(Own, static_cast<unsigned>(Table.Ops.size()));
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
      const int64_t Each = flopsOf(Inner);
      const Amount Flops = Each ? Amount(Each) * Times : Amount(0);
      CapturedOp &Entry = Table.Ops[At->second];
      Entry.Flops = Entry.Flops + Flops;
      Inner.setLoc(withId(Inner.getLoc(), idMetadata(Op.getContext(), At->second)));
      Parts.emplace_back(At->second, Flops);
    }
  }

  std::string typesOf(Operation &Op) {
    TypeRange Types = Op.getResultTypes();
    SmallVector<Type> Inits;
    if (auto Styled = dyn_cast<DestinationStyleOpInterface>(Op); Styled && Types.empty()) {
      llvm::append_range(Inits, Styled.getDpsInits().getTypes());
      Types = Inits;
    }
    if (Types.size() == 1)
      return boundedText(typeText(Types.front()));
    std::string Text;
    for (Type Each : Types) {
      if (!Text.empty())
        Text += ", ";
      Text += typeText(Each);
    }
    return boundedText(Text);
  }

  /// Printing a type sets up a whole printer, so cache the text: a module has few types.
  StringRef typeText(Type Ty) {
    std::string &Text = TypeTexts[Ty];
    if (Text.empty())
      llvm::raw_string_ostream(Text) << Ty;
    return Text;
  }

  CapturedOp describe(Operation &Op) {
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

  /// A name for an operator without one: `linalg.matmul`, `linalg.generic(mulf+addf)`.
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

  static Amount elements(Value Shaped) {
    const auto Type = dyn_cast<ShapedType>(Shaped.getType());
    if (!Type || !Type.hasRank())
      return {};
    Amount Count(1);
    for (unsigned I = 0; I < Type.getRank(); ++I)
      Count = Count * sizeOf(Shaped, I);
    return Count;
  }

  /// The value that \p View is a view of. Bounded, because views may form a cycle where the order
  /// of operations is free.
  static Value rootOf(Value View) {
    for (unsigned Steps = 0; Steps < MostViews; ++Steps) {
      Operation *Op = View.getDefiningOp();
      if (!Op || !isView(*Op) || !Op->getNumOperands())
        break;
      View = Op->getOperand(0);
    }
    return View;
  }

  /// The number of a value in the table, always the same for the same value.
  int64_t key(Value Root) {
    if (auto Result = dyn_cast<OpResult>(Root); Result && Result.getResultNumber() <= MostResult)
      if (const auto At = Ids.find(Result.getOwner()); At != Ids.end())
        return resultOf(At->second, Result.getResultNumber());
    const auto [At, IsNew] = Values.try_emplace(Root, LastValue - 1);
    if (IsNew)
      --LastValue;
    return At->second;
  }

  /// Adds the readers of \p Read, including those of its views. A view of several values is visited
  /// once for each.
  void addReaders(Value Read, Output &Into, llvm::SmallDenseSet<Value> &Seen, unsigned Depth = 0) {
    if (!Seen.insert(Read).second)
      return;
    for (OpOperand &Use : Read.getUses()) {
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

  Output makeOutput(Value Written, Amount Bytes) {
    Output Out;
    const Value Root = rootOf(Written);
    Out.Value = key(Root);
    Out.Bytes = std::move(Bytes);
    // A buffer that the function does not allocate may be read elsewhere.
    Out.Escapes = isa<BaseMemRefType>(Written.getType()) &&
                  !isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(Root.getDefiningOp());
    llvm::SmallDenseSet<Value> Seen;
    addReaders(Root, Out, Seen);
    return Out;
  }

  struct Captured {
    Operation *Op;
    unsigned Id;
    std::optional<Domain> Points; ///< for linalg operators
  };

  void addTransfers(const Captured &Each) {
    Operation &Op = *Each.Op;
    CapturedOp &Entry = Table.Ops[Each.Id];
    if (auto Structured = dyn_cast<linalg::LinalgOp>(Op)) {
      unsigned Result = 0;
      for (OpOperand &Operand : Op.getOpOperands()) {
        const Amount Bytes = bytesOf(*Each.Points, Operand);
        if (Structured.payloadUsesValueFromOperand(&Operand))
          Entry.Inputs.push_back({key(rootOf(Operand.get())), Bytes});
        if (!Structured.isDpsInit(&Operand))
          continue;
        // Only tensor outputs have results; buffer outputs do not.
        Value Written = Operand.get();
        if (isa<TensorType>(Written.getType()) && Result < Op.getNumResults())
          Written = Op.getResult(Result++);
        Entry.Outputs.push_back(makeOutput(Written, Bytes));
      }
      return;
    }
    // Scalars and vectors are in registers.
    if (llvm::none_of(Op.getResultTypes(), llvm::IsaPred<TensorType>))
      return;
    for (Value Operand : Op.getOperands())
      if (isa<TensorType>(Operand.getType()))
        Entry.Inputs.push_back({key(rootOf(Operand)), totalBytes(Operand)});
    for (Value Result : Op.getResults())
      if (isa<TensorType>(Result.getType()))
        Entry.Outputs.push_back(makeOutput(Result, totalBytes(Result)));
  }

  static Amount totalBytes(Value Shaped) {
    const auto Element = elementBytes(cast<ShapedType>(Shaped.getType()).getElementType());
    return Element ? Amount(*Element) * elements(Shaped) : Amount();
  }

  ModuleOp Module;
  OpTable Table;
  std::string Name; ///< of the current function
  llvm::DenseMap<Operation *, unsigned> Ids;
  llvm::DenseMap<Value, int64_t> Values; ///< numbers of values from outside the captured operators
  int64_t LastValue = 0;
  llvm::DenseMap<Type, std::string> TypeTexts;
  std::vector<Captured> New;
};

class CapturePass : public impl::CapturePassBase<CapturePass> {
  void runOnOperation() override {
    captured = Capturer(getOperation()).run();
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace seamscope::mlir_passes
