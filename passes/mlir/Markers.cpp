//===- Markers.cpp - markers at the begin and end of a group, in MLIR -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Markers.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace seamscope::mlir_passes {
namespace {

constexpr StringRef EnterName = "__seamscope_group_enter_v1";
constexpr StringRef ExitName = "__seamscope_group_exit_v1";

bool calls(Operation *Op, StringRef Name) {
  auto Call = dyn_cast_or_null<LLVM::CallOp>(Op);
  return Call && Call.getCallee() == Name;
}

/// The block for the frame of a group in \p Op: the first block of the function or of the body of
/// async.execute. That body has its own stack frame, since it may run on another thread after its
/// function returned.
Block &frameBlock(Operation &Op) {
  Operation *Around = Op.getParentOp();
  Region *Body = Op.getParentRegion();
  while (!isa<FunctionOpInterface>(Around) && Around->getName().getStringRef() != "async.execute" &&
         Around->getParentOp() && Around->getParentOp()->getParentOp()) {
    Body = Around->getParentRegion();
    Around = Around->getParentOp();
  }
  return Body->front();
}

} // namespace

MarkerWriter::MarkerWriter(ModuleOp Module)
    : Module(Module), Symbols(Module), B(Module.getContext()) {}

bool MarkerWriter::isMarked(Operation &Op) { return calls(Op.getPrevNode(), EnterName); }

LogicalResult MarkerWriter::checkNames() {
  for (const auto &[Name, Parameters] : {std::pair(EnterName, 2u), std::pair(ExitName, 1u)})
    if (Operation *Taken = Symbols.lookup(Name)) {
      auto F = dyn_cast<LLVM::LLVMFuncOp>(Taken);
      if (!F || F.getNumArguments() != Parameters || !F.isExternal())
        return Taken->emitError("seamscope-instrument: @")
               << Name << " is reserved for Seamscope's runtime: rename this symbol";
    }
  return success();
}

LLVM::LLVMFuncOp MarkerWriter::declare(StringRef Name, unsigned Parameters) {
  if (auto Known = Symbols.lookup<LLVM::LLVMFuncOp>(Name))
    return Known;
  MLIRContext *C = Module.getContext();
  const auto Ptr = LLVM::LLVMPointerType::get(C);
  const SmallVector<Type> Types(Parameters, Ptr);
  OpBuilder At = OpBuilder::atBlockBegin(Module.getBody());
  auto F = LLVM::LLVMFuncOp::create(At, UnknownLoc::get(C), Name,
                                    LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(C), Types));
  F.setNoUnwind(true);
  F.setWillReturn(true);
  const auto None = LLVM::ModRefInfo::NoModRef, All = LLVM::ModRefInfo::ModRef;
  F.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(C, {None, All, All, None, None, None}));
  Symbols.insert(F);
  return F;
}

LLVM::GlobalOp MarkerWriter::site(const GroupSite &Site, Location Loc) {
  std::string Bytes(8, '\0'); // id, reserved
  for (const std::string &Text : {std::to_string(Site.At.Line), std::to_string(Site.At.Column),
                                  Site.Name, Site.Function, Site.At.File, Site.Ops})
    Bytes.append(Text.c_str()).push_back('\0');
  const auto Type = LLVM::LLVMArrayType::get(B.getI8Type(), Bytes.size());
  OpBuilder At = OpBuilder::atBlockBegin(Module.getBody());
  auto Global =
      LLVM::GlobalOp::create(At, Loc, Type, /*isConstant=*/false, LLVM::Linkage::Internal,
                             "__seamscope_group", B.getStringAttr(Bytes), /*alignment=*/8);
  Symbols.insert(Global);
  return Global;
}

void MarkerWriter::mark(Operation &Op, const GroupSite &Site) {
  MLIRContext *C = Module.getContext();
  const Location Loc = Op.getLoc();
  const auto Ptr = LLVM::LLVMPointerType::get(C);
  const Type I32 = B.getI32Type(), I64 = B.getI64Type();
  LLVM::LLVMFuncOp Enter = declare(EnterName, 2), Exit = declare(ExitName, 1);
  LLVM::GlobalOp Global = site(Site, Loc);
  Block &Entry = frameBlock(Op);
  OpBuilder At = OpBuilder::atBlockBegin(&Entry);
  Value &Frame = Frames[&Entry];
  if (!Frame) {
    const Value One = LLVM::ConstantOp::create(At, Loc, I32, At.getI32IntegerAttr(1));
    Frame = LLVM::AllocaOp::create(
        At, Loc, Ptr, LLVM::LLVMStructType::getLiteral(C, {I64, I64, I32, I32}), One, 8);
  }
  At.setInsertionPoint(&Op);
  const Value Address = LLVM::AddressOfOp::create(At, Loc, Global);
  LLVM::CallOp::create(At, Loc, Enter, ValueRange{Address, Frame});
  At.setInsertionPointAfter(&Op);
  LLVM::CallOp::create(At, Loc, Exit, ValueRange{Frame});
}

} // namespace seamscope::mlir_passes
