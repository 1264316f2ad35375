//===- Health.cpp - what is wrong with the trace ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/core/Cut.h"
#include "analysis/groups/EventNames.h"
#include "analysis/producers/Producers.h"
#include "report/sections/Page.h"
#include "trace/io/Escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

namespace seamscope::tools {

namespace {

/// \p In: the output formats.
void addLines(Section &To, const Trace &Source, const char *Side, uint8_t In) {
  for (const HealthFinding &Each : Source.Health.Found)
    To.add(Sentence{fmt::format("{}{}: {}", Side, nameOf(Each.Check), escaped(Each.Consequence)),
                    In, false, true});
}

void addData(Section &To, const Trace &Source, const char *Key) {
  To.add(forJson(makeTable<HealthFinding>(
      Key, "Health", std::span(Source.Health.Found),
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

} // namespace

void addHealthFirst(Section &To, const Context &In) { addLines(To, In->Source, "", ForHtml); }

void addHealth(Section &To, const Context &In) {
  addLines(To, In->Source, "", ForText);
  addData(To, In->Source, "health");
}

void addHealthOf(Section &To, const Trace &Source, const char *Key, const char *Side) {
  addLines(To, Source, Side, ForPeople);
  addData(To, Source, Key);
}

namespace {

Fields<EventNameRow> eventNameFields(const Context &In) {
  return {{column::name("Event"), [In](const EventNameRow &R) { return In->Source.text(R.Name); }},
          {column::calls().sum(), &EventNameRow::Calls},
          {column::total(), &EventNameRow::TotalNs},
          {{"min_ns", "Min", Unit::Ns, "shortest"}, &EventNameRow::MinNs},
          {{"max_ns", "Max", Unit::Ns, "longest"}, &EventNameRow::MaxNs}};
}

/// torch_npu's name for the stage: its sums divide all this time.
std::optional<int64_t> stageOf(const Trace &Source) {
  std::optional<TimeRange> Stage;
  for (size_t I = 0; I < Source.Events.size(); ++I) {
    if (Source.text(Source.Sites[Source.Events.Site[I]].Category) != AscendSums)
      continue;
    if (!Stage)
      Stage = {Source.Events.BeginNs[I], Source.Events.endNs(I)};
    Stage->BeginNs = std::min(Stage->BeginNs, Source.Events.BeginNs[I]);
    Stage->EndNs = std::max(Stage->EndNs, Source.Events.endNs(I));
  }
  return Stage ? std::optional(Stage->EndNs - Stage->BeginNs) : std::nullopt;
}

} // namespace

/// For unknown events, their own categories; for known producers their phases, and their own sums.
void addEventNames(Section &To, const Context &In) {
  const Trace &Source = In->Source;
  const HealthFinding *const Found = Source.Health.find(HealthCheck::UnknownCategories);
  const bool IsUnknown = Found && Found->Count >= Source.Events.size();
  const auto CategoryIs = [&](auto Is) {
    return [&Source, Is](const auto &What) { return Is(Source.text(What.Category)); };
  };
  std::vector<EventNameRow> Rows, Sums;
  if (IsUnknown || std::ranges::any_of(Source.Sites, CategoryIs(isProducerSum)) ||
      std::ranges::any_of(Source.Sites, CategoryIs(isProducerPhase)))
    Rows = eventNames(Source);
  if (!IsUnknown) {
    std::ranges::copy_if(Rows, std::back_inserter(Sums), CategoryIs(isProducerSum));
    std::erase_if(Rows, std::not_fn(CategoryIs(isProducerPhase)));
  }
  constexpr size_t MostRows = 50;
  Fields<EventNameRow> WithCategory = {
      {Column("category", "Category", Unit::Name, "what the writer calls their kind").left(),
       [In](const EventNameRow &R) { return textOrNull(In->Source.text(R.Category)); }}};
  append(WithCategory, eventNameFields(In));
  WithCategory.push_back({column::self().keyed("own_ns"), &EventNameRow::SelfNs});
  Table Shown = shownIfAny(makeTable<EventNameRow>("event_names", "Events by category and name",
                                                   std::move(Rows), std::move(WithCategory)));
  Shown.Top = In->Input.rowsOf(MostRows);
  To.add(std::move(Shown));
  Fields<EventNameRow> OfSums = eventNameFields(In);
  OfSums[0].Title = "Sum of the producer";
  Table SumTable = shownIfAny(makeTable<EventNameRow>("producer_sums", "Sums of the producer",
                                                      std::move(Sums), std::move(OfSums)));
  SumTable.Top = In->Input.rowsOf(MostRows);
  const std::optional<int64_t> StageNs = stageOf(Source);
  if (StageNs)
    SumTable.Summaries.push_back({"[stage]", {{"total_ns", *StageNs}}});
  To.add(std::move(SumTable));
  To.fact({"trace.stage_ns", Unit::Ns, "from the first of the producer's sums to the last"},
          StageNs);
}

} // namespace seamscope::tools
