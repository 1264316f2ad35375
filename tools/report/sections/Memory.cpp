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

/// Rows of the text where --top does not say.
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
           [In](const Row &R) -> Cell {
             return R.Name ? Cell(In->Source.text(R.Name))
                           : Cell(Value(), std::string("[outside of operators]"));
           }},
          {Column("allocations", "Allocations", Unit::Count, "while it was the innermost").sum(),
           [](const Row &R) { return R.Allocations; }},
          {Column("allocated_bytes", "Allocated", Unit::Bytes, "sum").sum(),
           [](const Row &R) { return R.AllocatedBytes; }},
          {Column("freed_bytes", "Freed", Unit::Bytes, "sum").sum(),
           [](const Row &R) { return R.FreedBytes; }},
          {Column("at_peak_bytes", "Held at the peak", Unit::Bytes,
                  "allocated by it and not given back then, where addresses tell")
               .sum(),
           [](const Row &R) { return R.AtPeakBytes; }}};
}

void addMemory(Section &To, const Context &In) {
  std::vector<MemoryRow> Places = memoryRows(In->Source);
  if (Places.empty() && !In->Input.Everything)
    return;
  const int64_t First =
      In->Source.Events.size() ? *std::ranges::min_element(In->Source.Events.BeginNs) : 0;
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
  To.Items.emplace_back(makeTable<MemoryRow>(
      "memory", "Memory", std::move(Places),
      {{Column("place", "Memory of", Unit::Text, "host or device"), placeName},
       {Column("device_type", "", Unit::Count, "c10::DeviceType: 0 is the host, 1 CUDA, 6 HIP"),
        [](const MemoryRow &R) { return R.DeviceType; }},
       {Column("device", "", Unit::Count, "number of the device"),
        [](const MemoryRow &R) { return R.Device < 0 ? Value() : Value(R.Device); }},
       {Column("allocations", "Allocations", Unit::Count, "number"),
        [](const MemoryRow &R) { return R.Allocations; }},
       {Column("allocated_bytes", "Allocated", Unit::Bytes, "sum"),
        [](const MemoryRow &R) { return R.AllocatedBytes; }},
       {Column("peak_bytes", "Peak", Unit::Bytes, "most that was allocated at a time"),
        [](const MemoryRow &R) { return R.PeakBytes; }},
       {Column("peak_reserved_bytes", "Reserved", Unit::Bytes,
               "most that the allocator had from the device"),
        [](const MemoryRow &R) { return R.PeakReservedBytes; }},
       {Column("peak_at_ns", "Peak at", Unit::Ns, "time since the trace's first event"),
        [First](const MemoryRow &R) { return R.PeakNs ? Value(*R.PeakNs - First) : Value(); }},
       {Column("peak_operator", "Peak in", Unit::Name, "operator around it").left().cut(48),
        [In](const MemoryRow &R) { return textOrNull(In->Source.text(R.PeakOperator)); }},
       {Column("older_bytes", "Older", Unit::Bytes,
               "of the peak, what was there before or is no operator's"),
        [](const MemoryRow &R) { return R.OlderBytes; }},
       rowsField<MemoryRow>("operators", "what each asked for", operatorFields(In),
                            [](const MemoryRow &R) { return std::span(R.Operators); })}));
  for (Table &Rows : Operators)
    To.Items.emplace_back(std::move(Rows));
}

void addCopies(Section &To, const Context &In) {
  Copies Of = copiesOf(In->Source);
  if (Of.Rows.empty() && !In->Input.Everything)
    return;
  Table Rows = makeTable<CopyRow>(
      "copies.rows", "Copies and fills", std::move(Of.Rows),
      {{column::name("Copy or fill"), [In](const CopyRow &R) { return In->Source.text(R.Name); }},
       {Column("device", "Device", Unit::Count, "that ran it"),
        [](const CopyRow &R) { return R.Device; }},
       {column::calls().sum(), [](const CopyRow &R) { return R.Calls; }},
       {column::total().sum(), [](const CopyRow &R) { return R.TotalNs; }},
       {Column("bytes", "Bytes", Unit::Bytes, "of those whose size the trace has").sum(),
        [](const CopyRow &R) { return R.Bytes; }},
       {Column("gbps", "GB/s", Unit::Rate, "10^9 bytes a second, of these"),
        [](const CopyRow &R) { return R.GBs; }},
       {Column("pinned", "Pinned", Unit::Flag, "host memory that the device reads directly"),
        [In](const CopyRow &R) -> Cell {
          const auto Pinned = parseCopyName(In->Source.text(R.Name)).Pinned;
          return Pinned ? Cell(*Pinned) : Cell();
        }}});
  Rows.Top = In->Input.rowsOf(UsualRows);
  To.Items.emplace_back(std::move(Rows));
  To.Items.emplace_back(makeTable<CopyPlace>(
      "copies.places", "Copies beside kernels", std::move(Of.Places),
      {{Column("device", "Copies of device", Unit::Count, "number"),
        [](const CopyPlace &R) { return R.Device; }},
       {Column("copy_ns", "Time", Unit::Ns, "in which it copied or filled"),
        [](const CopyPlace &R) { return R.CopyNs; }},
       {Column("overlapped_ns", "Overlapped", Unit::Ns, "of it, a kernel ran meanwhile"),
        [](const CopyPlace &R) { return R.OverlappedNs; }},
       {Column("exposed_ns", "Exposed", Unit::Ns, "of it, the rest"),
        [](const CopyPlace &R) { return R.ExposedNs; }}}));
}

} // namespace

void addMemoryAndCopies(Section &To, const Context &In) {
  addMemory(To, In);
  addCopies(To, In);
}

} // namespace seamscope::tools
