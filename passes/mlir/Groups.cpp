//===- Groups.cpp - the code of captured operators ------------------------===//
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

/// The number of operators in a name, and in a description.
constexpr size_t MostNamed = 12, MostDescribed = 512;

bool isLoop(Operation &Op) {
  const StringRef Name = Op.getName().getStringRef();
  // Compare names, because the dialect may not be loaded.
  return isa<LoopLikeOpInterface>(Op) || Name == "omp.parallel" || Name == "omp.wsloop" ||
         Name == "omp.teams" || Name == "omp.target";
}

bool isLaunch(Operation &Op) { return isa<gpu::LaunchFuncOp, gpu::LaunchOp>(Op); }

/// Whether \p Op does the work of the operator that its location names, and does not just serve it.
bool computes(Operation &Op) {
  if (auto Structured = dyn_cast<linalg::LinalgOp>(Op)) {
    const auto Flops = flopsOf(Structured).constant();
    return !Flops || *Flops;
  }
  if (flopsOf(Op))
    return true;
  // Vector products and sums, and library calls that an operator was lowered to.
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
    // Skip device code and other symbol tables: markers are calls on the host.
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
      // Loops that do not compute a captured operator are part of the code around them.
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

void addText(std::string &Into, StringRef Text) {
  const auto IsPlain = [](char C) { return C >= ' ' && C < 0x7f && C != '"' && C != '\\'; };
  if (llvm::all_of(Text, IsPlain)) {
    Into.append("\"").append(Text.begin(), Text.end()).append("\"");
    return;
  }
  llvm::raw_string_ostream OS(Into);
  json::OStream(OS).value(Text);
}

void addWork(std::string &Into, StringRef Before, const Amount &Work, StringRef After) {
  if (!Work.known())
    return;
  Into += Before;
  if (const auto Value = Work.constant())
    Into += std::to_string(*Value);
  else
    addText(Into, Work.text());
  Into += After;
}

void addOp(std::string &Into, const CapturedOp &Op) {
  Into += '{';
  if (!Op.At.File.empty()) {
    Into.append("\"column\":").append(std::to_string(Op.At.Column)).append(",\"file\":");
    addText(Into, Op.At.File);
    Into.append(",\"line\":").append(std::to_string(Op.At.Line)).append(",");
  }
  Into += "\"name\":";
  addText(Into, Op.Name);
  Into += ",\"op\":";
  addText(Into, Op.Op);
  Into += ",\"type\":";
  addText(Into, Op.Result);
  Into += '}';
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
    // Moving data is the work of an operator without FLOPs.
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

std::string nameOf(const Group &Named, const OpTable &Table) {
  if (Named.Ids.empty()) {
    if (auto Launch = dyn_cast<gpu::LaunchFuncOp>(Named.Op))
      return Launch.getKernelName().getValue().str();
    return Named.Op->getName().getStringRef().str();
  }
  std::string Text;
  size_t Shown = 0;
  for (unsigned Id : Named.Ids) {
    if (Shown++ == MostNamed) {
      Text += "+" + std::to_string(Named.Ids.size() - MostNamed) + " more";
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
  GroupWork Work;
  if (Alone)
    Work = Table.work(Ids);
  // The keys are in alphabetical order. Written by hand: LLVM's writer takes thousands of
  // instructions an operator, and a module may have tens of thousands of operators.
  std::string Text = "{";
  addWork(Text, "\"bytes\":", Work.Bytes, ",");
  addWork(Text, "\"flops\":", Work.Flops, ",");
  if (Ids.size() > MostDescribed)
    Text.append("\"more\":").append(std::to_string(Ids.size() - MostDescribed)).append(",");
  Text += "\"ops\":[";
  size_t Shown = 0;
  for (unsigned Id : Ids) {
    if (Shown == MostDescribed)
      break;
    if (Shown++)
      Text += ',';
    addOp(Text, Table.Ops[Id]);
  }
  Text += ']';
  addWork(Text, ",\"unfused_bytes\":", Work.UnfusedBytes, "");
  Text += '}';
  return Text;
}

} // namespace seamscope::mlir_passes
