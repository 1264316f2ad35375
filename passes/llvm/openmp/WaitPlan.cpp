//===- WaitPlan.cpp - where threads of a team wait, as plain data ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "openmp/WaitPlan.h"

#include "Conventions.h"
#include "Hookable.h"
#include "OpenMP.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace seamscope {
namespace {

// Flags of ident_t (kmp.h) that name the construct of a barrier.
constexpr uint64_t ExplicitBarrier = 0x20, ImplicitBarriers = 0x1C0;
constexpr uint64_t EndOfFor = 0x40, EndOfSections = 0xC0, EndOfSingle = 0x140;
constexpr uint64_t WorkSections = 0x400;

/// Calls that may wait and their constructs; for "barrier" see barrierOf().
constexpr struct {
  StringLiteral Name, Construct;
} Calls[] = {{"__kmpc_barrier", "barrier"},
             {"__kmpc_cancel_barrier", "barrier"},
             {"__kmpc_critical", "critical"},
             {"__kmpc_critical_with_hint", "critical"},
             {"__kmpc_ordered", "ordered"},
             {"__kmpc_doacross_wait", "ordered"},
             {"__kmpc_omp_taskwait", "taskwait"},
             {"__kmpc_omp_taskwait_deps_51", "taskwait"},
             {"__kmpc_omp_wait_deps", "depend"},
             {"__kmpc_end_taskgroup", "taskgroup"},
             {"__kmpc_reduce", "reduction"},
             {"__kmpc_reduce_nowait", "reduction"},
             {"__kmpc_end_reduce", "reduction"},
             {"__kmpc_copyprivate", "copyprivate"},
             {"omp_set_lock", "lock"},
             {"omp_set_nest_lock", "lock"}};

constexpr StringLiteral TaskNames[] = {"__kmpc_omp_task_alloc", "__kmpc_omp_target_task_alloc"};
constexpr unsigned TaskBodyArgument = 5;

/// The function of libomp that was called last before \p Barrier, on some way to it.
StringRef calledBefore(const CallBase &Barrier) {
  SmallPtrSet<const BasicBlock *, 8> Seen;
  SmallVector<const BasicBlock *, 8> Open;
  // Finds the last call of libomp in the block, or before Until; if there is none, queues the
  // predecessors.
  const auto Search = [&](const BasicBlock &Block, const Instruction *Until) {
    const Instruction *I = Until ? Until->getPrevNode() : &Block.back();
    for (; I; I = I->getPrevNode())
      if (const auto *Call = dyn_cast<CallBase>(I))
        if (const Function *Callee = Call->getCalledFunction();
            Callee && Callee->getName().starts_with("__kmpc_") &&
            Callee->getName() != "__kmpc_global_thread_num")
          return Callee->getName();
    append_range(Open, predecessors(&Block));
    return StringRef();
  };
  StringRef Found = Search(*Barrier.getParent(), &Barrier);
  while (Found.empty() && !Open.empty())
    if (const BasicBlock *Block = Open.pop_back_val(); Seen.insert(Block).second)
      Found = Search(*Block, nullptr);
  return Found;
}

/// The construct of one thread that the barrier follows, if there is one. OMPIRBuilder has one flag
/// for all ends.
StringRef oneThreadBefore(const CallBase &Barrier) {
  return StringSwitch<StringRef>(calledBefore(Barrier))
      .Case("__kmpc_single", "single")
      .Case("__kmpc_end_single", "single")
      .Case("__kmpc_master", "master")
      .Case("__kmpc_end_master", "master")
      .Case("__kmpc_masked", "masked")
      .Case("__kmpc_end_masked", "masked")
      .Default("");
}

/// The construct that the barrier ends, or that it makes the threads wait for; "barrier" if there
/// is none.
StringRef barrierOf(const CallBase &Call) {
  const uint64_t Flags = identFlags(Call);
  if (Flags & ExplicitBarrier) {
    const StringRef Before = oneThreadBefore(Call);
    return Before.empty() ? "barrier" : Before;
  }
  switch (Flags & ImplicitBarriers) {
  case EndOfFor:
    return oneThreadBefore(Call) == "single" ? "single" : "for";
  case EndOfSections:
    return "sections";
  case EndOfSingle:
    return "single";
  default:
    return "barrier";
  }
}

class WaitPlanner {
public:
  WaitPlanner(const Module &M, ArrayRef<TeamStart> Teams, ArrayRef<MessageCall> Messages,
              const DenseMap<const CallBase *, KernelRef> &KernelOfCall, KernelOf Kernel)
      : M(M), Messages(Messages), KernelOfCall(KernelOfCall), Kernel(Kernel) {
    for (const TeamStart &Team : Teams)
      TeamOf[Team.Call] = &Team;
  }

