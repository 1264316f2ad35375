//===- Groups.cpp - which code stands for which captured operators --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Groups.h"

#include "Work.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
namespace json = llvm::json;

namespace seamscope::mlir_passes {
namespace {

/// Operators that a name shows, and that a description holds.
constexpr size_t MostNamed = 12, MostDescribed = 512;

bool isLoop(Operation &Op) {
  const StringRef Name = Op.getName().getStringRef();
  // By name: the dialect need not be loaded.
  return isa<LoopLikeOpInterface>(Op) || Name == "omp.parallel" || Name == "omp.wsloop" ||
         Name == "omp.teams" || Name == "omp.target";
}

bool isLaunch(Operation &Op) { return isa<gpu::LaunchFuncOp, gpu::LaunchOp>(Op); }

/// Whether \p Op does the work of the operator that its location names.
bool computes(Operation &Op) {
  if (auto Structured = dyn_cast<linalg::LinalgOp>(Op)) {
    const auto Flops = flopsOf(Structured).constant();
    return !Flops || *Flops;
  }
  if (flopsOf(Op))
    return true;
  // Products and sums of vectors; calls of libraries that an operator was lowered to.
  const StringRef Name = Op.getName().getStringRef();
  return Name == "vector.contract" || Name == "vector.outerproduct" || Name == "vector.fma" ||
         Name == "vector.reduction" || Name == "vector.multi_reduction" || Name == "func.call";
}

class Finder {
public:
  Finder(Level Wanted, const OpTable &Table) : Wanted(Wanted), Table(Table) {}

  void walk(Operation &Parent) {
    for (Region &Body : Parent.getRegions())
      for (Block &Each : Body)
        for (Operation &Op : Each)
          visit(Op);
  }

  std::vector<Group> Result;

private:
  void visit(Operation &Op) {
    // Code of devices, and of dialects with symbols of their own: markers are calls on the host.
    if ((Op.hasTrait<OpTrait::SymbolTable>() && !isa<ModuleOp>(Op)) ||
        (isLaunch(Op) && Wanted != Level::Launch))
      return;
    if (auto Inner = dyn_cast<FunctionOpInterface>(Op)) {
      Function = Inner.getName().str();
      walk(Op);
      return;
    }
    Group Found{&Op, Function, {}};
    switch (Wanted) {
    case Level::Linalg:
      Found.MovesData = isa<memref::CopyOp>(Op);
      if (!isLoop(Op) && !isa<linalg::LinalgOp>(Op) && !Found.MovesData)
        return walk(Op);
      Found.Ids = operatorsIn(Op, Table);
      // Loops that serve no operator of the source are part of what surrounds them.
      if (Found.Ids.empty() && !Found.MovesData && !isa<linalg::LinalgOp>(Op))
        return walk(Op);
      break;
    case Level::Loops:
      if (!isLoop(Op))
        return walk(Op);
      Found.Ids = operatorsIn(Op, Table);
      break;
    case Level::Launch:
      if (!isLaunch(Op))
        return walk(Op);
      if (auto Launch = dyn_cast<gpu::LaunchFuncOp>(Op)) {
        if (Operation *Kernel = SymbolTable::lookupNearestSymbolFrom(&Op, Launch.getKernelAttr()))
          Found.Ids = operatorsIn(*Kernel, Table);
      } else {
        Found.Ids = operatorsIn(Op, Table);
      }
      break;
    case Level::Function:
      return;
    }
    Result.push_back(std::move(Found));
  }

  Level Wanted;
  const OpTable &Table;
  std::string Function;
};

void addWork(json::OStream &Into, StringRef Key, const Amount &Work) {
  if (const auto Value = Work.constant())
    Into.attribute(Key, *Value);
  else if (Work.known())
    Into.attribute(Key, Work.text());
}

} // namespace

std::set<unsigned> operatorsIn(Operation &Root, const OpTable &Table) {
  std::set<unsigned> Computed, Others;
  SmallVector<unsigned> Here;
  Root.walk([&](Operation *Op) {
    Here.clear();
    collectIds(Op->getLoc(), Here);
    (computes(*Op) ? Computed : Others).insert(Here.begin(), Here.end());
  });
  for (unsigned Id : Others) {
    if (Id >= Table.Ops.size())
      continue;
    // What has no FLOPs can't be told from what serves it.
    const auto Flops = Table.Ops[Id].Flops.constant();
    if (Flops && !*Flops && !Table.Ops[Id].PartOf)
      Computed.insert(Id);
  }
  std::erase_if(Computed, [&](unsigned Id) { return Id >= Table.Ops.size(); });
  return Computed;
}

std::vector<Group> findGroups(ModuleOp Module, Level Wanted, const OpTable &Table) {
  Finder F(Wanted, Table);
  F.walk(*Module);
  return std::move(F.Result);
}

std::string nameOf(const Group &Of, const OpTable &Table) {
  if (Of.Ids.empty()) {
    if (auto Launch = dyn_cast<gpu::LaunchFuncOp>(Of.Op))
      return Launch.getKernelName().getValue().str();
    return Of.Op->getName().getStringRef().str();
  }
  std::string Text;
  size_t Shown = 0;
  for (unsigned Id : Of.Ids) {
    if (Shown++ == MostNamed) {
      Text += "+" + std::to_string(Of.Ids.size() - MostNamed) + " more";
      break;
    }
    Text += (Text.empty() ? "" : "+") + Table.Ops[Id].Name;
  }
  return boundedText(Text);
}

const CapturedOp *mainOf(const std::set<unsigned> &Ids, const OpTable &Table) {
  const CapturedOp *Main = nullptr;
  int64_t Most = -1;
  for (unsigned Id : Ids) {
    const CapturedOp &Op = Table.Ops[Id];
    const int64_t Flops = Op.Flops.constant().value_or(0);
    if (!Op.At.File.empty() && Flops > Most) {
      Main = &Op;
      Most = Flops;
    }
  }
  return Main;
}

std::string describe(const std::set<unsigned> &Ids, const OpTable &Table, bool Alone) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  json::OStream Json(OS);
  GroupWork Work;
  if (Alone)
    Work = Table.work(Ids);
  // Keys in their order, so that equal groups have equal texts. No tree is built for them: a module
  // may have tens of thousands.
  Json.object([&] {
    addWork(Json, "bytes", Work.Bytes);
    addWork(Json, "flops", Work.Flops);
    if (Ids.size() > MostDescribed)
      Json.attribute("more", static_cast<int64_t>(Ids.size() - MostDescribed));
    Json.attributeArray("ops", [&] {
      size_t Shown = 0;
      for (unsigned Id : Ids) {
        if (Shown++ == MostDescribed)
          break;
        const CapturedOp &Op = Table.Ops[Id];
        Json.object([&] {
          if (!Op.At.File.empty()) {
            Json.attribute("column", Op.At.Column);
            Json.attribute("file", StringRef(Op.At.File));
            Json.attribute("line", Op.At.Line);
          }
          Json.attribute("name", StringRef(Op.Name));
          Json.attribute("op", StringRef(Op.Op));
          Json.attribute("type", StringRef(Op.Result));
        });
      }
    });
    addWork(Json, "unfused_bytes", Work.UnfusedBytes);
  });
  return Text;
}

} // namespace seamscope::mlir_passes
