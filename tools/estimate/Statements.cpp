//===- Statements.cpp - what the statements of generated C++ say -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "estimate/Statements.h"

#include "torch/PythonText.h"
#include "torch/SourceLine.h"

#include <algorithm>
#include <map>
#include <set>

namespace seamscope::tools {
namespace {

bool isDigit(char C) { return C >= '0' && C <= '9'; }

/// Calls \p Visit with each identifier in \p Text.
template <typename FnT> void forEachWord(std::string_view Text, FnT Visit) {
  for (size_t At = 0; At < Text.size();) {
    size_t End = At;
    while (End < Text.size() && isIdentifierChar(Text[End]))
      ++End;
    if (End > At && !isDigit(Text[At]))
      Visit(Text.substr(At, End - At));
    At = End + (End == At);
  }
}

/// "tmp4", "tmp_acc0_vec": a variable of a value.
bool isValue(std::string_view Word) { return Word.starts_with("tmp"); }

bool isTensor(std::string_view Word) {
  const size_t At = Word.find("_ptr");
  return At != Word.npos && At + 4 < Word.size() &&
         std::ranges::all_of(Word.substr(At + 4), isDigit);
}

/// The variable of the loop that begins at \p Text: `x0` of `for(int64_t x0=...`; empty: unknown.
std::string_view variableOf(std::string_view Text) {
  constexpr std::string_view Begin = "for(int64_t ";
  const size_t At = Text.find(Begin);
  if (At == Text.npos)
    return {};
  Text.remove_prefix(At + Begin.size());
  return Text.substr(0, Text.find('='));
}

/// The variable of a sum or maximum: `tmp_acc0_vec = tmp_acc0_vec + tmp1;`. Helpers keep their sums
/// themselves: `tmp_acc0_vec = cascade_sum_combine(tmp1, &cascade_helper0);`.
std::string_view accumulatorOf(std::string_view Text) {
  constexpr std::string_view Assignment = " = ";
  const size_t At = Text.find(Assignment);
  const std::string_view Name = Text.substr(0, At);
  if (At == Text.npos || !Name.starts_with("tmp_acc"))
    return {};
  bool IsOwn = false;
  forEachWord(Text.substr(At),
              [&](std::string_view Word) { IsOwn |= Word == Name || Word.ends_with("_combine"); });
  return IsOwn ? Name : std::string_view();
}

/// The registers of a variable of \p Type: 2 of "at::vec::VectorizedN<float,2>", else 1.
unsigned registersOf(std::string_view Type) {
  const size_t At = Type.find("at::vec::VectorizedN<");
  if (At == Type.npos)
    return 1;
  Type.remove_prefix(At);
  Type = Type.substr(0, Type.find('>'));
  Type.remove_prefix(std::min(Type.find_last_of(", ") + 1, Type.size()));
  return std::max(1u, parseUnsigned(Type).value_or(1));
}

/// Reads statements in order: variables are defined before they are used.
class Reader {
public:
  CodeStatement read(std::string_view Line) {
    constexpr std::string_view Auto = "auto ";
    CodeStatement Made;
    std::string_view Right = withoutMark(Line), Name;
    Right.remove_prefix(std::min(Right.find_first_not_of(' '), Right.size()));
    if (Right.starts_with(Auto)) {
      Name = Right.substr(Auto.size(), Right.find(' ', Auto.size()) - Auto.size());
      Right.remove_prefix(std::min(Right.find('='), Right.size()));
    }
    // Kernels define their accumulators before the loops: `at::vec::VectorizedN<float,2>
    // tmp_acc0_vec = ...;`
    const std::string_view Left = Right.substr(0, Right.find(" = "));
    if (const size_t Space = Left.rfind(' '); Space != Left.npos && Left.size() < Right.size())
      Registers[Left.substr(Space + 1)] = registersOf(Left.substr(0, Space));
    Made.Accumulator = accumulatorOf(Right);
    if (const auto Defined = Registers.find(Made.Accumulator); Defined != Registers.end())
      Made.Registers = Defined->second;
    Made.IsVector = Right.find("at::vec::") != Right.npos;
    forEachWord(Right, [&](std::string_view Word) {
      if (isTensor(Word) && Made.Pointer.empty())
        Made.Pointer = Word;
      Made.IsVector |= Vectors.contains(Word) || (isValue(Word) && Word.ends_with("_vec"));
    });
    // Names are used again in each loop.
    if (Made.IsVector && !Name.empty())
      Vectors.insert(Name);
    else
      Vectors.erase(Name);
    return Made;
  }

private:
  std::set<std::string_view> Vectors;
  std::map<std::string_view, unsigned> Registers; ///< by accumulator
};

} // namespace

std::vector<CodeStatement> statementsOf(std::string_view Source, std::span<const CodeLoop> Loops) {
  const std::vector<std::string_view> Lines = linesOf(Source);
  std::vector<CodeStatement> Found;
  Reader Of;
  for (uint32_t I = 0; I < Lines.size(); ++I) {
    CodeStatement &Made = Found.emplace_back(Of.read(Lines[I]));
    if (Made.Pointer.empty())
      continue;
    std::set<std::string_view> Words;
    forEachWord(Lines[I], [&](std::string_view Word) { Words.insert(Word); });
    size_t Around = 0;
    Made.IsStream = true;
    for (const CodeLoop &Loop : Loops) {
      if (I + 1 < Loop.First || I + 1 > Loop.Last)
        continue;
      ++Around;
      // A directive may stand before the loop.
      std::string_view Variable;
      for (uint32_t Line = Loop.First; Line <= Loop.Last && Variable.empty(); ++Line)
        Variable = variableOf(Lines[Line - 1]);
      Made.IsStream = Made.IsStream && Words.contains(Variable);
    }
    Made.IsStream = Made.IsStream && Around;
  }
  return Found;
}

unsigned vectorBits(std::string_view Source) {
  constexpr std::string_view Lanes = "static_cast<int64_t>(";
  for (const auto &[Load, Bits] : {std::pair("at::vec::Vectorized<float>::loadu(", 32u),
                                   std::pair("at::vec::Vectorized<double>::loadu(", 64u)})
    for (size_t At = Source.find(Load); At != Source.npos; At = Source.find(Load, At + 1)) {
      const std::string_view Line = Source.substr(At, Source.find('\n', At) - At);
      std::string_view Last = Line.substr(std::min(Line.rfind(Lanes), Line.size()));
      if (Last.empty())
        continue;
      Last.remove_prefix(Lanes.size());
      // Loads of a rest have fewer lanes; those of whole vectors come first.
      if (const auto Number = parseUnsigned(Last.substr(0, Last.find_first_not_of("0123456789"))))
        return *Number * Bits;
    }
  return 0;
}

} // namespace seamscope::tools