  WaitsPlan run() {
    // Collect by function, then plan in the order of the module.
    DenseMap<const Function *, SmallVector<std::pair<const CallBase *, StringRef>>> Waiting;
    for (const auto &[Name, Construct] : Calls)
      forCalls(Name, [&](const CallBase &Call) {
        Waiting[Call.getFunction()].push_back({&Call, Construct});
      });
    for (const MessageCall &Message : Messages)
      Waiting[Message.Call->getFunction()].push_back({Message.Call, Message.Function});
    for (const auto &[Call, Team] : TeamOf)
      Waiting[Call->getFunction()].push_back({Call, "parallel"});
    planTasks();
    for (const Function &F : M)
      if (const auto Found = Waiting.find(&F); Found != Waiting.end())
        addWaits(const_cast<Function &>(F), Found->second);
    return std::move(Result);
  }

private:
  template <typename Fn> void forCalls(StringRef Name, Fn Use) {
    if (const Function *Callee = M.getFunction(Name))
      for (const llvm::Use &U : Callee->uses())
        if (const auto *Call = dyn_cast<CallBase>(U.getUser());
            Call && Call->isCallee(&U) && !Call->isMustTailCall() && !isa<CallBrInst>(Call))
          Use(*Call);
  }

  std::optional<KernelRef> kernelOf(const Function &F) const {
    const auto Task = KernelOfTask.find(&F);
    return Task != KernelOfTask.end() ? Task->second : Kernel(F);
  }

  /// The body of a task is a separate function. It belongs to the kernel of the function that
  /// creates the task, which may itself be the body of a task.
  void planTasks() {
    MapVector<Function *, const CallBase *> Makers;
    for (StringRef Name : TaskNames)
      forCalls(Name, [&](const CallBase &Make) {
        if (Make.arg_size() <= TaskBodyArgument)
          return;
        auto *Body =
            dyn_cast<Function>(Make.getArgOperand(TaskBodyArgument)->stripPointerCastsAndAliases());
        if (Body && !Body->isDeclaration() && !whyNotHookable(*Body))
          Makers.try_emplace(Body, &Make);
      });
    for (bool Any = true; Any;) {
      Any = false;
      for (const auto &[Body, Make] : Makers) {
        Function *Maker = const_cast<Function *>(Make->getFunction());
        if (KernelOfTask.contains(Body) ||
            (Makers.contains(Maker) && !KernelOfTask.contains(Maker)))
          continue;
        if (const std::optional<KernelRef> OfMaker = kernelOf(*Maker)) {
          Any = true;
          addTask(*Body, *Make, *OfMaker);
        }
      }
    }
  }

  void addTask(Function &Body, const CallBase &Make, const KernelRef &Kernel) {
    KernelOfTask[&Body] = Kernel;
    const SourcePoint Source = sourceOf(Make, Body);
    Result.Tasks.push_back(
        {&Body, makeSite(SEAMSCOPE_SITE_TASK, nameOf(Kernel.Name, "task", Source), Body.getName(),
                         Kernel, Source)});
  }

  void addWaits(Function &F, ArrayRef<std::pair<const CallBase *, StringRef>> Here) {
    if (whyNotHookable(F))
      return;
    const std::optional<KernelRef> OfAll = kernelOf(F);
    const DenseMap<const CallBase *, StringRef> Constructs(Here.begin(), Here.end());
    // Copies of a call have the same location; without debug information each call counts
    // separately.
    MapVector<std::pair<StringRef, const void *>, WaitPlan> Places;
    unsigned Number = 0;
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      const auto Found = Call ? Constructs.find(Call) : Constructs.end();
      if (Found == Constructs.end())
        continue;
      const TeamStart *Team = TeamOf.lookup(Call);
      if (!Team && !OfAll)
        continue;
      const auto Own = KernelOfCall.find(Call);
      const KernelRef &OfCall = Team                        ? Team->Kernel
                                : Own != KernelOfCall.end() ? Own->second
                                                            : *OfAll;
      const StringRef Construct = Found->second == "barrier" ? barrierOf(*Call) : Found->second;
      const DILocation *Place = Call->getDebugLoc().get();
      WaitPlan &Wait = Places[{Construct, Place ? static_cast<const void *>(Place) : Call}];
      Wait.Calls.push_back(Call);
      if (Wait.F)
        continue;
      const SourcePoint Source = sourceOf(*Call, F);
      Wait.F = &F;
      Wait.Part = (".wait" + Twine(Number++)).str();
      const StringRef Name = OfCall.Name;
      const StringRef Around = Own == KernelOfCall.end() ? Name : Name.rsplit(" [").first;
      Wait.Site = makeSite(SEAMSCOPE_SITE_TEAM_WAIT, nameOf(Around, Construct, Source), F.getName(),
                           OfCall, Source);
      Wait.Site.Ops = Construct.str();
      if (Team) {
        Wait.Site.Ops += Team->IsTeams ? " teams" : worksharingOf(*Team->Body);
        continue;
      }
      Wait.Site.Flags = SEAMSCOPE_SITE_COUNTED;
      if (Construct == "for")
        Wait.Site.Ops += scheduleOf(F, Place);
    }
    for (auto &[Key, Wait] : Places)
      Result.Waits.push_back(std::move(Wait));
  }

