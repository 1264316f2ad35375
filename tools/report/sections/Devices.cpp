//===- Devices.cpp - work of devices, and why they were idle -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Sections.h"

#include <algorithm>

#include <fmt/format.h>

namespace seamscope::tools {

std::string lateStart(const DeviceRow &Row, int64_t WindowNs) {
  if (!Row.FirstDelayNs || Row.Idle.OutsideNs < WindowNs / 10 ||
      *Row.FirstDelayNs < Row.Idle.OutsideNs / 2)
    return {};
  return fmt::format("first work began {} after its launch; it was probably still busy with work "
                     "launched before the trace begins",
                     shownTime(*Row.FirstDelayNs));
}

void addDevices(Section &To, const Context &In) {
  if (!In->Input.Devices)
    return;
  const DeviceReport &Devices = *In->Input.Devices;
  const auto Idle = [](const char *Key, const char *Title, const char *Help, auto What) {
    return Field<DeviceRow>(Column(Key, Title, Unit::Ns, Help).in(ForJson | ForHtml),
                            member(&DeviceRow::Idle, What));
  };
  Fields<DeviceRow> Columns = {
      {{"id", "Device", Unit::Count, "number of the device"},
       [In](const DeviceRow &R) -> Cell {
         const std::string_view Name = In->Source.text(R.Name);
         return {R.Id, fmt::format("{}{}{}", R.Id, Name.empty() ? "" : " ", Name)};
       }},
      {Column("name", Unit::Name, "what it is called").in(ForJson),
       [In](const DeviceRow &R) { return textOrNull(In->Source.text(R.Name)); }},
      {{"kernels", "Kernels", Unit::Count, "kernels that it ran"}, &DeviceRow::Kernels},
      {{"kernel_ns", Unit::Ns, "sum of the kernels' durations"}, &DeviceRow::KernelNs},
      {column::busy().helped("union of kernels, copies and fills over all streams"),
       &DeviceRow::BusyNs},
      {column::percent("busy_percent", "Busy %", "busy_ns of the window"),
       [In](const DeviceRow &R) { return percentOf(R.BusyNs, In->Numbers.WindowNs); }},
      {{"idle_ns", "Idle", Unit::Ns, "the window less busy_ns"}, &DeviceRow::IdleNs},
      Idle("idle.outside_ns", "Outside", "before its first and after its last work",
           &IdleReasons::OutsideNs),
      Idle("idle.synchronisation_ns", "Host waits",
           "the host, which had not launched what came next, waited for the device",
           &IdleReasons::SyncNs),
      Idle("idle.host_ns", "Host late", "the host had not launched what came next",
           &IdleReasons::HostNs),
      Idle("idle.initialisation_ns", "Set-up",
           "the host, which had not launched what came next, set up a device or loaded code",
           &IdleReasons::InitNs),
      Idle("idle.latency_ns", "Latency", "launched, and not yet begun", &IdleReasons::LatencyNs),
      Idle("idle.unknown_ns", "Unknown",
           "the launch of what came next is not in the trace, is on another clock, or "
           "work before it is missing",
           &IdleReasons::UnknownNs),
      {{"idle_before_copies_ns", Unit::Ns, "of idle_ns, what ended with a copy or fill"},
       &DeviceRow::BeforeCopiesNs},
  };

  Table Rows = shownIfAny(
      makeTable("devices", "Devices", std::span(Devices.Rows), std::move(Columns)), ForHtml);
  // In the order in which engineers ask.
  if (!Devices.Rows.empty()) {
    std::vector<std::string> Keys = {"id",
                                     "kernels",
                                     "busy_ns",
                                     "busy_percent",
                                     "idle_ns",
                                     "idle.host_ns",
                                     "idle.synchronisation_ns"};
    if (std::ranges::any_of(Devices.Rows, [](const DeviceRow &R) { return R.Idle.InitNs != 0; }))
      Keys.emplace_back("idle.initialisation_ns");
    Keys.insert(Keys.end(), {"idle.latency_ns", "idle.unknown_ns", "idle.outside_ns"});
    To.add(view(Rows, "Device", allRows(Rows.Count), Keys));
  }
  To.add(std::move(Rows));
  for (const DeviceRow &Row : Devices.Rows)
    if (std::string Late = lateStart(Row, In->Numbers.WindowNs); !Late.empty())
      To.Items.emplace_back(Sentence{fmt::format("device {}: its {}", Row.Id, Late), ForText});

  int64_t Sum = 0;
  for (const CategoryRow &Row : Devices.Categories)
    Sum += Row.TotalNs;
  Table Categories = makeTable<CategoryRow>(
      "categories", "Categories", std::span(Devices.Categories),
      {{{"name", "Category", Unit::Text, "kind of work"}, &CategoryRow::Name},
       {column::calls().sum(), &CategoryRow::Calls},
       {column::total().sum(), &CategoryRow::TotalNs},
       {column::percent("percent", "%", "total_ns of all rows"),
        [Sum](const CategoryRow &R) { return percentOf(R.TotalNs, Sum); }}});
  if (Devices.Rows.empty())
    Categories.In = ForJson;
  To.add(std::move(Categories));

  const LinkCounts &Linking = Devices.Linking;
  To.fact({"linking.kernels", Unit::Count, "kernels of devices"}, Linking.Kernels);
  To.fact({"linking.launched", Unit::Count, "whose launch is known"}, Linking.Launched);
  To.fact({"linking.linked", Unit::Count, "whose operator is known"}, Linking.Linked);
  // If launches lack their kernel, it says little that all kernels have their launch.
  if (!Devices.Rows.empty() && Linking.Kernels &&
      !In->Source.Health.find(HealthCheck::LaunchesWithoutWork))
    To.sayApart(fmt::format("{} of {} kernels linked to their operator, {} to their launch",
                            Linking.Linked, Linking.Kernels, Linking.Launched));
}

} // namespace seamscope::tools
