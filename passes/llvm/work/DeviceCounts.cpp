//===- DeviceCounts.cpp - the work of GPU instructions ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intrinsics by name, as LLVM 19 to 22 spell them: llvm.nvvm.fma.rn.ftz.f,
// llvm.nvvm.mma.m16n8k16.row.col.f32.f32, llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3.
//
//===----------------------------------------------------------------------===//
#include "work/DeviceCounts.h"

#include "device/DeviceCode.h"
#include "device/DevicePlan.h"
#include "device/DeviceTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace seamscope {
namespace {

constexpr StringLiteral Prefix = "llvm.nvvm.";

struct DeviceOperation {
  StringRef Key = {};  ///< of work.def; empty: it does not compute
  StringRef Type = {}; ///< of the elements; empty: that of the result
  uint64_t Times = 1;  ///< operations for each lane of the result or, with a type, in all
  StringRef Math = {}; ///< the function of C that it approximates; empty: none
  const Value *Read = nullptr, *Written = nullptr; ///< pointers
  uint64_t Bytes = 0;                              ///< read, and written
  const Value *ReadBytes = nullptr; ///< bytes that are read, at most `Bytes`; null: all
  Value *Length = nullptr;          ///< bytes instead of `Bytes`; null: those
};

MemoryKind kindOfObject(const Value &Object) {
  if (isa<AllocaInst>(Object))
    return MemoryKind::None;
  if (const auto *Parameter = dyn_cast<Argument>(&Object); Parameter && Parameter->hasByValAttr())
    return MemoryKind::None;
  switch (Object.getType()->getPointerAddressSpace()) {
  case SharedMemory:
  case ClusterMemory:
    return MemoryKind::Shared;
  case ConstantMemory:
  case LocalMemory:
  case ParameterMemory:
    return MemoryKind::None;
  default:
    return MemoryKind::Data;
  }
}

/// The number behind \p Letter in a shape, "m16n8k16"; 0: it has none.
uint64_t sizeIn(StringRef Shape, char Letter) {
  const size_t At = Shape.find(Letter);
  uint64_t Size = 0;
  if (At != StringRef::npos)
    Shape.drop_front(At + 1).consumeInteger(10, Size);
  return Size;
}

struct Shape {
  uint64_t M, N, K;