  /// The schedule of the worksharing loop whose barrier is at \p Place: both have the same line.
  std::string scheduleOf(const Function &F, const DILocation *Place) {
    if (!Place)
      return {};
    if (Schedules.try_emplace(&F).second)
      for (const Instruction &I : instructions(F))
        if (const auto *Call = dyn_cast<CallInst>(&I); Call && Call->getDebugLoc())
          if (const StringRef Schedule = scheduleOf(*Call); !Schedule.empty())
            Schedules[&F][{Call->getDebugLoc()->getLine(), Call->getDebugLoc()->getInlinedAt()}] =
                Schedule;
    const StringRef Found = Schedules[&F].lookup({Place->getLine(), Place->getInlinedAt()});
    return Found.empty() ? std::string() : (" schedule(" + Found + ")").str();
  }

  /// Returns the function with the body's code: with -g and without inlining, a body only calls
  /// that function. A body that calls the body of another, serialised region calls libomp as well.
  static const Function &codeOf(const Function &Body) {
    const Function *Only = nullptr;
    for (const Instruction &I : instructions(Body))
      if (const auto *Call = dyn_cast<CallBase>(&I); Call && !isa<IntrinsicInst>(Call)) {
        if (Only || !Call->getCalledFunction())
          return Body;
        Only = Call->getCalledFunction();
      }
    return Only && !Only->isDeclaration() && isOutlinedSymbol(Only->getName()) ? *Only : Body;
  }

  /// The worksharing construct of a region that consists of a single one without its own barrier.
  static std::string worksharingOf(const Function &Body) {
    StringRef Only;
    for (const Instruction &I : instructions(codeOf(Body)))
      if (const auto *Call = dyn_cast<CallBase>(&I)) {
        const StringRef Schedule = scheduleOf(*Call);
        if (!Schedule.empty() && !Only.empty())
          return {};
        Only = Schedule.empty() ? Only : Schedule;
      }
    if (Only.empty() || Only == "sections")
      return Only.empty() ? "" : " sections";
    return (" for schedule(" + Only + ")").str();
  }

  /// For a call that begins a worksharing construct: "sections" or the schedule of the loop; else
  /// empty.
  static StringRef scheduleOf(const CallBase &Call) {
    const Function *Callee = Call.getCalledFunction();
    constexpr unsigned Argument = 2;
    if (!Callee || Call.arg_size() <= Argument)
      return {};
    if (Callee->getName().starts_with("__kmpc_for_static_init"))
      return identFlags(Call) & WorkSections ? "sections" : "static";
    if (!Callee->getName().starts_with("__kmpc_dispatch_init"))
      return {};
    // enum sched_type (kmp.h), lower bits; the values of ordered loops are 32 higher.
    const auto *Kind = dyn_cast<ConstantInt>(Call.getArgOperand(Argument));
    switch (Kind ? Kind->getZExtValue() & 0xFFFF : 0) {
    case 33:
    case 34:
    case 65:
    case 66:
      return "static";
    case 36:
    case 68:
      return "guided";
    case 37:
    case 69:
      return "runtime";
    case 38:
    case 70:
      return "auto";
    default:
      return "dynamic";
    }
  }

  /// A name such as "fused [critical fused.cpp:12]".
  std::string nameOf(StringRef InKernel, StringRef Construct, const SourcePoint &Source) {
    std::string Title = Construct.str();
    if (Construct == "parallel")
      Title = "fork and join";
    else if (Construct == "for" || Construct == "sections" || Construct == "single")
      Title = ("end of " + Construct).str();
    else if (Construct == "master" || Construct == "masked")
      Title = ("barrier after " + Construct).str();
    if (Source.Line)
      return (InKernel + " [" + Title + " " + sys::path::filename(Source.File) + ":" +
              Twine(Source.Line) + "]")
          .str();
    const unsigned Ordinal = ++Ordinals[(InKernel + "\n" + Title).str()];
    return (InKernel + " [" + Title + " #" + Twine(Ordinal) + "]").str();
  }

  const Module &M;
  const ArrayRef<MessageCall> Messages;
  const DenseMap<const CallBase *, KernelRef> &KernelOfCall;
  KernelOf Kernel;
  WaitsPlan Result;
  DenseMap<const Function *, KernelRef> KernelOfTask;
  StringMap<unsigned> Ordinals;
  MapVector<const CallBase *, const TeamStart *> TeamOf;
  /// By function, then by line and inlining call.
  DenseMap<const Function *, DenseMap<std::pair<unsigned, const DILocation *>, StringRef>>
      Schedules;
};

} // namespace

WaitsPlan planWaits(const Module &M, ArrayRef<TeamStart> Teams, ArrayRef<MessageCall> Messages,
                    const DenseMap<const CallBase *, KernelRef> &KernelOfCall, KernelOf Kernel) {
  return WaitPlanner(M, Teams, Messages, KernelOfCall, Kernel).run();
}

} // namespace seamscope
