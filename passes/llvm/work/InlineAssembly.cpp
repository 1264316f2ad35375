//===- InlineAssembly.cpp - the work of inline assembly --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "work/InlineAssembly.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace seamscope {
namespace {

using Operations = SmallVector<AssemblyOperation, 1>;

constexpr StringLiteral RegisterNames[] = {"xmm", "ymm", "zmm"};
constexpr uint64_t RegisterBits[] = {128, 256, 512};

/// The template as the assembler of the call's dialect gets it: of `$(att$|intel$)`, one half.
/// None if alternatives are nested or have more halves than two.
std::optional<std::string> textOf(const InlineAsm &Asm) {
  const StringRef Template = Asm.getAsmString();
  constexpr int Outside = -1;
  const int Wanted = Asm.getDialect() == InlineAsm::AD_Intel ? 1 : 0;
  int Half = Outside;
  std::string Text;
  for (size_t Place = 0; Place < Template.size(); ++Place) {
    const StringRef Mark = Template.substr(Place, 2);
    if (Mark == "$(" && Half == Outside)
      Half = 0;
    else if (Mark == "$|" && Half == 0)
      Half = 1;
    else if (Mark == "$)" && Half != Outside)
      Half = Outside;
    else if (Mark == "$(" || Mark == "$|" || Mark == "$)")
      return std::nullopt;
    else {
      if (Half == Outside || Half == Wanted)
        Text += Template[Place];
      continue;
    }
    ++Place;
  }
  return Half == Outside ? std::optional(Text) : std::nullopt;
}

/// An operand of an instruction.
struct Operand {
  uint64_t Bits = 0;             ///< of a floating-point register, else 0
  const Value *Memory = nullptr; ///< the address, else null
};

class Reader {
public:
  explicit Reader(const CallBase &Call)
      : Call(Call), Asm(*cast<InlineAsm>(Call.getCalledOperand())),
        Constraints(Asm.ParseConstraints()) {}

  std::optional<Operations> run() const {
    if (Asm.getAsmString().empty())
      return Operations();
    const std::optional<std::string> Text = textOf(Asm);
    if (!Text || !Triple(Call.getModule()->getTargetTriple()).isX86())
      return std::nullopt;
    Operations Found;
    SmallVector<StringRef> Lines;
    SplitString(*Text, Lines, "\n");
    for (const StringRef Line : Lines) {
      SmallVector<StringRef> Instructions;
      SplitString(Line.split('#').first, Instructions, ";");
      for (const StringRef Instruction : Instructions) {
        if (Instruction.trim().empty())
          continue;
        const auto Operation = instruction(Instruction.trim());
        if (!Operation)
          return std::nullopt;
        Found.push_back(*Operation);
      }
    }
    return Found;
  }

private:
  /// The key of an instruction without its `v` and suffix, and the number of its registers with a
  /// `v` and without.
  struct Known {
    StringRef Key;
    unsigned With, Without;
  };
  static std::optional<Known> known(StringRef Name) {
    for (const StringRef Fused : {"fmadd", "fmsub", "fnmadd", "fnmsub"})
      if (StringRef Order = Name; Order.consume_front(Fused))
        return Order == "132" || Order == "213" || Order == "231"
                   ? std::optional(Known{"fma", 3, 0})
                   : std::nullopt;
    if (Name == "add" || Name == "sub")
      return Known{"add", 3, 2};
    if (Name == "mul")
      return Known{"mul", 3, 2};
    if (Name == "div")
      return Known{"div", 3, 2};
    if (Name == "min" || Name == "max")
      return Known{"minmax", 3, 2};
    // Scalar ones take the upper lanes from one more register.
    if (Name == "sqrt")
      return Known{"sqrt", 2, 2};
    return std::nullopt;
  }

