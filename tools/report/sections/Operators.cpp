//===- Operators.cpp - operators of the host -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Sections.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Rows of the text without --top.
constexpr size_t UsualOperators = 20;

/// In a trace where every operator is a kernel, the kernel table has it all.
bool areAllKernels(const ReportContext &In, const std::vector<OperatorTimesRow> &Operators) {
  std::unordered_set<StringId> Names;
  for (const KernelRow &Kernel : In.Numbers.Kernels)
    Names.insert(In.site(Kernel.Site).Name);
  return std::ranges::all_of(Operators,
                             [&](const OperatorTimesRow &Row) { return Names.contains(Row.Name); });
}

} // namespace

void addOperators(Section &To, const Context &In) {
  const ReportInput &Input = In->Input;
  if (!Input.Devices)
    return;
  addOperatorInputs(To, In);
  const DeviceReport &Devices = *Input.Devices;
  const EfficiencyInput *const Of = Devices.Efficiency;
  Fields<OperatorTimesRow> Columns = {
      {column::name("Operator"),
       [In](const OperatorTimesRow &R) { return In->Source.text(R.Name); }},
      {column::calls().sum(), &OperatorTimesRow::Calls},
      {column::total(), &OperatorTimesRow::TotalNs},
      {column::self().keyed("own_ns").sum(), &OperatorTimesRow::SelfNs},
      {Column("device_ns", "Device", Unit::Ns, "time of the devices' work that it launched").sum(),
       &OperatorTimesRow::DeviceNs},
      {Column("work", Unit::Text, "where flop and bytes come from").in(ForJson),
       [Of](const OperatorTimesRow &R) {
         return Of ? Value(nameOf(Of->Work->kindOf(R.Name))) : Value(Absent());
       }},
  };
  append(Columns,
         efficiencyFields<OperatorTimesRow>(
             Of, [Of](const OperatorTimesRow &R) { return operatorEfficiency(*Of, R.Name); }, 1e9));
  Table Rows =
      makeTable("operators", "Operators", std::span(Devices.Operators), std::move(Columns));
  const bool HasDevices = !Devices.Rows.empty(),
             RepeatKernels = areAllKernels(*In, Devices.Operators);
  Rows.In = ForJson | (RepeatKernels ? 0 : ForHtml);
  if (!HasDevices)
    for (Column &Each : Rows.Columns)
      if (Each.Key == "device_ns")
        Each.In &= ~ForHtml;
  Rows.Data = Input.Top;
  Rows.Top = Input.rowsOf(UsualOperators);
  // Time on devices of the filtered rows is in the same column as that of the others.
  if (const FilteredOut &Out = Input.Operators; Out.Rows)
    Rows.Summaries.push_back(
        {fmt::format("[{} filtered out]", Out.Rows),
         {{"calls", Out.Calls}, {"own_ns", Out.SelfNs}, {"device_ns", Out.TotalNs}}});
  if (!RepeatKernels) {
    // On the host, the operator's time is the work's; a device's rates are at its kernels.
    const bool Rates = Of && !HasDevices && (Of->Work->total().flop() || Of->Work->total().bytes());
    std::vector<std::string> Keys = {"name", "calls", "own_ns", "total_ns"};
    if (Rates)
      Keys.insert(Keys.end(), {"flop_per_s", "bytes_per_s", "flop_per_byte"});
    else if (HasDevices)
      Keys.emplace_back("device_ns");
    To.add(view(Rows, "Operator", allRows(Rows.Count), Keys));
  }
  To.add(std::move(Rows));
}

} // namespace seamscope::tools
