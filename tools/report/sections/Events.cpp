//===- Events.cpp - the events of a trace, one by one, as a document -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/sections/Documents.h"

namespace seamscope::tools {

Document eventsDocument(const Trace &Source) {
  const EventColumns &Events = Source.Events;
  const auto OfSite = [&Source](StringId Site::*Member) {
    return [&Source, Member](size_t Row) {
      return Source.text(Source.Sites[Source.Events.Site[Row]].*Member);
    };
  };
  const auto OfTrack = [&Source](StringId Track::*Member) {
    return [&Source, Member](size_t Row) {
      return Source.text(Source.Tracks[Source.Events.Track[Row]].*Member);
    };
  };
  const Fields<size_t> Columns = {
      {{"begin_ns", "Begin", Unit::Ns, "on the trace's clock"},
       [&Events](size_t Row) { return Events.BeginNs[Row]; }},
      {{"duration_ns", "Duration", Unit::Ns, "of the event"},
       [&Events](size_t Row) { return Events.DurationNs[Row]; }},
      {{"category", "Category", Unit::Name, "as the trace has it"}, OfSite(&Site::Category)},
      {{"name", "Name", Unit::Name, "its name"}, OfSite(&Site::Name)},
      {{"pid", "Process", Unit::Name, "id of the process"}, OfTrack(&Track::Process)},
      {{"tid", "Thread", Unit::Name, "id of the thread, or the stream"}, OfTrack(&Track::Thread)},
      {{"thread", "OpenMP thread", Unit::Count, "its number in the team"},
       [&Events](size_t Row) { return unlessNegative(Events.teamThread(Row)); }},
      {{"kernel", "Kernel", Unit::Name, "that it belongs to"}, OfSite(&Site::Kernel)},
      {column::source(), [&Source](size_t Row) {
         const Site &What = Source.Sites[Source.Events.Site[Row]];
         return Place{Source.text(What.File), What.Line, What.Column};
       }}};
  Table Rows;
  Rows.Key = "events";
  Rows.Title = "Events";
  Rows.Columns = columnsOf(Columns);
  Rows.Count = Events.size();
  Rows.At = [Columns](size_t Row, size_t Column) { return Columns[Column].Get(Row); };
  return {"", Source.Info.Path, {{"events", "Events", {std::move(Rows)}}}, "events"};
}

} // namespace seamscope::tools
