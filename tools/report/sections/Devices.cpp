//===- Devices.cpp - what each device did, and why it did nothing ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Sections.h"

#include <fmt/format.h>

namespace seamscope::tools {

std::string lateStart(const DeviceRow &Row, int64_t WindowNs) {
  if (!Row.FirstDelayNs || Row.Idle.OutsideNs < WindowNs / 10 ||
      *Row.FirstDelayNs < Row.Idle.OutsideNs / 2)
    return {};
  return fmt::format("first work began {} after its launch; it was probably still busy then "
                     "with what had been launched before the trace begins",
                     shownTime(*Row.FirstDelayNs));
}

void addDevices(Section &To, const Context &In) {
  if (!In->Input.Devices)
    return;
  const DeviceReport &Devices = *In->Input.Devices;
  const auto Idle = [](auto Member) {
    return [Member](const DeviceRow &R) { return R.Idle.*Member; };
  };
  Fields<DeviceRow> Columns = {
      {Column("id", "Device", Unit::Count, "number of the device"),
       [In](const DeviceRow &R) -> Cell {
         const std::string_view Name = In->Source.text(R.Name);
         return {R.Id, fmt::format("{}{}{}", R.Id, Name.empty() ? "" : " ", Name)};
       }},
      {Column("name", "", Unit::Name, "what it is called").in(ForJson),
       [In](const DeviceRow &R) { return textOrNull(In->Source.text(R.Name)); }},
      {{"kernels", "Kernels", Unit::Count, "kernels that it ran"},
       [](const DeviceRow &R) { return R.Kernels; }},
      {{"kernel_ns", "", Unit::Ns, "sum of the kernels' durations"},
       [](const DeviceRow &R) { return R.KernelNs; }},
      {column::busy().helped("union of kernels, copies and fills over all streams"),
       [](const DeviceRow &R) { return R.BusyNs; }},
      {column::percent("busy_percent", "Busy %", "busy_ns of the window"),
       [In](const DeviceRow &R) { return percentOf(R.BusyNs, In->Numbers.WindowNs); }},
      {{"idle_ns", "Idle", Unit::Ns, "the window less busy_ns"},
       [](const DeviceRow &R) { return R.IdleNs; }},
      {{"idle.outside_ns", "", Unit::Ns, "before its first and after its last work"},
       Idle(&IdleReasons::OutsideNs)},
      {{"idle.synchronisation_ns", "", Unit::Ns,
        "the host, which had not launched what came next, waited for the device"},
       Idle(&IdleReasons::SyncNs)},
      {{"idle.host_ns", "", Unit::Ns, "the host had not launched what came next"},
       Idle(&IdleReasons::HostNs)},
      {{"idle.latency_ns", "", Unit::Ns, "launched, and not yet begun"},
       Idle(&IdleReasons::LatencyNs)},
      {{"idle.unknown_ns", "", Unit::Ns, "the launch of what came next is not in the trace"},
       Idle(&IdleReasons::UnknownNs)},
      {{"idle_before_copies_ns", "", Unit::Ns, "of idle_ns, what ended with a copy or fill"},
       [](const DeviceRow &R) { return R.BeforeCopiesNs; }},
  };
  // In the order in which an engineer asks.
  const std::pair<const char *, const char *> Titles[] = {{"idle.host_ns", "Host late"},
                                                          {"idle.synchronisation_ns", "Host waits"},
                                                          {"idle.latency_ns", "Latency"},
                                                          {"idle.unknown_ns", "Unknown"},
                                                          {"idle.outside_ns", "Outside"}};
  for (const auto &[Key, Title] : Titles)
    for (Field<DeviceRow> &Each : Columns)
      if (Each.Key == Key) {
        Each.Title = Title;
        Each.In = ForJson | ForHtml;
      }
  Table Rows = makeTable("devices", "Devices", std::span(Devices.Rows), std::move(Columns));
  Rows.In = ForJson | (Devices.Rows.empty() ? 0 : ForHtml);
  if (!Devices.Rows.empty())
    To.Items.emplace_back(
        view(Rows, "Device", allRows(Rows.Count),
             {"id", "kernels", "busy_ns", "busy_percent", "idle_ns", "idle.host_ns",
              "idle.synchronisation_ns", "idle.latency_ns", "idle.unknown_ns", "idle.outside_ns"}));
  To.Items.emplace_back(std::move(Rows));
  for (const DeviceRow &Row : Devices.Rows)
    if (std::string Late = lateStart(Row, In->Numbers.WindowNs); !Late.empty())
      To.Items.emplace_back(Sentence{fmt::format("device {}: its {}", Row.Id, Late), ForText});

  int64_t Sum = 0;
  for (const CategoryRow &Row : Devices.Categories)
    Sum += Row.TotalNs;
  Table Categories = makeTable<CategoryRow>(
      "categories", "Categories", std::span(Devices.Categories),
      {{Column("name", "Category", Unit::Text, "kind of work"),
        [](const CategoryRow &R) { return R.Name; }},
       {column::calls().sum(), [](const CategoryRow &R) { return R.Calls; }},
       {column::total().sum(), [](const CategoryRow &R) { return R.TotalNs; }},
       {column::percent("percent", "%", "total_ns of all rows"),
        [Sum](const CategoryRow &R) { return percentOf(R.TotalNs, Sum); }}});
  if (Devices.Rows.empty())
    Categories.In = ForJson;
  To.Items.emplace_back(std::move(Categories));

  const LinkCounts &Linking = Devices.Linking;
  const auto Count = [](const char *Key, const char *Help, uint64_t Number) {
    return Fact{{Key, "", Unit::Count, Help}, Number};
  };
  To.Items.emplace_back(Count("linking.kernels", "kernels of devices", Linking.Kernels));
  To.Items.emplace_back(Count("linking.launched", "whose launch is known", Linking.Launched));
  To.Items.emplace_back(Count("linking.linked", "whose operator is known", Linking.Linked));
  if (!Devices.Rows.empty() && Linking.Kernels)
    To.Items.emplace_back(
        Sentence{fmt::format("{} of {} kernels linked to their operator, {} to their "
                             "launch",
                             Linking.Linked, Linking.Kernels, Linking.Launched),
                 ForPeople, /*Apart=*/true});
}

} // namespace seamscope::tools
