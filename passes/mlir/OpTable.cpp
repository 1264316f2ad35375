//===- OpTable.cpp - the captured operators of a module -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include "mlir/IR/Builders.h"

#include <map>

using namespace mlir;
using llvm::StringRef;

namespace seamscope::mlir_passes {
namespace {

constexpr StringRef TableName = "seamscope.ops";

std::string textIn(DictionaryAttr From, StringRef Key) {
  const auto Text = From.getAs<StringAttr>(Key);
  return Text ? boundedText(Text.getValue()) : std::string();
}

unsigned numberIn(DictionaryAttr From, StringRef Key) {
  const auto Number = From.getAs<IntegerAttr>(Key);
  if (!Number || Number.getValue().getBitWidth() > 64)
    return 0;
  const int64_t Value = Number.getValue().getSExtValue();
  return Value < 0 || Value > UINT32_MAX ? 0 : static_cast<unsigned>(Value);
}

template <typename Each> void forEachIn(DictionaryAttr From, StringRef Key, Each Take) {
  if (const auto List = From.getAs<ArrayAttr>(Key))
    for (Attribute Entry : List)
      if (auto Dictionary = dyn_cast<DictionaryAttr>(Entry))
        Take(Dictionary);
}

class Writer {
public:
  explicit Writer(MLIRContext *Context) : B(Context) {}

  Attribute entry(const CapturedOp &Op) {
    Fields.clear();
    text("op", Op.Op);
    text("name", Op.Name);
    text("result", Op.Result);
    text("function", Op.Function);
    text("file", Op.At.File);
    number("line", Op.At.Line);
    number("column", Op.At.Column);
    if (Op.PartOf)
      Fields.push_back(B.getNamedAttr("part_of", B.getI64IntegerAttr(*Op.PartOf)));
    if (const std::string Flops = Op.Flops.text(); Flops.size() <= MostText)
      text("flops", Flops);
    SmallVector<Attribute> Inputs, Outputs;
    for (const Transfer &Input : Op.Inputs)
      Inputs.push_back(B.getDictionaryAttr(transfer(Input)));
    for (const Output &Out : Op.Outputs) {
      SmallVector<NamedAttribute> Entry = transfer(Out);
      SmallVector<int64_t> Readers(Out.Readers.begin(), Out.Readers.end());
      Entry.push_back(B.getNamedAttr("readers", B.getDenseI64ArrayAttr(Readers)));
      if (Out.Escapes)
        Entry.push_back(B.getNamedAttr("escapes", B.getUnitAttr()));
      Outputs.push_back(B.getDictionaryAttr(Entry));
    }
    if (!Inputs.empty())
      Fields.push_back(B.getNamedAttr("reads", B.getArrayAttr(Inputs)));
    if (!Outputs.empty())
      Fields.push_back(B.getNamedAttr("writes", B.getArrayAttr(Outputs)));
    return B.getDictionaryAttr(Fields);
  }

  Builder B;

private:
  void text(StringRef Key, StringRef Text) {
    if (!Text.empty())
      Fields.push_back(B.getNamedAttr(Key, B.getStringAttr(Text)));
  }
  void number(StringRef Key, unsigned Value) {
    if (Value)
      Fields.push_back(B.getNamedAttr(Key, B.getI64IntegerAttr(Value)));
  }
  SmallVector<NamedAttribute> transfer(const Transfer &Of) {
    SmallVector<NamedAttribute> Entry{B.getNamedAttr("value", B.getStringAttr(Of.Value))};
    // What is cut when it is read is another amount.
    if (const std::string Bytes = Of.Bytes.text(); !Bytes.empty() && Bytes.size() <= MostText)
      Entry.push_back(B.getNamedAttr("bytes", B.getStringAttr(Bytes)));
    return Entry;
  }

