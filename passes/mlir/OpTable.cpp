//===- OpTable.cpp - the captured operators of a module -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/StringMap.h"

#include <map>

using namespace mlir;
using llvm::StringRef;

namespace seamscope::mlir_passes {
namespace {

constexpr StringRef TableName = "seamscope.ops";

/// The version of the record format.
constexpr int64_t Version = 1;
/// Stands for a missing text, operator or amount.
constexpr int64_t None = -1;

/// Writes the records that docs/formats.md describes.
class Writer {
public:
  void add(const CapturedOp &Op) {
    const size_t Begin = Numbers.size();
    Numbers.append({0, text(Op.Op), text(Op.Name), text(Op.Result), text(Op.Function),
                    text(Op.At.File), Op.At.Line, Op.At.Column,
                    Op.PartOf ? static_cast<int64_t>(*Op.PartOf) : None, amount(Op.Flops),
                    static_cast<int64_t>(Op.Inputs.size())});
    for (const Transfer &Input : Op.Inputs)
      Numbers.append({Input.Value, amount(Input.Bytes)});
    for (const Output &Out : Op.Outputs) {
      Numbers.append(
          {Out.Value, amount(Out.Bytes), Out.Escapes, static_cast<int64_t>(Out.Readers.size())});
      Numbers.append(Out.Readers.begin(), Out.Readers.end());
    }
    Numbers[Begin] = static_cast<int64_t>(Numbers.size() - Begin - 1);
  }

  Attribute finish(MLIRContext *Context) const {
    Builder B(Context);
    return B.getDictionaryAttr({B.getNamedAttr("records", B.getDenseI64ArrayAttr(Numbers)),
                                B.getNamedAttr("texts", B.getStrArrayAttr(Texts)),
                                B.getNamedAttr("version", B.getI64IntegerAttr(Version))});
  }

private:
  int64_t text(StringRef Text) {
    if (Text.empty())
      return None;
    const auto [At, IsNew] = Places.try_emplace(Text, static_cast<int64_t>(Texts.size()));
    if (IsNew)
      Texts.push_back(At->first());
    return At->second;
  }

  /// An even value is twice the number; an odd one is twice the index of the text, plus one.
  int64_t amount(const Amount &Value) {
    int64_t Twice;
    if (const auto Fixed = Value.constant(); Fixed && !__builtin_mul_overflow(*Fixed, 2, &Twice))
      return Twice;
    // The reader would cut a longer text and get another amount.
    const std::string Text = Value.text();
    return Text.empty() || Text.size() > MostText ? None : 2 * text(Text) + 1;
  }

  SmallVector<int64_t> Numbers;
  llvm::StringMap<int64_t> Places;
  SmallVector<StringRef> Texts;
};

/// Parses records; missing fields of a record are unknown.
class Reader {
public:
  Reader(ArrayRef<int64_t> Numbers, ArrayAttr Texts) : Numbers(Numbers), Texts(Texts) {}

  bool next(CapturedOp &Op) {
    if (Numbers.empty())
      return false;
    const auto Length = static_cast<uint64_t>(Numbers.front());
    Record = Numbers.drop_front().take_front(Length);
    Numbers = Numbers.drop_front().drop_front(Record.size());
    Op.Op = text();
    Op.Name = text();
    Op.Result = text();
    Op.Function = text();
    Op.At.File = text();
    Op.At.Line = unsignedOr(0);
    Op.At.Column = unsignedOr(0);
    if (const int64_t Id = number(); Id != None)
      Op.PartOf = Id >= 0 && Id <= UINT32_MAX ? static_cast<unsigned>(Id) : UINT32_MAX;
    Op.Flops = amount();
    for (int64_t Left = number(); Left > 0 && !Record.empty(); --Left) {
      Transfer &Input = Op.Inputs.emplace_back();
      Input.Value = number();
      Input.Bytes = amount();
    }
    while (!Record.empty()) {
      Output &Out = Op.Outputs.emplace_back();
      Out.Value = number();
      Out.Bytes = amount();
      Out.Escapes = number() != 0;
      for (int64_t Left = number(); Left > 0 && !Record.empty(); --Left) {
        const int64_t By = number();
        if (By >= 0 && By <= UINT32_MAX)
          Out.Readers.push_back(static_cast<unsigned>(By));
        else
          Out.Escapes = true;
      }
    }
    return true;
  }

private:
  int64_t number() {
    if (Record.empty())
      return None;
    const int64_t First = Record.front();
    Record = Record.drop_front();
    return First;
  }
  unsigned unsignedOr(unsigned Other) {
    const int64_t Number = number();
    return Number >= 0 && Number <= UINT32_MAX ? static_cast<unsigned>(Number) : Other;
  }
  std::string text() { return textAt(number()); }
  std::string textAt(int64_t Index) const {
    if (Index < 0 || Index >= static_cast<int64_t>(Texts.size()))
      return "";
    const auto Text = dyn_cast<StringAttr>(Texts[static_cast<size_t>(Index)]);
    return Text ? boundedText(Text.getValue()) : std::string();
  }
  Amount amount() {
    const int64_t Number = number();
    return Number & 1 ? Amount::parse(textAt(Number >> 1)) : Amount(Number >> 1);
  }