  std::optional<AssemblyOperation> instruction(StringRef Text) const {
    const size_t End = Text.find_if(isSpace);
    if (End == StringRef::npos)
      return std::nullopt;
    StringRef Name = Text.take_front(End);
    const bool HasV = Name.consume_front("v");
    const bool IsDouble = Name.ends_with("d");
    const bool IsPacked = Name.drop_back().ends_with("p");
    if (!(IsDouble || Name.ends_with("s")) || !(IsPacked || Name.drop_back().ends_with("s")))
      return std::nullopt;
    Name = Name.drop_back(2);
    const std::optional<Known> Of = known(Name);
    if (!Of)
      return std::nullopt;
    const unsigned Wanted = (HasV ? Of->With : Of->Without) + (HasV && Name == "sqrt" && !IsPacked);

    SmallVector<StringRef> Words;
    Text.drop_front(End).split(Words, ',');
    if (!Wanted || Words.size() != Wanted)
      return std::nullopt;
    SmallVector<Operand> Operands;
    for (const StringRef Word : Words) {
      const std::optional<Operand> Found = operand(Word.trim());
      if (!Found)
        return std::nullopt;
      Operands.push_back(*Found);
    }
    if (Asm.getDialect() == InlineAsm::AD_ATT)
      std::reverse(Operands.begin(), Operands.end());
    // The result comes first now, and memory can only be the last.
    const uint64_t Bits = Operands.front().Bits;
    const uint64_t Size = IsDouble ? 64 : 32;
    for (const Operand &Each : ArrayRef(Operands).drop_back())
      if (!Each.Bits)
        return std::nullopt;
    if (IsPacked &&
        (!is_contained(RegisterBits, Bits) ||
         any_of(Operands, [&](const Operand &Each) { return Each.Bits && Each.Bits != Bits; })))
      return std::nullopt;
    const uint64_t Lanes = IsPacked ? Bits / Size : 1;
    return AssemblyOperation{Of->Key,         IsDouble, IsPacked, Lanes, Operands.back().Memory,
                             Lanes * Size / 8};
  }

  /// `$1`, `${1:x}`, `%xmm2`, in Intel's dialect `xmm2`.
  std::optional<Operand> operand(StringRef Word) const {
    StringRef Modifier;
    if (Word.consume_front("${")) {
      if (!Word.consume_back("}"))
        return std::nullopt;
      std::tie(Word, Modifier) = Word.split(':');
    } else if (!Word.consume_front("$")) {
      return literal(Word);
    }
    unsigned Number;
    if (Word.getAsInteger(10, Number))
      return std::nullopt;
    return ofConstraint(Number, Modifier);
  }

  static std::optional<Operand> literal(StringRef Word) {
    Word.consume_front("%");
    for (const auto &[Place, Prefix] : enumerate(RegisterNames)) {
      unsigned Number;
      if (StringRef Rest = Word; Rest.consume_front(Prefix) && !Rest.getAsInteger(10, Number))
        return Operand{RegisterBits[Place], nullptr};
    }
    return std::nullopt;
  }

  std::optional<Operand> ofConstraint(unsigned Number, StringRef Modifier) const {
    if (Number >= Constraints.size())
      return std::nullopt;
    unsigned Output = 0, Argument = 0;
    for (unsigned Before = 0; Before < Number; ++Before)
      ++(isResult(Constraints[Before]) ? Output : Argument);
    const InlineAsm::ConstraintInfo &Info = Constraints[Number];
    if (Info.Type == InlineAsm::isClobber || Info.isMultipleAlternative)
      return std::nullopt;
    if (Info.isIndirect) {
      if (!Modifier.empty() || Info.Codes.size() != 1 || Info.Codes[0] != "m")
        return std::nullopt;
      return Operand{0, Call.getArgOperand(Argument)};
    }
    // Registers of floating point; `0` is the register of that result.
    const StringRef Code = Info.Codes.size() == 1 ? StringRef(Info.Codes[0]) : StringRef();
    const bool IsResultAgain = !Code.empty() && all_of(Code, isDigit);
    if (Code != "x" && Code != "v" && !Code.starts_with("{") && !IsResultAgain)
      return std::nullopt;
    Type *Ty = isResult(Info) ? Call.getType() : Call.getArgOperand(Argument)->getType();
    if (auto *Several = dyn_cast<StructType>(Ty); Several && isResult(Info))
      Ty = Several->getElementType(Output);
    if (Modifier == "x" || Modifier == "t" || Modifier == "g")
      return Operand{RegisterBits[StringRef("xtg").find(Modifier)], nullptr};
    if (!Modifier.empty() || !(Ty->isFloatTy() || Ty->isDoubleTy() || isa<FixedVectorType>(Ty)))
      return std::nullopt;
    return Operand{Ty->getPrimitiveSizeInBits().getFixedValue(), nullptr};
  }

  /// Whether the call returns the operand.
  static bool isResult(const InlineAsm::ConstraintInfo &Info) {
    return Info.Type == InlineAsm::isOutput && !Info.isIndirect;
  }

  const CallBase &Call;
  const InlineAsm &Asm;
  const InlineAsm::ConstraintInfoVector Constraints;
};

} // namespace

std::optional<Operations> assemblyOperations(const CallBase &Call) { return Reader(Call).run(); }

} // namespace seamscope