  SmallVector<NamedAttribute> Fields;
};

Transfer readTransfer(DictionaryAttr From) {
  return {textIn(From, "value"), Amount::parse(textIn(From, "bytes"))};
}

} // namespace

bool OpTable::isIn(ModuleOp Module) { return Module->hasAttr(TableName); }

OpTable OpTable::read(ModuleOp Module) {
  OpTable Table;
  const auto List = Module->getAttrOfType<ArrayAttr>(TableName);
  if (!List)
    return Table;
  for (Attribute Entry : List) {
    CapturedOp &Op = Table.Ops.emplace_back();
    const auto From = dyn_cast<DictionaryAttr>(Entry);
    if (!From)
      continue; // keeps its number
    Op.Op = textIn(From, "op");
    Op.Name = textIn(From, "name");
    Op.Result = textIn(From, "result");
    Op.Function = textIn(From, "function");
    Op.At = {textIn(From, "file"), numberIn(From, "line"), numberIn(From, "column")};
    if (From.get("part_of"))
      Op.PartOf = numberIn(From, "part_of");
    Op.Flops = Amount::parse(textIn(From, "flops"));
    forEachIn(From, "reads",
              [&](DictionaryAttr Entry) { Op.Inputs.push_back(readTransfer(Entry)); });
    forEachIn(From, "writes", [&](DictionaryAttr Entry) {
      Output Out;
      static_cast<Transfer &>(Out) = readTransfer(Entry);
      Out.Escapes = Entry.get("escapes") != nullptr;
      const auto Readers = Entry.getAs<DenseI64ArrayAttr>("readers");
      for (int64_t Reader : Readers ? Readers.asArrayRef() : ArrayRef<int64_t>()) {
        if (Reader >= 0 && Reader < UINT32_MAX)
          Out.Readers.push_back(static_cast<unsigned>(Reader));
        else
          Out.Escapes = true;
      }
      Op.Outputs.push_back(std::move(Out));
    });
  }
  return Table;
}

void OpTable::write(ModuleOp Module) const {
  Writer W(Module.getContext());
  SmallVector<Attribute> Entries;
  Entries.reserve(Ops.size());
  for (const CapturedOp &Op : Ops)
    Entries.push_back(W.entry(Op));
  Module->setAttr(TableName, W.B.getArrayAttr(Entries));
}

GroupWork OpTable::work(const std::set<unsigned> &Ids) const {
  GroupWork Sum{0, 0, 0};
  std::set<unsigned> Whole;
  for (unsigned Id : Ids) {
    if (Id >= Ops.size())
      return {};
    Sum.Flops = Sum.Flops + Ops[Id].Flops;
    Whole.insert(Ops[Id].PartOf.value_or(Id));
  }
  std::map<std::string, Amount> Read; // from outside, once each
  std::set<std::string> Made;
  for (unsigned Id : Whole) {
    if (Id >= Ops.size())
      return {};
    const CapturedOp &Op = Ops[Id];
    // An operator without any is one whose operands are not understood.
    if (Op.Inputs.empty() && Op.Outputs.empty())
      Sum.Bytes = Sum.UnfusedBytes = Amount();
    for (const Transfer &Input : Op.Inputs) {
      Sum.UnfusedBytes = Sum.UnfusedBytes + Input.Bytes;
      if (Made.contains(Input.Value))
        continue;
      const auto [At, New] = Read.try_emplace(Input.Value, Input.Bytes);
      // Where operators read different parts of a value, what all of them read is not known.
      if (!New && !(At->second == Input.Bytes))
        At->second = Amount();
    }
    for (const Output &Out : Op.Outputs) {
      Sum.UnfusedBytes = Sum.UnfusedBytes + Out.Bytes;
      Made.insert(Out.Value);
      bool Outside = Out.Escapes;
      for (unsigned Reader : Out.Readers)
        Outside |= !Whole.contains(Reader);
      if (Outside)
        Sum.Bytes = Sum.Bytes + Out.Bytes;
    }
  }
  for (const auto &[Value, Bytes] : Read)
    Sum.Bytes = Sum.Bytes + Bytes;
  return Sum;
}

} // namespace seamscope::mlir_passes
