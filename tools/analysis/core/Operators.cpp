//===- Operators.cpp - which operators a kernel stands for ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Operators.h"

#include "trace/io/SeededHash.h"
#include "trace/model/GroupText.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace seamscope::tools {
namespace {

/// Operators whose names hold an underscore. A name that is missing here falls apart into its
/// words, which then match no eager operator and show as unmatched.
constexpr std::string_view UnderscoredOperators[] = {
#define SEAMSCOPE_ATEN_OP(NAME) #NAME,
#include "analysis/core/AtenOps.def"
};

} // namespace

std::string bareOperator(std::string_view Name) {
  constexpr std::string_view Blanks = " \t\r\n";
  const size_t First = Name.find_first_not_of(Blanks);
  if (First == Name.npos)
    return {};
  Name = Name.substr(First, Name.find_last_not_of(Blanks) - First + 1);
  for (const std::string_view Space :
       {"aten::", "prims::", "aten.", "prims.", "linalg.", "tosa.", "stablehlo."})
    if (Name.starts_with(Space)) {
      Name.remove_prefix(Space.size());
      break;
    }
  Name = Name.substr(0, Name.find('.'));
  if (Name.size() > 1 && Name.ends_with('_') && !Name.ends_with("__"))
    Name.remove_suffix(1);
  return std::string(Name);
}

std::vector<std::string> splitInductorName(std::string_view Middle) {
  std::vector<std::string> Words;
  while (!Middle.empty()) {
    std::string_view Best;
    for (std::string_view Known : UnderscoredOperators)
      if (Middle.starts_with(Known) && Known.size() > Best.size() &&
          (Middle.size() == Known.size() || Middle[Known.size()] == '_'))
        Best = Known;
    if (Best.empty())
      // An operator's own leading underscore belongs to it.
      Best = Middle.substr(0, Middle.find('_', Middle.starts_with('_') ? 1 : 0));
    if (!Best.empty() && Best != "_")
      Words.emplace_back(Best);
    Middle.remove_prefix(std::min(Middle.size(), Best.size() + 1));
  }
  return Words;
}

OperatorList operatorsOf(const Trace &Input, const Site &What) {
  OperatorList Result;
  std::unordered_map<std::string, size_t, SeededHash> Known;
  const auto Add = [&](std::string Name) {
    const auto [Found, New] = Known.try_emplace(Name, Result.Entries.size());
    if (New)
      Result.Entries.push_back({Name, 1});
    else if (Result.CountsKnown)
      ++Result.Entries[Found->second].Count;
    if (New || Result.CountsKnown)
      Result.Sequence.push_back(std::move(Name));
  };
  if (const auto Group = parseGroupText(Input.text(What.Ops))) {
    for (const GroupOp &Op : Group->Ops)
      if (std::string Name = bareOperator(Op.Name); !Name.empty())
        Add(std::move(Name));
    return Result;
  }
  if (std::string_view Ops = Input.text(What.Ops); !Ops.empty()) {
    while (!Ops.empty()) {
      const size_t Comma = std::min(Ops.find(','), Ops.size());
      if (std::string Name = bareOperator(Ops.substr(0, Comma)); !Name.empty())
        Add(std::move(Name));
      Ops.remove_prefix(std::min(Comma + 1, Ops.size()));
    }
    return Result;
  }
  std::string_view Name = Input.text(What.Name);
  // torch's own kernel profiling prefixes the graph: graph_0_cpp_fused_add_0.
  if (const size_t At = Name.find("cpp_fused_");
      At != Name.npos && (At == 0 || Name.starts_with("graph_"))) {
    Result.CountsKnown = false;
    Name.remove_prefix(At + std::string_view("cpp_fused_").size());
    // The number of the kernel; all there is for one that holds no operator.
    const size_t Number = Name.rfind('_') + 1; // 0 where there is no underscore
    if (Number < Name.size() &&
        std::ranges::all_of(Name.substr(Number), [](unsigned char C) { return std::isdigit(C); }))
      Name = Name.substr(0, Number ? Number - 1 : 0);
    for (std::string &Word : splitInductorName(Name))
      Add(std::move(Word));
  }
  return Result;
}

} // namespace seamscope::tools
