//===- Ablation.cpp - a generated kernel with operators left out ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/replay/Ablation.h"
#include "torch/LoopNodes.h"

#include <algorithm>
#include <map>
#include <set>

namespace seamscope::tools {
namespace {

bool isDigit(char C) { return C >= '0' && C <= '9'; }
bool isWord(char C) {
  return isDigit(C) || (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C == '_';
}

/// The first variable `tmpN` in \p Text, or an empty text.
std::string_view variableIn(std::string_view Text) {
  constexpr std::string_view Start = "tmp";
  for (size_t At = 0; (At = Text.find(Start, At)) != Text.npos; ++At) {
    size_t End = At + Start.size();
    while (End < Text.size() && isDigit(Text[End]))
      ++End;
    const bool IsWhole = (!At || !isWord(Text[At - 1])) && End > At + Start.size() &&
                         (End == Text.size() || !isWord(Text[End]));
    if (IsWhole)
      return Text.substr(At, End - At);
  }
  return {};
}

/// `auto tmp4 = tmp3.exp();`, with the blanks before it.
struct Statement {
  std::string_view Indent, Name, Right;
};

/// The statement of \p Line; empty for a line that computes nothing from other variables.
Statement statementOf(std::string_view Line) {
  constexpr std::string_view Begin = "auto ", Is = " = ";
  Line = withoutMark(Line);
  const size_t First = std::min(Line.find_first_not_of(' '), Line.size());
  const std::string_view Text = Line.substr(First);
  const size_t Middle = Text.find(Is);
  if (!Text.starts_with(Begin) || Middle == Text.npos || !Text.ends_with(';'))
    return {};
  const Statement Found = {Line.substr(0, First), Text.substr(Begin.size(), Middle - Begin.size()),
                           Text.substr(Middle + Is.size(), Text.size() - Middle - Is.size() - 1)};
  const bool IsLoad = Found.Right.find("_ptr") != std::string_view::npos;
  // The value of a conversion has another type than its input.
  constexpr std::string_view Conversions[] = {"static_cast<", "c10::convert<", "at::vec::convert<",
                                              "at::vec::Vectorized", "at::vec::VecMask"};
  const bool Converts = std::ranges::any_of(
      Conversions, [&](std::string_view Each) { return Found.Right.starts_with(Each); });
  if (variableIn(Found.Name) != Found.Name || IsLoad || Converts ||
      variableIn(Found.Right).empty() || variableIn(Found.Right) == Found.Right)
    return {};
  return Found;
}

/// Calls \p Visit with each line and its number, from 1.
template <typename FnT> void forEachCodeLine(std::string_view Code, FnT Visit) {
  for (uint32_t Number = 1; !Code.empty(); ++Number) {
    const std::string_view Line = Code.substr(0, Code.find('\n'));
    Visit(Number, Line);
    Code.remove_prefix(std::min(Line.size() + 1, Code.size()));
  }
}

} // namespace

std::vector<KernelOperator> operatorsIn(std::string_view Code) {
  const std::vector<CodeLoop> Loops = codeLoops(Code);
  const auto NestOf = [&](uint32_t Line) {
    uint32_t First = 0;
    for (const CodeLoop &Each : Loops)
      if (Each.First <= Line && Line <= Each.Last && (!First || Each.First < First))
        First = Each.First;
    return First;
  };
  std::map<std::pair<uint32_t, std::string_view>, size_t> Known;
  std::vector<KernelOperator> Found;
  forEachCodeLine(Code, [&](uint32_t Number, std::string_view Line) {
    const Statement Its = statementOf(Line);
    const uint32_t Nest = NestOf(Number);
    if (Its.Name.empty() || !Nest)
      return;
    const auto [Place, New] = Known.try_emplace({Nest, Its.Name}, Found.size());
    if (New)
      Found.push_back({{}, std::string(Its.Right)});
    Found[Place->second].Lines.push_back(Number);
  });
  return Found;
}

std::string without(std::string_view Code, std::span<const KernelOperator *const> Operators) {
  std::set<uint32_t> Lines;
  for (const KernelOperator *Each : Operators)
    Lines.insert(Each->Lines.begin(), Each->Lines.end());
  std::string Text;
  forEachCodeLine(Code, [&](uint32_t Number, std::string_view Line) {
    const Statement Its = Lines.contains(Number) ? statementOf(Line) : Statement();
    if (Its.Name.empty())
      Text += Line;
    else
      ((((Text += Its.Indent) += "auto ") += Its.Name) += " = ") +=
          std::string(variableIn(Its.Right)) + ";";
    Text += '\n';
  });
  return Text;
}

} // namespace seamscope::tools
