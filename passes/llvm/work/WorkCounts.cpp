//===- WorkCounts.cpp - the work of an instruction -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/WorkCounts.h"

#include "device/DevicePlan.h"
#include "work/DeviceCounts.h"
#include "work/FilledVector.h"
#include "work/InlineAssembly.h"
#include "work/MaskedLanes.h"
#include "work/MathCalls.h"
#include "work/UsedLanes.h"

#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace seamscope {
namespace {

enum class Operation {
#define SEAMSCOPE_WORK(Name, Key, Flop) Name,
#include "seamscope/work.def"
};

StringRef keyOf(Operation What) {
  switch (What) {
#define SEAMSCOPE_WORK(Name, Key, Flop)                                                            \
  case Operation::Name:                                                                            \
    return Key;
#include "seamscope/work.def"
  }
  llvm_unreachable("all operations have a key");
}

/// Of each byte that \p Move moves.
WorkCounts workOfByte(const MemIntrinsic &Move, std::string &Unknown) {
  WorkCounts Counts;
  addBytes(Counts, "write", Move.getRawDest(), Move, 1, Unknown);
  if (const auto *Copy = dyn_cast<MemTransferInst>(&Move))
    addBytes(Counts, "read", Copy->getRawSource(), Move, 1, Unknown);
  return Counts;
}

/// Adds the work of one instruction to its counts.
class Counter {
public:
  Counter(const Instruction &I, const TargetLibraryInfo &Library, WorkCounts &Into,
          std::string &Unknown)
      : I(I), Layout(I.getModule()->getDataLayout()), Library(Library), Into(Into),
        Unknown(Unknown) {}

  void run() {
    if (const auto *Load = dyn_cast<LoadInst>(&I); Load && !Load->hasMetadata(CopyOfLoad))
      return bytes("read", Load->getPointerOperand(), loadedType(*Load));
    if (const auto *Store = dyn_cast<StoreInst>(&I))
      return bytes("write", Store->getPointerOperand(), Store->getValueOperand()->getType());
    if (const auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
      return atomic(*Atomic);
    if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
      bytes("read", Exchange->getPointerOperand(), Exchange->getNewValOperand()->getType());
      return bytes("write", Exchange->getPointerOperand(), Exchange->getNewValOperand()->getType());
    }
    if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
      return intrinsic(*Intrinsic);
    if (const auto *Call = dyn_cast<CallBase>(&I))
      return call(*Call);
    arithmetic(I.getOpcode());
  }

private:
  /// Lanes of \p Ty. A scalable vector has a number of them that only the processor knows.
  uint64_t lanes(const Type *Ty) {
    if (isa<ScalableVectorType>(Ty)) {
      Unknown = "vectors of a length that the processor sets";
      return 0;
    }
    const auto *Vector = dyn_cast<FixedVectorType>(Ty);
    return Vector ? Vector->getNumElements() : 1;
  }

  void count(Operation What, const Type *Ty, uint64_t Times) {
    if (const std::string Name = typeName(Ty); !Name.empty())
      add(Name + "." + keyOf(What).str(), Times, isa<FixedVectorType>(Ty));
  }
  /// Readers of GPU code take no vector for faster than single values.
  void add(const std::string &Key, uint64_t Times, bool IsVector) {
    Into.add(Key, Times);
    if (IsVector && !isDeviceModule(*I.getModule()))
      Into.add("vector." + Key, Times);
  }
  /// \p Ty: of the lanes that the instruction computes, or compares.
  void count(Operation What, const Type *Ty) {
    const auto *Vector = dyn_cast<FixedVectorType>(Ty);
    const auto *Result = dyn_cast<FixedVectorType>(I.getType());
    const bool IsByLane = Vector && Result && Vector->getNumElements() == Result->getNumElements();
    count(What, Ty, IsByLane ? usedLanes(I) : lanes(Ty));
  }

  void math(StringRef Function, const CallBase &Call) {
    const uint64_t Values = lanesOfCall(Call);
    Into.add(("call." + Function).str(), Values);
    if (Values > 1)
      Into.add(("vector." + Function).str(), Values);
  }

  void bytes(StringRef Key, const Value *Pointer, Type *Ty) {
    if (isOnStack(Pointer))
      return;
    const TypeSize Size = Layout.getTypeStoreSize(Ty);
    if (Size.isScalable())
      Unknown = "vectors of a length that the processor sets";
    else
      addBytes(Into, Key, Pointer, I, Size.getFixedValue(), Unknown);
  }

  void atomic(const AtomicRMWInst &Atomic) {
    Type *const Ty = Atomic.getValOperand()->getType();
    bytes("read", Atomic.getPointerOperand(), Ty);
    bytes("write", Atomic.getPointerOperand(), Ty);
    switch (Atomic.getOperation()) {
    case AtomicRMWInst::FAdd:
    case AtomicRMWInst::FSub:
      return count(Operation::Add, Ty);
    case AtomicRMWInst::FMax:
    case AtomicRMWInst::FMin:
      return count(Operation::MinMax, Ty);
    default:
      return;
    }
  }

