//===- TargetRegion.cpp - names of OpenMP target regions ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/TargetRegion.h"

#include "seamscope/target-region.h"

#include <cstdlib>
#include <cxxabi.h>
#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Demanglers recurse, and take room on the stack for each character.
constexpr size_t LongestSymbol = 4096;

/// \p Plain, as demanglers write it, without parameters and result.
std::string_view qualifiedName(std::string_view Plain) {
  int Depth = 0;
  size_t End = Plain.size(), Begin = 0;
  for (size_t I = Plain.size(); I-- > 0;) {
    const char C = Plain[I];
    if (C == ')' || C == '>')
      ++Depth;
    else if (C == '(' || C == '<')
      --Depth;
    if (!Depth && C == '(' && End == Plain.size())
      End = I;
    else if (!Depth && C == ' ' && End < Plain.size()) {
      Begin = I + 1;
      break;
    }
  }
  return Plain.substr(Begin, End - Begin);
}

std::string demangled(std::string_view Symbol) {
  const std::string Mangled(Symbol);
  int Status = 0;
  char *Plain = Symbol.size() <= LongestSymbol && Symbol.starts_with("_Z")
                    ? abi::__cxa_demangle(Mangled.c_str(), nullptr, nullptr, &Status)
                    : nullptr;
  if (!Plain)
    return Mangled;
  std::string Name(qualifiedName(Plain));
  std::free(Plain);
  return Name;
}

} // namespace

std::optional<std::string> targetRegionName(std::string_view Symbol, std::string_view File) {
  SeamscopeTargetRegion Region;
  if (!seamscope_target_region(Symbol.data(), Symbol.size(), &Region))
    return std::nullopt;
  const std::string Place =
      File.empty() ? fmt::format("line {}", Region.line)
                   : fmt::format("{}:{}", File.substr(File.rfind('/') + 1), Region.line);
  return fmt::format("{} [target {}{}]", demangled({Region.function, Region.function_size}), Place,
                     Region.number ? fmt::format(" #{}", Region.number + 1) : "");
}

} // namespace seamscope::tools
