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
  const auto IsTensor = [](Type Ty) { return isa<TensorType>(Ty); };
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
      Module.emitWarning("seamscope-instrument: no captured operators, so groups do not have their "
                         "names: run seamscope-capture before operators are fused");
    nameFunctions(Module, Table);
    if (*Wanted == Level::Function)
      return;
    const std::vector<Group> Groups = findGroups(Module, *Wanted, Table);
    for (const Group &Each : Groups)
      if (onTensors(*Each.Op)) {
        Each.Op->emitError("seamscope-instrument: cannot time an operation on tensors: "
                           "run seamscope-instrument after bufferization");
        return signalPassFailure();
      }
    // If several groups compute an operator (a producer fused into each of its consumers, or a
    // split loop), the share of each is unknown.
    llvm::DenseMap<unsigned, unsigned> Uses;
    for (const Group &Each : Groups)
      if (!Each.MovesData)
        for (unsigned Id : Each.Ids)
          ++Uses[Id];
    // Symbols are looked up in the nearest module.
    llvm::MapVector<Operation *, std::unique_ptr<MarkerWriter>> Markers;
    for (const Group &Each : Groups)
      if (auto Around = Each.Op->getParentOfType<ModuleOp>(); !Markers.contains(Around))
        if (auto &Writer = Markers[Around] = std::make_unique<MarkerWriter>(Around);
            failed(Writer->checkNames()))
          return signalPassFailure();
    llvm::StringMap<unsigned> Names;
    for (const Group &Each : Groups) {
      if (MarkerWriter::isMarked(*Each.Op))
        continue;
      // The figures are for one call of the function; a launch in a loop does only part of that.
      const bool Alone = !Each.MovesData && !Each.Ids.empty() &&
                         executionsOf(*Each.Op) == Amount(1) &&
                         llvm::all_of(Each.Ids, [&](unsigned Id) { return Uses[Id] == 1; });
      GroupSite Site = siteOf(Each, Table, Alone);
      // Names must be unique: parallel regions refer to their kernel by name.
      if (const unsigned Before = Names[Site.Name]++)
        Site.Name += "#" + std::to_string(Before + 1);
      Markers[Each.Op->getParentOfType<ModuleOp>()]->mark(*Each.Op, Site);
      ++groups;
    }
    if (Groups.empty())
      Module.emitRemark("seamscope-instrument: level=")
          << level.getValue() << " found nothing to mark";
  }

  static GroupSite siteOf(const Group &Marked, const OpTable &Table, bool Alone) {
    GroupSite Site;
    Site.Name = nameOf(Marked, Table);
    Site.Function = Marked.Function;
    const CapturedOp *Main = mainOf(Marked.Ids, Table);
    Site.At = Main ? Main->At : placeOf(Marked.Op->getLoc());
    if (!Marked.Ids.empty())
      Site.Ops = describe(Marked.Ids, Table, Alone);
    return Site;
  }

  void nameFunctions(ModuleOp Module, const OpTable &Table) {
    Builder B(Module.getContext());
    // If several functions compute an operator, the share of each is unknown.
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