  /// Whether \p User can have the negation of an operand within it: a - b, a * b - c.
  static bool takesSign(const User *User) {
    const auto *Of = dyn_cast<Instruction>(User);
    if (const auto *Call = dyn_cast<IntrinsicInst>(User))
      return Call->getIntrinsicID() == Intrinsic::fma ||
             Call->getIntrinsicID() == Intrinsic::fmuladd;
    return Of && (Of->getOpcode() == Instruction::FAdd || Of->getOpcode() == Instruction::FSub);
  }

  /// \p Opcode: that of the instruction, or for a call the one that it stands for.
  void arithmetic(unsigned Opcode) {
    Type *const Ty = I.getType();
    switch (Opcode) {
    case Instruction::FAdd:
    case Instruction::FSub:
      return count(Operation::Add, Ty);
    case Instruction::FMul:
      return count(Operation::Mul, Ty);
    case Instruction::FDiv:
      return count(Operation::Div, Ty);
    case Instruction::FRem:
      return count(Operation::Rem, Ty);
    case Instruction::FNeg:
      if (!all_of(I.users(), takesSign))
        count(Operation::Neg, Ty);
      return;
    case Instruction::FCmp:
      return count(Operation::Compare, I.getOperand(0)->getType());
    case Instruction::FPTrunc:
    case Instruction::FPExt:
    case Instruction::FPToSI:
    case Instruction::FPToUI:
    case Instruction::SIToFP:
    case Instruction::UIToFP:
      return count(Operation::Convert, Ty);
    default:
      break;
    }
    // Scalar integers are mostly addresses and loop counters.
    if (!isa<VectorType>(Ty) || !Ty->getScalarType()->isIntegerTy())
      return;
    switch (Opcode) {
    case Instruction::Add:
    case Instruction::Sub:
      return count(Operation::Add, Ty);
    case Instruction::Mul:
      return count(Operation::Mul, Ty);
    case Instruction::UDiv:
    case Instruction::SDiv:
      return count(Operation::Div, Ty);
    case Instruction::URem:
    case Instruction::SRem:
      return count(Operation::Rem, Ty);
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      if (Ty->getScalarSizeInBits() > 1)
        return count(Instruction::isShift(Opcode) ? Operation::Shift : Operation::Logic, Ty);
      return;
    default:
      return;
    }
  }

  /// A reduction of n lanes takes n - 1 operations, and one more for a start value.
  void reduction(Operation What, const Value *Vector, const Value *Start) {
    const uint64_t Lanes = lanes(Vector->getType());
    if (!Lanes)
      return;
    const auto *Constant = dyn_cast_or_null<ConstantFP>(Start);
    const bool IsNeutral =
        !Start ||
        (Constant && (What == Operation::Mul ? Constant->isExactlyValue(1.0) : Constant->isZero()));
    count(What, Vector->getType(), Lanes - (IsNeutral ? 1 : 0));
  }

  /// Bytes of the lanes that \p Mask selects.
  void masked(StringRef Key, const Value *Pointer, Type *Ty, const Value *Mask) {
    if (Pointer && isOnStack(Pointer))
      return;
    const auto *Constant = dyn_cast<llvm::Constant>(Mask);
    const uint64_t Lanes = lanes(Ty);
    const uint64_t Each = Layout.getTypeStoreSize(Ty->getScalarType());
    if (!Constant) {
      Into.add(("masked_" + Key).str(), Lanes * Each);
      return;
    }
    uint64_t On = 0;
    for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
      const auto *Bit = Constant->getAggregateElement(Lane);
      On += Bit && Bit->isOneValue();
    }
    Into.add(Key, On * Each);
  }

  /// Bytes of a constant number; a number that is known later has work of its own (dynamicBytes).
  void memory(const MemIntrinsic &Move) {
    const WorkCounts OfByte = workOfByte(Move, Unknown);
    if (const auto *Length = dyn_cast<ConstantInt>(Move.getLength()))
      Into.add(OfByte, Length->getZExtValue());
  }

  void intrinsic(const IntrinsicInst &Call) {
    if (const auto *Move = dyn_cast<MemIntrinsic>(&Call))
      return memory(*Move);
    // With -ffp-model=strict each operation is such a call.
    switch (Call.getIntrinsicID()) {
#define INSTRUCTION(Name, Arguments, Rounds, Strict)                                               \
  case Intrinsic::Strict:                                                                          \
    return arithmetic(Instruction::Name);
#define FUNCTION(Name, Arguments, Rounds, Strict)                                                  \
  case Intrinsic::Strict:                                                                          \
    return intrinsic(Call, Intrinsic::Name);
#include "llvm/IR/ConstrainedOps.def"
    default:
      return intrinsic(Call, Call.getIntrinsicID());
    }
  }

