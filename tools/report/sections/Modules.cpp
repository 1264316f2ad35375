//===- Modules.cpp - time by nn.Module, for the page ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/Modules.h"
#include "report/sections/Page.h"
#include "run/join/GraphCalls.h"

#include <map>

namespace seamscope::tools {

void addModules(Section &To, const Context &In) {
  if (!In->Input.Page || !In->Input.Devices)
    return;
  const Directions Parts(In->Source);
  // The rows refer to its tree.
  const auto Paths = std::make_shared<const ModulePaths>(
      In->Source, Parts, ModuleNames::Instances,
      In->Input.Torch ? kernelModules(*In->Input.Torch, In->Source) : KernelModules());
  if (!Paths->any())
    return;
  ModuleTimes Times = moduleTimes(In->Source, In->Input.Devices->Links, *Paths, Parts);
  const bool HasDevice = !In->Input.Devices->Rows.empty();
  Flame::View View{
      HasDevice ? "By module: time of devices" : "By module: time of the host", {}, {}};
  std::map<PathId, int32_t> NodeOf;
  for (const ModuleRow &Row : Times.Rows) {
    const auto Outer = NodeOf.find(Row.Path ? Paths->tree().outer(Row.Path) : 0);
    const auto Number = static_cast<int32_t>(View.Nodes.size());
    View.Nodes.push_back({Outer == NodeOf.end() || !Row.Path ? -1 : Outer->second,
                          static_cast<uint32_t>(View.Names.size()),
                          HasDevice ? Row.Self.DeviceNs : Row.Self.HostNs, Row.Calls});
    View.Names.emplace_back(Row.Path ? std::string(Paths->tree().name(Row.Path)) : "[no module]");
    if (Row.Path)
      NodeOf[Row.Path] = Number;
  }
  // Columns without values are not shown.
  const auto OfDevice = [&](ModuleTime ModuleRow::*Of, auto ModuleTime::*Member) {
    return [=](const ModuleRow &R) { return HasDevice ? Cell((R.*Of).*Member) : Cell(); };
  };
  auto Rows = std::make_shared<const std::vector<ModuleRow>>(std::move(Times.Rows));
  Table Made = makeTable<ModuleRow>(
      "modules", "Time by nn.Module", std::span(*Rows),
      {{column::name("Module"),
        [Paths](const ModuleRow &R) -> Cell {
          return R.Path ? Cell(Paths->tree().name(R.Path)) : Cell("[no module]");
        }},
       {column::calls().helped("of the module; none where compiled kernels alone name it"),
        [](const ModuleRow &R) { return R.Calls ? Cell(R.Calls) : Cell(); }},
       {{"kernels", "Kernels", Unit::Count, "of devices, with those of modules inside"},
        OfDevice(&ModuleRow::Total, &ModuleTime::Kernels)},
       {{"device_ns", "Device", Unit::Ns, "with the modules inside"},
        OfDevice(&ModuleRow::Total, &ModuleTime::DeviceNs)},
       {Column("device_self_ns", "Device self", Unit::Ns, "without them").sum(),
        OfDevice(&ModuleRow::Self, &ModuleTime::DeviceNs)},
       {{"backward_device_ns", "Device backward", Unit::Ns, "of it, the backward pass"},
        OfDevice(&ModuleRow::Total, &ModuleTime::BackwardDeviceNs)},
       {{"host_ns", "Host", Unit::Ns, "with the modules inside"},
        member(&ModuleRow::Total, &ModuleTime::HostNs)},
       {Column("host_self_ns", "Host self", Unit::Ns, "without them").sum(),
        member(&ModuleRow::Self, &ModuleTime::HostNs)},
       {{"host_off_ns", "Host off", Unit::Ns,
         "threads were blocked or preempted in it; not in host_ns"},
        [HasSwitches = !In->Source.SampledSpans.empty()](const ModuleRow &R) {
          return HasSwitches ? Cell(R.Total.HostOffNs) : Cell();
        }}});
  Made.In = ForHtml;
  Made.At = [Rows, Paths, Inner = std::move(Made.At)](size_t Row, size_t Column) {
    return Inner(Row, Column);
  };
  Made.Depth = [Rows](size_t Row) {
    return (*Rows)[Row].Depth ? size_t{(*Rows)[Row].Depth} - 1 : 0;
  };
  To.add(std::move(Made));
  To.add(Chart{"module-flame", "Modules", Flame{{std::move(View)}}});
}

} // namespace seamscope::tools
