//===- KernelNotes.h - origins of compiled kernel calls, for augment ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_REPORT_KERNELNOTES_H
#define SEAMSCOPE_TOOLS_REPORT_KERNELNOTES_H

#include "run/join/GraphCalls.h"
#include "trace/model/Note.h"

#include <map>
#include <span>
#include <vector>

namespace seamscope::tools {

/// Operators, lines and modules of the calls that compiled graphs make, event by event, for
/// `seamscope augment`: docs/formats.md has the keys. GraphCalls knows which events these are.
class KernelNotes {
public:
  /// \p Run and \p Input must outlive it.
  KernelNotes(const TorchRun &Run, const Trace &Input) : Run(Run), Calls(Run, Input) {}

  /// Whether there is something to write to an event.
  bool any(uint32_t Event) const { return !Calls.usesOf(Event).empty(); }

  /// Adds what there is to write to an event.
  void add(uint32_t Event, std::vector<Note> &Notes) const;

private:
  std::vector<Note> notesOf(std::span<const uint32_t> Uses) const;

  const TorchRun &Run;
  const GraphCalls Calls;
  mutable std::map<std::vector<uint32_t>, std::vector<Note>> Made; ///< by uses, each computed once
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_REPORT_KERNELNOTES_H
