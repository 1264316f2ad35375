//===- SymbolicFloats.cpp - Python floats as inputs of graphs -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "run/join/SymbolicFloats.h"
#include "analysis/compare/PairedSteps.h"
#include "run/join/StepShare.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Fewer cost little, and one or two may be what changes from call to call.
constexpr size_t ManyFloats = 8;

} // namespace

size_t symbolicFloats(const FxGraph &Graph) {
  std::set<std::string_view> Symbols;
  constexpr std::string_view Start = "Sym(zf";
  for (const FxNode &Node : Graph.Nodes)
    // An expression of several symbols is not an input.
    if (const std::string_view Type = Node.Type;
        Type.starts_with(Start) && Type.ends_with(")") &&
        Type.find_first_not_of("0123456789", Start.size()) == Type.size() - 1)
      Symbols.insert(Type);
  return Symbols.size();
}

std::optional<Advice> adviseOnFloats(const CompileLog &Log, const Attribution &All) {
  const CompiledGraph *Most = nullptr;
  size_t Floats = 0;
  for (size_t I = 0; I < Log.Graphs.size() && I < All.Calls.size(); ++I) {
    const CompiledGraph &Graph = Log.Graphs[I];
    const bool Ran =
        std::ranges::any_of(All.Calls[I], [](const CallTimes &Call) { return Call.Calls > 0; });
    const size_t Count = Graph.PreGrad && Ran ? symbolicFloats(*Graph.PreGrad) : 0;
    if (Count > Floats) {
      Floats = Count;
      Most = &Graph;
    }
  }
  const int64_t Ns = usualNs(All, &StepTimes::InCompiledNs);
  const auto WholeNs = static_cast<double>(usualNs(All));
  if (Floats < ManyFloats || WholeNs <= 0 || static_cast<double>(Ns) < MuchOfSteps * WholeNs)
    return std::nullopt;
  return Advice{
      "symbolic-floats",
      fmt::format("{} floats of the program are inputs of graph {}, which each call checks by "
                  "guards and reads; {:.1f} % of the compiled steps are spent in its calls, "
                  "outside of kernels and operators ({:.1f} % in guards)",
                  Floats, Most->Id, 100 * static_cast<double>(Ns) / WholeNs,
                  100 * static_cast<double>(usualNs(All, &StepTimes::GuardsNs)) / WholeNs),
      "set torch._dynamo.config.specialize_float = True if these floats keep their values, or "
      "make them tensors of the module",
      Ns};
}

} // namespace seamscope::tools