  ArrayRef<int64_t> Numbers, Record;
  ArrayAttr Texts;
};

/// A reader of the records in \p Module, if it has any.
std::optional<Reader> readerOf(ModuleOp Module) {
  const auto Attributes = Module->getAttrOfType<DictionaryAttr>(TableName);
  if (!Attributes)
    return std::nullopt;
  const auto Numbers = Attributes.getAs<DenseI64ArrayAttr>("records");
  const auto Texts = Attributes.getAs<ArrayAttr>("texts");
  const auto Written = Attributes.getAs<IntegerAttr>("version");
  if (!Numbers || !Texts || !Written || !Written.getType().isInteger(64) ||
      Written.getInt() != Version)
    return std::nullopt;
  return Reader(Numbers.asArrayRef(), Texts);
}

} // namespace

bool OpTable::isIn(ModuleOp Module) { return readerOf(Module).has_value(); }

OpTable OpTable::read(ModuleOp Module) {
  OpTable Table;
  if (auto Records = readerOf(Module))
    for (CapturedOp Op; Records->next(Op); Op = CapturedOp())
      Table.Ops.push_back(std::move(Op));
  return Table;
}

void OpTable::write(ModuleOp Module) const {
  Writer W;
  for (const CapturedOp &Op : Ops)
    W.add(Op);
  Module->setAttr(TableName, W.finish(Module.getContext()));
}

GroupWork OpTable::work(const std::set<unsigned> &Ids) const {
  GroupWork Sum{0, 0, 0};
  std::set<unsigned> Roots;
  for (unsigned Id : Ids) {
    if (Id >= Ops.size())
      return {};
    Sum.Flops = Sum.Flops + Ops[Id].Flops;
    Roots.insert(Ops[Id].PartOf.value_or(Id));
  }
  std::map<int64_t, Amount> Read; // values from outside, once each
  std::set<int64_t> Produced;
  for (unsigned Id : Roots) {
    if (Id >= Ops.size())
      return {};
    const CapturedOp &Op = Ops[Id];
    // Without inputs and outputs, the operator's operands were not understood.
    if (Op.Inputs.empty() && Op.Outputs.empty())
      Sum.Bytes = Sum.UnfusedBytes = Amount();
    for (const Transfer &Input : Op.Inputs) {
      Sum.UnfusedBytes = Sum.UnfusedBytes + Input.Bytes;
      if (Produced.contains(Input.Value))
        continue;
      const auto [At, New] = Read.try_emplace(Input.Value, Input.Bytes);
      // If operators read different parts of a value, the total is unknown.
      if (!New && !(At->second == Input.Bytes))
        At->second = Amount();
    }
    for (const Output &Out : Op.Outputs) {
      Sum.UnfusedBytes = Sum.UnfusedBytes + Out.Bytes;
      Produced.insert(Out.Value);
      bool Outside = Out.Escapes;
      for (unsigned Reader : Out.Readers)
        Outside |= !Roots.contains(Reader);
      if (Outside)
        Sum.Bytes = Sum.Bytes + Out.Bytes;
    }
  }
  for (const auto &[Value, Bytes] : Read)
    Sum.Bytes = Sum.Bytes + Bytes;
  return Sum;
}

} // namespace seamscope::mlir_passes
