//===- FortranNames.cpp - demangling of flang's symbols --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A symbol is `_Q`, the enclosing scopes, and `P` followed by the procedure's name. A scope is a
// letter (`M` for a module, `S` for a submodule, `F` for a host procedure) and a name. Names are in
// lower case, so a capital letter ends one. The main program, as a host, has an empty name.
//
//===----------------------------------------------------------------------===//
#include "FortranNames.h"

#include <algorithm>

namespace seamscope {

static bool isNameCharacter(char C) {
  return (C >= 'a' && C <= 'z') || (C >= '0' && C <= '9') || C == '_' || C == '$';
}

std::string demangleFortran(std::string_view Symbol) {
  constexpr std::string_view Prefix = "_Q", Program = "main";
  if (Symbol == FortranMain)
    return std::string(Program);
  if (!Symbol.starts_with(Prefix))
    return {};
  Symbol.remove_prefix(Prefix.size());
  std::string Result;
  while (!Symbol.empty()) {
    const char Kind = Symbol.front();
    Symbol.remove_prefix(1);
    const auto End = std::find_if_not(Symbol.begin(), Symbol.end(), isNameCharacter);
    const std::string_view Name = Symbol.substr(0, static_cast<size_t>(End - Symbol.begin()));
    Symbol.remove_prefix(Name.size());
    if (Kind == 'P')
      return Name.empty() || !Symbol.empty() ? std::string() : Result.append(Name);
    if (Kind == 'F' && Name.empty() && Result.empty())
      Result = Program;
    else if ((Kind == 'M' || Kind == 'S' || Kind == 'F') && !Name.empty())
      Result += Name;
    else
      return {};
    Result += "::";
  }
  return {};
}

} // namespace seamscope