  void intrinsic(const IntrinsicInst &Call, Intrinsic::ID What) {
    Type *const Ty = Call.getType();
    switch (What) {
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
      return count(Operation::Fma, Ty);
    case Intrinsic::sqrt:
      return count(Operation::Sqrt, Ty);
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
    case Intrinsic::minimum:
    case Intrinsic::maximum:
#if LLVM_VERSION_MAJOR >= 20
    case Intrinsic::minimumnum:
    case Intrinsic::maximumnum:
#endif
      return count(Operation::MinMax, Ty);
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax:
      if (isa<VectorType>(Ty))
        count(Operation::MinMax, Ty);
      return;
    case Intrinsic::floor:
    case Intrinsic::ceil:
    case Intrinsic::trunc:
    case Intrinsic::rint:
    case Intrinsic::nearbyint:
    case Intrinsic::round:
    case Intrinsic::roundeven:
    case Intrinsic::lrint:
    case Intrinsic::llrint:
    case Intrinsic::lround:
    case Intrinsic::llround:
      return count(Operation::Round, Call.getArgOperand(0)->getType());
    case Intrinsic::vector_reduce_fadd:
      return reduction(Operation::Add, Call.getArgOperand(1), Call.getArgOperand(0));
    case Intrinsic::vector_reduce_fmul:
      return reduction(Operation::Mul, Call.getArgOperand(1), Call.getArgOperand(0));
    case Intrinsic::vector_reduce_fmax:
    case Intrinsic::vector_reduce_fmin:
    case Intrinsic::vector_reduce_fmaximum:
    case Intrinsic::vector_reduce_fminimum:
    case Intrinsic::vector_reduce_smax:
    case Intrinsic::vector_reduce_smin:
    case Intrinsic::vector_reduce_umax:
    case Intrinsic::vector_reduce_umin:
      return reduction(Operation::MinMax, Call.getArgOperand(0), nullptr);
    case Intrinsic::vector_reduce_add:
      return reduction(Operation::Add, Call.getArgOperand(0), nullptr);
    case Intrinsic::vector_reduce_mul:
      return reduction(Operation::Mul, Call.getArgOperand(0), nullptr);
    case Intrinsic::vector_reduce_and:
    case Intrinsic::vector_reduce_or:
    case Intrinsic::vector_reduce_xor:
      if (Ty->getScalarSizeInBits() > 1)
        reduction(Operation::Logic, Call.getArgOperand(0), nullptr);
      return;
    // The position of an alignment among the arguments differs between majors, those of pointer and
    // mask do not: pointers come first, masks before what inactive lanes get.
    case Intrinsic::masked_load:
    case Intrinsic::masked_gather:
      return masked("read", Call.getArgOperand(0), Ty, maskOf(Call));
    case Intrinsic::masked_store:
    case Intrinsic::masked_scatter:
      return masked("write", Call.getArgOperand(1), Call.getArgOperand(0)->getType(), maskOf(Call));
    case Intrinsic::masked_expandload:
      return masked("read", Call.getArgOperand(0), Ty, maskOf(Call));
    case Intrinsic::masked_compressstore:
      return masked("write", Call.getArgOperand(1), Call.getArgOperand(0)->getType(), maskOf(Call));
    default:
      break;
    }
    const StringRef Name = Call.getCalledFunction()->getName();
    if (const StringRef Function = mathFunction(Name); !Function.empty()) {
      math(Function, Call);
      return;
    }
    if (!addDeviceWork(Call, Into, Unknown))
      target(Call, Name);
  }

  /// Instructions of one processor family that have no other form.
  void target(const IntrinsicInst &Call, StringRef Name) {
    const std::optional<TargetOperation> Found = targetOperation(Name);
    Type *const Ty = Call.getType();
    const bool IsOfNumbers =
        Ty->isFPOrFPVectorTy() || (isa<VectorType>(Ty) && Ty->getScalarType()->isIntegerTy());
    if (!Found) {
      if (Name.starts_with("llvm.x86.") || Name.starts_with("llvm.aarch64."))
        if (IsOfNumbers || Call.mayReadOrWriteMemory())
          Unknown = ("instruction " + Name).str();
      return;
    }
    const uint64_t Lanes = Found->IsScalar ? 1 : lanes(Ty);
    if (!Found->Key.empty())
      add((Found->Type.empty() ? typeName(Ty) : Found->Type.str()) + "." + Found->Key.str(),
          Lanes * Found->Each, !Found->IsScalar && isa<FixedVectorType>(Ty));
  }