  explicit Shape(StringRef Text)
      : M(sizeIn(Text, 'm')), N(sizeIn(Text, 'n')), K(sizeIn(Text, 'k')) {}
  uint64_t products() const { return M * N * K; }
};

bool hasPart(StringRef Name, StringRef Part) {
  SmallVector<StringRef> Parts;
  Name.split(Parts, '.');
  return is_contained(Parts, Part);
}

/// The type of the numbers that a matrix instruction multiplies.
StringRef multipliedType(StringRef Name) {
  for (const StringRef Type : {"bf16", "tf32", "f64"})
    if (hasPart(Name, Type))
      return Type;
  for (const StringRef Type : {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"})
    if (hasPart(Name, Type))
      return "f8";
  if (hasPart(Name, "s8") || hasPart(Name, "u8"))
    return "i8";
  if (hasPart(Name, "s4") || hasPart(Name, "u4"))
    return "i4";
  return hasPart(Name, "b1") ? "i1" : "f16";
}

/// Bits of one of \p Type's numbers in memory.
uint64_t bitsOf(StringRef Type) {
  uint64_t Bits = 0;
  Type.ltrim("abcdefghijklmnopqrstuvwxyz").consumeInteger(10, Bits);
  return Type == "tf32" ? 32 : Bits;
}

/// m8n8k4 of f16 is four products, one of each quarter of the warp.
DeviceOperation product(StringRef Name) {
  const Shape Of(Name.split('.').first);
  const StringRef Type = multipliedType(Name);
  const uint64_t AtOnce = Of.products() == 256 && Type == "f16" ? 4 : 1;
  return {"mma", Type, AtOnce * Of.products() / WarpSize};
}

/// wmma.m16n16k16.load.a.row.stride.f16.p1, wmma.m16n16k16.store.d.row.f32.p0.
std::optional<DeviceOperation> fragment(const CallBase &Call, StringRef Name) {
  const auto [ShapeText, Rest] = Name.split('.');
  const Shape Of(ShapeText);
  SmallVector<StringRef> Parts;
  Rest.split(Parts, '.');
  if (Parts.size() < 4 || !Of.products())
    return std::nullopt;
  const StringRef Type = Parts.back().starts_with("p") ? Parts[Parts.size() - 2] : Parts.back();
  const uint64_t Elements = Parts[1] == "a"   ? Of.M * Of.K
                            : Parts[1] == "b" ? Of.K * Of.N
                                              : Of.M * Of.N;
  DeviceOperation Does;
  Does.Bytes = Elements * bitsOf(Type) / 8 / WarpSize;
  (Parts[0] == "load" ? Does.Read : Does.Written) = Call.getArgOperand(0);
  return Does.Bytes ? std::optional(Does) : std::nullopt;
}

/// ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3: 8 rows of 16 bytes each; of 16x16 bytes, twice that.
std::optional<DeviceOperation> matrices(const CallBase &Call, StringRef Name, bool IsLoad) {
  uint64_t Count = 0, Each = 0;
  for (const uint64_t Number : {1, 2, 4})
    if (hasPart(Name, "x" + std::to_string(Number)))
      Count = Number;
  if ((Name.starts_with("m8n8.") && hasPart(Name, "b16")) ||
      (Name.starts_with("m16n8.") && hasPart(Name, "b8")))
    Each = 128;
  else if (Name.starts_with("m16n16.") && hasPart(Name, "b8"))
    Each = 256;
  if (!Count || !Each)
    return std::nullopt;
  DeviceOperation Does;
  Does.Bytes = Count * Each / WarpSize;
  (IsLoad ? Does.Read : Does.Written) = Call.getArgOperand(0);
  return Does;
}

/// cp.async.cg.shared.global.16, with a number of bytes to read: .s.
DeviceOperation asyncCopy(const CallBase &Call, StringRef Name) {
  DeviceOperation Does;
  Does.Written = Call.getArgOperand(0);
  Does.Read = Call.getArgOperand(1);
  if (Name.consume_back(".s"))
    Does.ReadBytes = Call.getArgOperand(2);
  Name.rsplit('.').second.getAsInteger(10, Does.Bytes);
  return Does;
}

/// cp.async.bulk.global.to.shared.cluster: the only argument of 32 bits is the size, and the source
/// is the last pointer.
std::optional<DeviceOperation> bulkCopy(const CallBase &Call) {
  DeviceOperation Does;
  Does.Written = Call.getArgOperand(0);
  for (Value *Argument : Call.args()) {
    if (Argument->getType()->isPointerTy())
      Does.Read = Argument;
    if (Argument->getType()->isIntegerTy(32) && !Does.Length)
      Does.Length = Argument;
  }
  return Does.Length ? std::optional(Does) : std::nullopt;
}

/// Until LLVM 19 loads of what does not change are calls.
DeviceOperation loaded(const CallBase &Call) {
  DeviceOperation Does;
  Does.Read = Call.getArgOperand(0);
  Does.Bytes = Call.getModule()->getDataLayout().getTypeStoreSize(Call.getType());
  return Does;
}

/// atomic.add.gen.f.cta.
DeviceOperation scopedAtomic(const CallBase &Call, StringRef Name) {
  DeviceOperation Does;
  Does.Read = Does.Written = Call.getArgOperand(0);
  Does.Bytes = Call.getType()->getPrimitiveSizeInBits().getFixedValue() / 8;
  if (Name.starts_with("atomic.add.gen.f"))
    Does.Key = "add";
  return Does;
}

/// Types of results that LLVM 19 has as bits.
DeviceOperation computed(const CallBase &Call, StringRef Name, StringRef Key) {
  if (Call.getType()->isFPOrFPVectorTy())
    return {Key};
  for (const StringRef Type : {"bf16", "f16"})
    if (hasPart(Name, Type) || hasPart(Name, (Type + "x2").str()))
      return {Key, Type, hasPart(Name, Type) ? 1u : 2u};
  return {Key};
}

constexpr struct {
  StringLiteral Begin, Key;
} Computing[] = {
    {"fma.", "fma"},     {"add.r", "add"},           {"sub.r", "add"},        {"mul.r", "mul"},
    {"div.", "div"},     {"rcp.rn", "div"},          {"rcp.rz", "div"},       {"rcp.rm", "div"},
    {"rcp.rp", "div"},   {"rcp.approx", "estimate"}, {"rsqrt.", "estimate"},  {"sqrt.", "sqrt"},
    {"fmin.", "minmax"}, {"fmax.", "minmax"},        {"saturate.", "minmax"}, {"neg.", "neg"},
    {"floor.", "round"}, {"ceil.", "round"},         {"round.", "round"},     {"trunc.", "round"},
};

/// The function of float: the type of vectors of two halves does not change the name.
constexpr struct {
  StringLiteral Begin, Function;
} Approximating[] = {
    {"ex2.approx", "exp2f"}, {"lg2.approx", "log2f"},  {"sin.approx", "sinf"},
    {"cos.approx", "cosf"},  {"tanh.approx", "tanhf"},
};

/// These order threads, move values between them, or say something about them.
constexpr StringLiteral WithoutWork[] = {
    "abs.",
    "activemask",
    "applypriority.",
    "bar.",
    "barrier",
    "bitcast",
    "clusterlaunch",
    "cp.async.bulk.commit",
    "cp.async.bulk.prefetch",
    "cp.async.bulk.tensor.prefetch",
    "cp.async.bulk.wait",
    "cp.async.commit",
    "cp.async.mbarrier",
    "cp.async.wait",
    "d2i.hi",
    "d2i.lo",
    "discard.",
    "elect.",
    "exit",
    "fabs",
    "fence.",
    "getctarank",
    "griddepcontrol",
    "isspacep.",
    "is_explicit_cluster",
    "lohi.",
    "mapa",
    "match.",
    "mbarrier.",
    "membar.",
    "move.",
    "nanosleep",
    "pm.event",
    "prefetch",
    "ptr.",
    "read.ptx.sreg",
    "redux.sync.",
    "reflect",
    "setmaxnreg",
    "shfl.sync.",
    "vote.",
    "wgmma.commit",
    "wgmma.fence",
    "wgmma.wait",
};

/// d2f.rn, ff2bf16x2.rn, ui2d.rn, f16x2.to.e4m3x2.rn.
bool converts(StringRef Name) {
  const StringRef First = Name.split('.').first;
  const StringRef From = First.take_until([](char C) { return C == '2'; });
  static constexpr StringLiteral Sources[] = {"bf", "d", "f",  "ff",  "h",  "i",
                                              "ll", "s", "ui", "ull", "us", "uc"};
  return Name.split('.').second.starts_with("to.") ||
         (From.size() < First.size() && is_contained(Sources, From));
}

/// What \p Call does, of which \p Name is the intrinsic's without "llvm.nvvm."; nothing: unknown.
std::optional<DeviceOperation> deviceOperation(const CallBase &Call, StringRef Name) {
  const auto Begins = [&](StringRef With) { return Name.starts_with(With); };
  for (const auto &[Begin, Function] : Approximating)
    if (Begins(Begin)) {
      DeviceOperation Does = computed(Call, Name, "");
      Does.Math = Function;
      return Does;
    }
  if (Begins("mma.m"))
    return product(Name.drop_front(StringRef("mma.").size()));
  if (Name.consume_front("wmma."))
    return Name.contains(".mma.") ? product(Name) : fragment(Call, Name);
  for (const StringRef Move : {"ldmatrix", "stmatrix"})
    if (StringRef Rest = Name; Rest.consume_front(Move) && Rest.consume_front(".sync.aligned."))
      return matrices(Call, Rest, Move == "ldmatrix");
  if (Begins("cp.async.ca.shared.global.") || Begins("cp.async.cg.shared.global."))
    return asyncCopy(Call, Name);
  if (Begins("cp.async.bulk.global.to.shared") || Name == "cp.async.bulk.shared.cta.to.cluster" ||
      Name == "cp.async.bulk.shared.cta.to.global")
    return bulkCopy(Call);
  if (Begins("ldg.global.") || Begins("ldu.global."))
    return loaded(Call);
  if (Begins("atomic."))
    return scopedAtomic(Call, Name);
  if (Begins("idp4a."))
    return DeviceOperation{"fma", "i8", 4};
  if (Begins("idp2a."))
    return DeviceOperation{"fma", "i16", 2};
  if (any_of(WithoutWork, Begins))
    return DeviceOperation();
  for (const auto &[Begin, Key] : Computing)
    if (Begins(Begin))
      return computed(Call, Name, Key);
  if (converts(Name))
    return DeviceOperation{"convert"};
  return std::nullopt;
}

/// The same; nothing also if \p I is something else.
std::optional<DeviceOperation> deviceOperation(const Instruction &I) {
  const auto *const Call = dyn_cast<IntrinsicInst>(&I);
  StringRef Name = Call ? Call->getCalledFunction()->getName() : StringRef();
  return Name.consume_front(Prefix) ? deviceOperation(*Call, Name) : std::nullopt;
}

/// Whether \p Ty has floating-point numbers.
bool hasNumbers(const Type &Ty) {
  return Ty.isFPOrFPVectorTy() ||
         any_of(Ty.subtypes(), [](const Type *Part) { return Part->isFPOrFPVectorTy(); });
}

} // namespace

MemoryKind memoryKind(const Value *Pointer, const Instruction &By) {
  if (!isDeviceModule(*By.getModule()))
    return isOnStack(Pointer) ? MemoryKind::None : MemoryKind::Data;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects);
  erase_if(Objects, [](const Value *Each) { return isa<ConstantPointerNull, UndefValue>(Each); });
  if (Objects.empty())
    return kindOfObject(*Pointer);
  const MemoryKind First = kindOfObject(*Objects.front());
  return all_of(Objects, [&](const Value *Each) { return kindOfObject(*Each) == First; })
             ? First
             : MemoryKind::Mixed;
}

void addBytes(WorkCounts &Into, StringRef Key, const Value *Pointer, const Instruction &By,
              uint64_t Bytes, std::string &Unknown) {
  switch (memoryKind(Pointer, By)) {
  case MemoryKind::Data:
    return Into.add(Key, Bytes);
  case MemoryKind::Shared:
    return Into.add(("shared_" + Key).str(), Bytes);
  case MemoryKind::None:
    return;
  case MemoryKind::Mixed:
    Unknown = "a pointer to one of several kinds of memory";
  }
}

bool addDeviceWork(const CallBase &Call, WorkCounts &Into, std::string &Unknown) {
  const StringRef Name = Call.getCalledFunction()->getName();
  if (!Name.starts_with(Prefix))
    return false;
  const Type &Ty = *Call.getType();
  const std::optional<DeviceOperation> Does = deviceOperation(Call);
  if (!Does) {
    if (hasNumbers(Ty) || Call.mayReadOrWriteMemory())
      Unknown = ("instruction " + Name).str();
    return true;
  }
  const auto *const Vector = dyn_cast<FixedVectorType>(&Ty);
  const uint64_t Times =
      Does->Times * (Vector && Does->Type.empty() ? Vector->getNumElements() : 1);
  if (!Does->Key.empty())
    Into.add((Does->Type.empty() ? typeName(&Ty) : Does->Type.str()) + "." + Does->Key.str(),
             Times);
  if (!Does->Math.empty())
    Into.add(("call." + Does->Math).str(), Times);
  WorkCounts OfByte;
  WorkCounts &Moved = Does->Length ? OfByte : Into;
  if (Does->Written)
    addBytes(Moved, "write", Does->Written, Call, Does->Bytes, Unknown);
  if (Does->Read) {
    const auto *const Asked = dyn_cast_or_null<ConstantInt>(Does->ReadBytes);
    addBytes(Moved, Does->ReadBytes && !Asked ? "masked_read" : "read", Does->Read, Call,
             Asked ? std::min(Asked->getZExtValue(), Does->Bytes) : Does->Bytes, Unknown);
  }
  return true;
}

Value *deviceLength(const Instruction &I, WorkCounts &OfByte) {
  const std::optional<DeviceOperation> Does = deviceOperation(I);
  if (!Does || !Does->Length)
    return nullptr;
  std::string Unknown; // addDeviceWork() has it
  addBytes(OfByte, "write", Does->Written, I, 1, Unknown);
  addBytes(OfByte, "read", Does->Read, I, 1, Unknown);
  return Does->Length;
}

} // namespace seamscope
