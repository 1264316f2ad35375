//===- Health.cpp - what is wrong with the trace ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/groups/EventNames.h"
#include "analysis/producers/Producers.h"
#include "report/sections/Sections.h"
#include "trace/io/Escape.h"

#include <fmt/format.h>

#include <algorithm>

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

namespace {

Fields<EventNameRow> eventNameFields(const Context &In) {
  return {{column::name("Event"), [In](const EventNameRow &R) { return In->Source.text(R.Name); }},
          {column::calls().sum(), &EventNameRow::Calls},
          {column::total(), &EventNameRow::TotalNs},
          {{"min_ns", "Min", Unit::Ns, "shortest"}, &EventNameRow::MinNs},
          {{"max_ns", "Max", Unit::Ns, "longest"}, &EventNameRow::MaxNs}};
}

} // namespace

/// Where nothing is known of the events, what they say of themselves; and what a producer has
/// summed up itself.
void addEventNames(Section &To, const Context &In) {
  const Trace &Source = In->Source;
  const HealthFinding *const Found = Source.Health.find(HealthCheck::UnknownCategories);
  const auto IsSum = [&](const Site &What) { return Source.text(What.Category) == ProducerSums; };
  std::vector<EventNameRow> Rows, Sums;
  const bool HasSums = std::ranges::any_of(Source.Sites, IsSum);
  if (HasSums || (Found && Found->Count >= Source.Events.size()))
    Rows = eventNames(Source);
  if (HasSums) {
    std::erase_if(Rows,
                  [&](const EventNameRow &R) { return Source.text(R.Category) != ProducerSums; });
    std::swap(Rows, Sums);
  }
  constexpr size_t MostRows = 50;
  Fields<EventNameRow> WithCategory = {
      {Column("category", "Category", Unit::Name, "what the writer calls their kind").left(),
       [In](const EventNameRow &R) { return textOrNull(In->Source.text(R.Category)); }}};
  append(WithCategory, eventNameFields(In));
  Table Shown = shownIfAny(makeTable<EventNameRow>("event_names", "Events by category and name",
                                                   std::move(Rows), std::move(WithCategory)));
  Shown.Top = In->Input.rowsOf(MostRows);
  To.add(std::move(Shown));
  Fields<EventNameRow> OfSums = eventNameFields(In);
  OfSums[0].Title = "Sum of the producer";
  To.add(shownIfAny(makeTable<EventNameRow>("producer_sums", "Sums of the producer",
                                            std::move(Sums), std::move(OfSums))));
}

} // namespace seamscope::tools
