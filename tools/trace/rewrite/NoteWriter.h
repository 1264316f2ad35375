//===- NoteWriter.h - writes notes into the events of a trace -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_NOTEWRITER_H
#define SEAMSCOPE_TOOLS_TRACE_NOTEWRITER_H

#include "trace/io/ByteSource.h"
#include "trace/io/OutputFile.h"
#include "trace/model/Note.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace seamscope::tools {

/// An event that has notes.
struct NotedEvent {
  uint64_t Offset = 0; ///< where its object begins, see EventColumns::Offset
  uint32_t Event = 0;  ///< its index
};

/// Copies \p Source, a trace, to \p Out, and writes the notes of \p Noted, which rise by offset,
/// into the `args` of these events. All other bytes stay as they are. \p NotesOf fills an empty
/// list with the notes of an event. One event at a time is held in memory. \p Skipped counts the
/// events whose `args` are no object and which thus stay without notes.
std::optional<Error> writeNotes(ByteSource &Source, const std::string &Path, OutputFile &Out,
                                const std::vector<NotedEvent> &Noted,
                                const std::function<void(uint32_t, std::vector<Note> &)> &NotesOf,
                                uint64_t &Skipped);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_NOTEWRITER_H
