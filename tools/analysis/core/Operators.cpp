//===- Operators.cpp - which operators a kernel stands for ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Operators.h"

#include "kernels/InductorNames.h"
#include "trace/io/SeededHash.h"
#include "trace/model/GroupText.h"

#include <algorithm>
#include <unordered_map>

namespace seamscope::tools {

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
  if (const auto Group = parseGroupText(Input.text(What.Group))) {
    for (const GroupOp &Op : Group->Ops)
      if (std::string Name = bareOperator(Op.Name); !Name.empty())
        Add(std::move(Name));
    return Result;
  }
  if (std::string_view Ops = Input.text(What.Operators); !Ops.empty()) {
    while (!Ops.empty()) {
      const size_t Comma = std::min(Ops.find(','), Ops.size());
      if (std::string Name = bareOperator(Ops.substr(0, Comma)); !Name.empty())
        Add(std::move(Name));
      Ops.remove_prefix(std::min(Comma + 1, Ops.size()));
    }
    return Result;
  }
  if (auto Words = operatorsInName(Input.text(What.Name))) {
    Result.CountsKnown = false;
    for (std::string &Word : *Words)
      Add(std::move(Word));
  }
  return Result;
}

} // namespace seamscope::tools
