//===- Attributes.cpp - attributes that hooks make untrue ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that only reads memory writes the runtime's memory once it calls hooks, and so does
// every caller. With `memory(argmem: read)` left in place, a later pass (an LTO link, say) could
// merge two calls of a kernel into one. Callers are followed through aliases; a function whose
// address is taken may be reached by any indirect call, and by any call of an ifunc.
//
//===----------------------------------------------------------------------===//
#include "Attributes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/ModRef.h"

using namespace llvm;

namespace seamscope {
namespace {

class AttributeRepair {
public:
  explicit AttributeRepair(Module &M) : M(M) {}

  void run(ArrayRef<Function *> Hooked) {
    Reaching.insert(Hooked.begin(), Hooked.end());
    for (size_t At = 0; At != Reaching.size(); ++At) {
      Function *F = Reaching[At];
      repair(*F);
      followUsers(*F);
    }
  }

private:
  static constexpr Attribute::AttrKind Untrue[] = {Attribute::NoSync, Attribute::NoFree,
                                                   Attribute::Speculatable, Attribute::NoCallback};

  // The frame is on the callee's own stack: callers see only accesses to the runtime's memory.
  static MemoryEffects withHooks(MemoryEffects Before) {
    return Before | MemoryEffects::inaccessibleMemOnly();
  }

  static void repair(Function &F) {
    const MemoryEffects Before = F.getMemoryEffects();
    if (const MemoryEffects After = withHooks(Before); After != Before)
      F.setMemoryEffects(After);
    for (const Attribute::AttrKind Kind : Untrue)
      F.removeFnAttr(Kind);
  }

  void repair(CallBase &Call) {
    const MemoryEffects Before = Call.getAttributes().getMemoryEffects();
    if (const MemoryEffects After = withHooks(Before); After != Before)
      Call.setMemoryEffects(After);
    for (const Attribute::AttrKind Kind : Untrue)
      Call.removeFnAttr(Kind);
    Reaching.insert(Call.getFunction());
  }

  /// Repairs the calls of \p F and adds their callers to Reaching.
  void followUsers(Function &F) {
    SmallVector<Constant *> Names{&F}; // F, its aliases and casts
    while (!Names.empty()) {
      Constant *Name = Names.pop_back_val();
      for (Use &U : Name->uses()) {
        User *By = U.getUser();
        if (auto *Call = dyn_cast<CallBase>(By); Call && Call->isCallee(&U))
          repair(*Call);
        else if (auto *Alias = dyn_cast<GlobalAlias>(By))
          Names.push_back(Alias);
        else if (auto *Cast = dyn_cast<ConstantExpr>(By); Cast && Cast->isCast())
          Names.push_back(Cast);
        else
          repairIndirectCalls();
      }
    }
  }

  /// Repairs all indirect calls, once: each may reach any function whose address is taken.
  void repairIndirectCalls() {
    if (IndirectDone)
      return;
    IndirectDone = true;
    for (Function &F : M)
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallBase>(&I); Call && isIndirect(*Call))
          repair(*Call);
  }

  /// Calls of ifuncs count as indirect: the resolver may return any function.
  static bool isIndirect(const CallBase &Call) {
    const Value *Callee = Call.getCalledOperand()->stripPointerCastsAndAliases();
    return !isa<Function>(Callee) && !isa<InlineAsm>(Callee);
  }

  Module &M;
  SetVector<Function *> Reaching; ///< functions that may call hooks; grows during the walk
  bool IndirectDone = false;
};

} // namespace

void repairAttributes(Module &M, ArrayRef<Function *> Hooked) { AttributeRepair(M).run(Hooked); }

} // namespace seamscope