  void assembly(const CallBase &Call) {
    const auto Operations = assemblyOperations(Call);
    if (!Operations) {
      Unknown = "inline assembly";
      return;
    }
    for (const AssemblyOperation &Each : *Operations) {
      // With several instructions, the result does not show which lanes of each are read.
      const auto *Result = dyn_cast<FixedVectorType>(I.getType());
      const bool IsResult = Operations->size() == 1 && Result && Each.IsPacked &&
                            Result->getNumElements() == Each.Lanes;
      add((Each.IsDouble ? "f64." : "f32.") + Each.Key.str(), IsResult ? usedLanes(I) : Each.Lanes,
          Each.IsPacked);
      if (Each.Read && !isOnStack(Each.Read))
        addBytes(Into, "read", Each.Read, I, Each.Bytes, Unknown);
    }
  }

  void call(const CallBase &Call) {
    if (Call.isInlineAsm())
      return assembly(Call);
    const auto *Callee = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases());
    if (!Callee) {
      Unknown = "an indirect call";
      return;
    }
    const StringRef Name = Callee->getName();
    if (const StringRef Function = mathFunction(Name); !Function.empty()) {
      math(Function, Call);
      return;
    }
    if (const std::optional<Operation> What = plainOperation(Call))
      return count(*What, Call.getType());
    if (const VectorFill Fill = filledVector(Call, Library); Fill.Values) {
      if (const auto *Values = dyn_cast<ConstantInt>(Fill.Values))
        Into.add("write", Fill.Bytes * Values->getZExtValue());
      return;
    }
    if (isWithoutWork(Name) || isAllocationFn(&Call, &Library) || getFreedOperand(&Call, &Library))
      return;
    Unknown = ("a call of " + Name).str();
  }

  /// What a function of C computes in one instruction on most processors; sqrt is a call because it
  /// may set errno.
  std::optional<Operation> plainOperation(const CallBase &Call) const {
    LibFunc Function;
    if (!Library.getLibFunc(Call, Function))
      return std::nullopt;
    switch (Function) {
    case LibFunc_sqrt:
    case LibFunc_sqrtf:
    case LibFunc_sqrtl:
      return Operation::Sqrt;
    case LibFunc_fmin:
    case LibFunc_fminf:
    case LibFunc_fminl:
    case LibFunc_fmax:
    case LibFunc_fmaxf:
    case LibFunc_fmaxl:
      return Operation::MinMax;
    case LibFunc_floor:
    case LibFunc_floorf:
    case LibFunc_ceil:
    case LibFunc_ceilf:
    case LibFunc_trunc:
    case LibFunc_truncf:
    case LibFunc_round:
    case LibFunc_roundf:
    case LibFunc_rint:
    case LibFunc_rintf:
    case LibFunc_nearbyint:
    case LibFunc_nearbyintf:
      return Operation::Round;
    default:
      return std::nullopt;
    }
  }

  /// Vector functions return one vector, or two of them, or store them.
  uint64_t lanesOfCall(const CallBase &Call) {
    Type *Ty = Call.getType();
    if (const auto *Several = dyn_cast<StructType>(Ty); Several && Several->getNumElements())
      Ty = Several->getElementType(0);
    if (Ty->isVoidTy() && Call.arg_size())
      Ty = Call.getArgOperand(0)->getType();
    return lanes(Ty);
  }

  const Instruction &I;
  const DataLayout &Layout;
  const TargetLibraryInfo &Library;
  WorkCounts &Into;
  std::string &Unknown;
};

} // namespace

WorkCounts workOf(const Instruction &I, const TargetLibraryInfo &Library, std::string &Unknown) {
  WorkCounts Counts;
  Counter(I, Library, Counts, Unknown).run();
  return Counts;
}

Value *dynamicBytes(const Instruction &I, const TargetLibraryInfo &Library, WorkCounts &OfEach) {
  if (Value *const Length = deviceLength(I, OfEach))
    return Length;
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    const VectorFill Fill = filledVector(*Call, Library);
    if (Fill.Values && !isa<ConstantInt>(Fill.Values)) {
      OfEach.add("write", Fill.Bytes);
      return Fill.Values;
    }
  }
  const auto *Move = dyn_cast<MemIntrinsic>(&I);
  if (!Move || isa<ConstantInt>(Move->getLength()))
    return nullptr;
  std::string Unknown; // workOf() has it
  OfEach = workOfByte(*Move, Unknown);
  return OfEach.empty() ? nullptr : Move->getLength();
}

bool computes(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    return I.getType()->isVectorTy() || I.getType()->isFloatingPointTy() || isa<MemIntrinsic>(I) ||
           (isa<StoreInst>(I) && (I.getOperand(0)->getType()->isVectorTy() ||
                                  I.getOperand(0)->getType()->isFloatingPointTy()));
  });
}

} // namespace seamscope
