//===- NoteWriter.cpp - writes notes into the events of a trace -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/rewrite/NoteWriter.h"

#include "trace/chrome/EventText.h"
#include "trace/chrome/TraceOutline.h"

#include <algorithm>

namespace seamscope::tools {
namespace {

/// Copies up to \p Offset of the source; false: it ends before.
bool copyUpTo(uint64_t Offset, ByteSource &Source, OutputFile &Out) {
  while (Source.offset() < Offset) {
    std::string_view Chunk = Source.chunk();
    if (Chunk.empty())
      return false;
    Chunk = Chunk.substr(
        0, static_cast<size_t>(std::min<uint64_t>(Chunk.size(), Offset - Source.offset())));
    Out.write(Chunk);
    Source.take(Chunk.size());
  }
  return true;
}

void addNote(EventText &Event, const Note &New) {
  bool Known = false;
  for (const EventText::Member &Argument : Event.lastArguments())
    if (Argument.Key == New.Key) {
      Known = true;
      if (!New.KeepsRecorded)
        Event.replace(Argument, New.Json);
    }
  if (!Known)
    Event.addArgument(New.Key, New.Json);
}

} // namespace

std::optional<Error> writeNotes(ByteSource &Source, const std::string &Path, OutputFile &Out,
                                const std::vector<NotedEvent> &Noted,
                                const std::function<void(uint32_t, std::vector<Note> &)> &NotesOf,
                                uint64_t &Skipped) {
  EventText Event;
  std::string Text, Written;
  std::vector<Note> Notes;
  for (const NotedEvent &Next : Noted) {
    Notes.clear();
    NotesOf(Next.Event, Notes);
    if (Notes.empty())
      continue;
    if (!copyUpTo(Next.Offset, Source, Out) || !takeEvent(Source, Text, SIZE_MAX) ||
        !Event.parse(Text))
      return Error{Path, Next.Offset, "the file changed while it was read; try again"};
    if (!Event.takesArguments()) {
      ++Skipped;
      Out.write(Text);
      continue;
    }
    for (const Note &New : Notes)
      addNote(Event, New);
    Written.clear();
    Event.write(Written);
    Out.write(Written);
  }
  copyUpTo(UINT64_MAX, Source, Out);
  if (const Error *Lost = Source.error())
    return *Lost;
  return std::nullopt;
}

} // namespace seamscope::tools
