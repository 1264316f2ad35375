//===- Health.cpp - what is wrong with the trace ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/EventNames.h"
#include "report/sections/Sections.h"
#include "trace/io/Escape.h"

#include <fmt/format.h>

namespace seamscope::tools {

void addHealth(Section &To, const Context &In) {
  const std::vector<HealthFinding> &Found = In->Source.Health.Found;
  for (const HealthFinding &Each : Found)
    To.warn(fmt::format("{}: {}", nameOf(Each.Check), escaped(Each.Consequence)));
  To.add(forJson(makeTable<HealthFinding>(
      "health", "Health", std::span(Found),
      {{{"name", Unit::Text, "a stable word"},
        [](const HealthFinding &F) { return nameOf(F.Check); }},
       {{"count", Unit::Count, "events that it is about"}, &HealthFinding::Count},
       {{"ns", Unit::Ns, "time that it is about"}, &HealthFinding::Ns},
       rowsField<HealthFinding>(
           "events", "the first of them",
           Fields<HealthExample>{
               {{"name", Unit::Name, "name of the event, or why it could not be read"},
                &HealthExample::Name},
               {{"begin_ns", Unit::Ns, "begin on the trace's clock"}, &HealthExample::BeginNs},
               {{"duration_ns", Unit::Ns, "its duration"}, &HealthExample::DurationNs},
               {{"offset", Unit::Count, "in the file, of one that could not be read"},
                &HealthExample::Offset}},
           &HealthFinding::Events),
       {{"consequence", Unit::Text, "what was found, and what follows"},
        &HealthFinding::Consequence}})));
}

/// Where nothing is known of the events, what they say of themselves.
void addEventNames(Section &To, const Context &In) {
  std::vector<EventNameRow> Rows;
  if (const HealthFinding *const Found = In->Source.Health.find(HealthCheck::UnknownCategories);
      Found && Found->Count >= In->Source.Events.size())
    Rows = eventNames(In->Source);
  constexpr size_t MostRows = 50;
  Table Shown = shownIfAny(makeTable<EventNameRow>(
      "event_names", "Events by category and name", std::move(Rows),
      {{Column("category", "Category", Unit::Name, "what the writer calls their kind").left(),
        [In](const EventNameRow &R) { return textOrNull(In->Source.text(R.Category)); }},
       {column::name("Event"), [In](const EventNameRow &R) { return In->Source.text(R.Name); }},
       {column::calls().sum(), &EventNameRow::Calls},
       {column::total(), &EventNameRow::TotalNs},
       {{"min_ns", "Min", Unit::Ns, "shortest"}, &EventNameRow::MinNs},
       {{"max_ns", "Max", Unit::Ns, "longest"}, &EventNameRow::MaxNs}}));
  Shown.Top = In->Input.rowsOf(MostRows);
  To.add(std::move(Shown));
}

} // namespace seamscope::tools
