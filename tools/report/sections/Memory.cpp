//===- Memory.cpp - allocated memory and copies -------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/torch/Memory.h"
#include "analysis/devices/Copies.h"
#include "report/sections/Sections.h"

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

/// Rows of the text without --top.
constexpr size_t UsualRows = 10;

std::string placeName(const MemoryRow &Of) {
  const char *Type = Of.DeviceType == 0   ? "host"
                     : Of.DeviceType == 1 ? "CUDA"
                     : Of.DeviceType == 6 ? "HIP"
                                          : nullptr;
  std::string Text = Type ? Type : fmt::format("device type {}", Of.DeviceType);
  return Of.Device < 0 ? Text : fmt::format("{} {}", Text, Of.Device);
}

Fields<OperatorMemoryRow> operatorFields(const Context &In) {
  using Row = OperatorMemoryRow;
  return {{column::name("Operator"),
           [In](const Row &R) { return In->textOr(R.Name, "[outside of operators]"); }},
          {Column("allocations", "Allocations", Unit::Count, "while it was the innermost").sum(),
           &Row::Allocations},
          {Column("allocated_bytes", "Allocated", Unit::Bytes, "sum").sum(), &Row::AllocatedBytes},
          {Column("freed_bytes", "Freed", Unit::Bytes, "sum").sum(), &Row::FreedBytes},
          {Column("at_peak_bytes", "Held at the peak", Unit::Bytes,
                  "allocated by it and not given back then, as far as addresses show")
               .sum(),
           &Row::AtPeakBytes}};
}

void addMemory(Section &To, const Context &In) {
  std::vector<MemoryRow> Places = memoryRows(In->Source);
  if (Places.empty() && !In->Input.Everything)
    return;
  const int64_t First = In->firstNs();
  std::vector<Table> Operators;
  for (const MemoryRow &Place : Places) {
    Table Rows = makeTable("memory-" + fmt::to_string(Operators.size()),
                           "Memory of " + placeName(Place) + ", by operator",
                           std::vector(Place.Operators), operatorFields(In));
    Rows.Columns[0].Title = fmt::format("Allocated on {}, by operator", placeName(Place));
    Rows.In = ForPeople;
    Rows.Top = In->Input.rowsOf(UsualRows);
    Operators.push_back(std::move(Rows));
  }
  To.add(makeTable<MemoryRow>(
      "memory", "Memory", std::move(Places),
      {{{"place", "Memory of", Unit::Text, "host or device"}, placeName},
       {{"device_type", Unit::Count, "c10::DeviceType: 0 is the host, 1 CUDA, 6 HIP"},
        &MemoryRow::DeviceType},
       {{"device", Unit::Count, "number of the device"},
        [](const MemoryRow &R) { return unlessNegative(R.Device); }},
       {{"allocations", "Allocations", Unit::Count, "number"}, &MemoryRow::Allocations},
       {{"allocated_bytes", "Allocated", Unit::Bytes, "sum"}, &MemoryRow::AllocatedBytes},
       {{"peak_bytes", "Peak", Unit::Bytes, "most that was allocated at a time"},
        &MemoryRow::PeakBytes},
       {{"peak_reserved_bytes", "Reserved", Unit::Bytes,
         "most that the allocator had from the device"},
        &MemoryRow::PeakReservedBytes},
       {{"peak_at_ns", "Peak at", Unit::Ns, "time since the trace's first event"},
        [First](const MemoryRow &R) { return R.PeakNs ? Value(*R.PeakNs - First) : Value(); }},
       {Column("peak_operator", "Peak in", Unit::Name, "operator around it").left().cut(48),
        [In](const MemoryRow &R) { return textOrNull(In->Source.text(R.PeakOperator)); }},
       {{"older_bytes", "Older", Unit::Bytes,
         "of the peak, allocated before, or not by an operator"},
        &MemoryRow::OlderBytes},
       rowsField("operators", "what each asked for", operatorFields(In), &MemoryRow::Operators)}));
  for (Table &Rows : Operators)
    To.add(std::move(Rows));
}

void addCopies(Section &To, const Context &In) {
  Copies Of = copiesOf(In->Source);
  if (Of.Rows.empty() && !In->Input.Everything)
    return;
  Table Rows = makeTable<CopyRow>(
      "copies.rows", "Copies and fills", std::move(Of.Rows),
      {{column::name("Copy or fill"), [In](const CopyRow &R) { return In->Source.text(R.Name); }},
       {{"device", "Device", Unit::Count, "that ran it"}, &CopyRow::Device},
       {column::calls().sum(), &CopyRow::Calls},
       {column::total().sum(), &CopyRow::TotalNs},
       {Column("bytes", "Bytes", Unit::Bytes, "of those whose size the trace has").sum(),
        &CopyRow::Bytes},
       {{"gbps", "GB/s", Unit::Rate, "10^9 bytes a second, of these"}, &CopyRow::GBs},
       {{"pinned", "Pinned", Unit::Flag, "host memory that the device reads directly"},
        [In](const CopyRow &R) { return parseCopyName(In->Source.text(R.Name)).Pinned; }}});
  Rows.Top = In->Input.rowsOf(UsualRows);
  To.add(std::move(Rows));
  To.add(makeTable<CopyPlace>(
      "copies.places", "Copies and kernels", std::move(Of.Places),
      {{{"device", "Copies of device", Unit::Count, "number"}, &CopyPlace::Device},
       {{"copy_ns", "Time", Unit::Ns, "in which it copied or filled"}, &CopyPlace::CopyNs},
       {{"overlapped_ns", "Overlapped", Unit::Ns, "of it, a kernel ran meanwhile"},
        &CopyPlace::OverlappedNs},
       {{"exposed_ns", "Exposed", Unit::Ns, "of it, the rest"}, &CopyPlace::ExposedNs}}));
}

} // namespace

void addMemoryAndCopies(Section &To, const Context &In) {
  addMemory(To, In);
  addCopies(To, In);
}

} // namespace seamscope::tools
