//===- Instrument.cpp - markers around fused groups -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Groups.h"
#include "Markers.h"
#include "Work.h"
#include "seamscope/mlir/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace seamscope::mlir_passes {

#define GEN_PASS_DEF_INSTRUMENTPASS
#include "seamscope/mlir/Passes.h.inc"

namespace {

/// The function attribute that names the operators of a function timed as a whole.
constexpr StringRef FunctionKey = "seamscope-ops";

std::optional<Level> levelOf(StringRef Text) {
  return llvm::StringSwitch<std::optional<Level>>(Text)
      .Case("linalg", Level::Linalg)
      .Case("loops", Level::Loops)
      .Case("launch", Level::Launch)
      .Case("function", Level::Function)
      .Default(std::nullopt);
}

bool onTensors(Operation &Op) {
  const auto IsTensor = [](Type Of) { return isa<TensorType>(Of); };
  return llvm::any_of(Op.getResultTypes(), IsTensor) ||
         llvm::any_of(Op.getOperandTypes(), IsTensor);
}

class InstrumentPass : public impl::InstrumentPassBase<InstrumentPass> {
public:
  using InstrumentPassBase::InstrumentPassBase;

private:
  void runOnOperation() override {
    ModuleOp Module = getOperation();
    const std::optional<Level> Wanted = levelOf(level);
    if (!Wanted) {
      Module.emitError("seamscope-instrument: level=")
          << level.getValue() << " is not one of linalg, loops, launch and function";
      return signalPassFailure();
    }
    const OpTable Table = OpTable::read(Module);
    if (!OpTable::isIn(Module))
      Module.emitWarning("seamscope-instrument: nothing was captured here, so that groups have no "
                         "operators' names: run seamscope-capture before operators are fused");
    nameFunctions(Module, Table);
    if (*Wanted == Level::Function)
      return;
    const std::vector<Group> Groups = findGroups(Module, *Wanted, Table);
    for (const Group &Each : Groups)
      if (onTensors(*Each.Op)) {
        Each.Op->emitError(
            "seamscope-instrument: computes on tensors, which have no order in time: "
            "run it after bufferization");
        return signalPassFailure();
      }
    // The share of an operator that several groups compute, as a producer fused into each of its
    // consumers, or a loop that was split, is not known.
    llvm::DenseMap<unsigned, unsigned> Uses;
    for (const Group &Each : Groups)
      if (!Each.MovesData)
        for (unsigned Id : Each.Ids)
          ++Uses[Id];
    // A symbol is looked for in the nearest module.
    llvm::MapVector<Operation *, std::unique_ptr<MarkerWriter>> Markers;
    for (const Group &Each : Groups)
      if (auto Around = Each.Op->getParentOfType<ModuleOp>(); !Markers.contains(Around))
        if (auto &Writer = Markers[Around] = std::make_unique<MarkerWriter>(Around);
            failed(Writer->check()))
          return signalPassFailure();
    llvm::StringMap<unsigned> Names;
    for (const Group &Each : Groups) {
      if (MarkerWriter::isMarked(*Each.Op))
        continue;
      // Figures are of a call of the function: a launch in a loop is less than that.
      const bool Alone = !Each.MovesData && !Each.Ids.empty() &&
                         executionsOf(*Each.Op) == Amount(1) &&
                         llvm::all_of(Each.Ids, [&](unsigned Id) { return Uses[Id] == 1; });
      GroupSite Site = siteOf(Each, Table, Alone);
      // A kernel's name is what its parallel regions are found by.
      if (const unsigned Before = Names[Site.Name]++)
        Site.Name += "#" + std::to_string(Before + 1);
      Markers[Each.Op->getParentOfType<ModuleOp>()]->mark(*Each.Op, Site);
      ++groups;
    }
    if (Groups.empty())
      Module.emitRemark("seamscope-instrument: level=")
          << level.getValue() << " found nothing here";
  }

  static GroupSite siteOf(const Group &Of, const OpTable &Table, bool Alone) {
    GroupSite Site;
    Site.Name = nameOf(Of, Table);
    Site.Function = Of.Function;
    const CapturedOp *Main = mainOf(Of.Ids, Table);
    Site.At = Main ? Main->At : placeOf(Of.Op->getLoc());
    if (!Of.Ids.empty())
      Site.Ops = describe(Of.Ids, Table, Alone);
    return Site;
  }

  void nameFunctions(ModuleOp Module, const OpTable &Table) {
    Builder B(Module.getContext());
    // An operator that several functions compute is in each of them as a whole, or in part.
    SmallVector<std::pair<FunctionOpInterface, std::set<unsigned>>> Functions;
    llvm::DenseMap<unsigned, unsigned> Uses;
    Module.walk([&](FunctionOpInterface Function) {
      if (Function.isExternal())
        return;
      std::set<unsigned> Ids = operatorsIn(*Function, Table);
      for (unsigned Id : Ids)
        ++Uses[Id];
      if (!Ids.empty())
        Functions.emplace_back(Function, std::move(Ids));
    });
    for (auto &[Function, Ids] : Functions) {
      const bool Alone = llvm::all_of(Ids, [&](unsigned Id) { return Uses[Id] == 1; });
      SmallVector<Attribute> All;
      if (const auto Old = Function->getAttrOfType<ArrayAttr>("passthrough"))
        llvm::copy_if(Old, std::back_inserter(All), [](Attribute Entry) {
          const auto Pair = dyn_cast<ArrayAttr>(Entry);
          const auto Key = Pair && !Pair.empty() ? dyn_cast<StringAttr>(Pair[0]) : StringAttr();
          return !Key || Key.getValue() != FunctionKey;
        });
      All.push_back(B.getStrArrayAttr({FunctionKey, describe(Ids, Table, Alone)}));
      Function->setAttr("passthrough", B.getArrayAttr(All));
    }
  }
};

} // namespace
} // namespace seamscope::mlir_passes
