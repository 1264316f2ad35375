//===- PrintOps.cpp - printing of the operator table ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "seamscope/mlir/Passes.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
namespace json = llvm::json;

namespace seamscope::mlir_passes {

#define GEN_PASS_DEF_PRINTOPSPASS
#include "seamscope/mlir/Passes.h.inc"

namespace {

void printBytes(json::OStream &Into, const Amount &Bytes) {
  if (const auto Value = Bytes.constant())
    Into.attribute("bytes", *Value);
  else if (Bytes.known())
    Into.attribute("bytes", Bytes.text());
}

/// `3.0` is result 0 of operator 3; `v0` is a value that no captured operator produces.
std::string valueText(int64_t Value) {
  if (Value < 0)
    return "v" + std::to_string(-(Value + 1));
  return std::to_string(Value >> 16) + "." + std::to_string(Value & MostResult);
}

void printOp(json::OStream &Into, const CapturedOp &Op) {
  Into.attribute("op", Op.Op);
  Into.attribute("name", Op.Name);
  Into.attribute("result", Op.Result);
  Into.attribute("function", Op.Function);
  if (!Op.At.File.empty()) {
    Into.attribute("file", Op.At.File);
    Into.attribute("line", Op.At.Line);
    Into.attribute("column", Op.At.Column);
  }
  if (Op.PartOf)
    Into.attribute("part_of", *Op.PartOf);
  if (const auto Flops = Op.Flops.constant())
    Into.attribute("flops", *Flops);
  else if (Op.Flops.known())
    Into.attribute("flops", Op.Flops.text());
  if (!Op.Inputs.empty())
    Into.attributeArray("reads", [&] {
      for (const Transfer &Input : Op.Inputs)
        Into.object([&] {
          Into.attribute("value", valueText(Input.Value));
          printBytes(Into, Input.Bytes);
        });
    });
  if (!Op.Outputs.empty())
    Into.attributeArray("writes", [&] {
      for (const Output &Out : Op.Outputs)
        Into.object([&] {
          Into.attribute("value", valueText(Out.Value));
          printBytes(Into, Out.Bytes);
          Into.attributeArray("readers", [&] {
            for (unsigned Reader : Out.Readers)
              Into.value(Reader);
          });
          Into.attribute("escapes", Out.Escapes);
        });
    });
}

class PrintOpsPass : public impl::PrintOpsPassBase<PrintOpsPass> {
  void runOnOperation() override {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    for (const CapturedOp &Op : OpTable::read(getOperation()).Ops) {
      json::OStream Json(OS);
      Json.object([&] { printOp(Json, Op); });
      OS << '\n';
    }
    llvm::errs() << Text;
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace seamscope::mlir_passes
