//===- ReplacedOperators.cpp - eager operators and their work ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/ReplacedOperators.h"

#include "analysis/compare/Parts.h"
#include "report/sections/TorchRecords.h"
#include "run/join/ComparedRuns.h"

#include <algorithm>
#include <map>
#include <set>

namespace seamscope::tools {
namespace {

std::optional<WholeWork> allOf(const WholeWorkSum &Sum, uint64_t Calls) {
  return Calls && Sum.Calls == Calls ? std::optional(Sum.Of) : std::nullopt;
}

std::vector<ReplacedCalls> inComparedSteps(const ReportContext &In, const KernelRow &Row) {
  const GeneratedKernel *const Kernel = In.Input.Torch->kernel(Row.Site);
  if (!Kernel)
    return {};
  const CallTimes Times = timesOf(In.Input.Compared->All, *In.Input.Torch, *Kernel);
  std::map<std::string, OpTimes> Names;
  for (const auto &[Op, Known] : Times.Ops)
    if (!isView(Op.first))
      Names[withoutAten(Op.first)] += Known;
  std::vector<ReplacedCalls> Made;
  for (const auto &[Name, Sum] : Names)
    Made.push_back({Name, Sum.Calls, Sum.Ns, allOf(Sum.Work, Sum.Calls), !Times.compares()});
  return Made;
}

std::vector<ReplacedCalls> inBaseline(const BaselineInput &Of, size_t Kernel) {
  const auto Pair = std::ranges::find(Of.Comparison->Pairs, Kernel, &BaselinePair::Kernel);
  if (Pair == Of.Comparison->Pairs.end())
    return {};
  std::set<size_t> Rows; // one can have the names of two operators
  for (const ReplacedOperator &Op : Pair->Operators)
    Rows.insert(Op.Rows.begin(), Op.Rows.end());
  std::vector<ReplacedCalls> Made;
  for (const size_t Number : Rows) {
    const EagerRow &Row = Of.Comparison->Rows[Number];
    Made.push_back(
        {Row.title(*Of.Eager), Row.Calls, Row.TotalNs, allOf(Row.Work, Row.Calls), false});
  }
  return Made;
}

} // namespace

std::vector<ReplacedCalls> replacedCalls(const ReportContext &In, size_t Kernel) {
  if (In.Input.Compared && In.Input.Torch)
    return inComparedSteps(In, In.Numbers.Kernels[Kernel]);
  return In.Input.Baseline ? inBaseline(*In.Input.Baseline, Kernel) : std::vector<ReplacedCalls>();
}

} // namespace seamscope::tools
