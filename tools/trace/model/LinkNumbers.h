//===- LinkNumbers.h - numbers that link events ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_LINKNUMBERS_H
#define SEAMSCOPE_TOOLS_TRACE_LINKNUMBERS_H

#include "trace/model/Trace.h"

namespace seamscope::tools {

/// Numbers from this on are hashes, not counts: those of two traces do not collide, and they are
/// left out of TraceSurvey::FirstId and LastId.
constexpr int64_t HashNumbers = int64_t{1} << 52;

/// Calls Visit(int64_t &Number, TrackId Track) for each number that links events, with the track of
/// its event: the numbers in the model for which isIdArgument() is true in the text. Negative
/// numbers of sequences, waits and frames link nothing and are skipped.
template <typename FnT> void visitLinkNumbers(Trace &Input, FnT Visit) {
  for (Correlation &Of : Input.Correlations)
    Visit(Of.Id, Input.Events.Track[Of.Event]);
  for (FlowEnd &End : Input.Details.Flows)
    Visit(End.Id, End.Track);
  const auto VisitLink = [&](int64_t &Number, uint32_t Event) {
    if (Number >= 0)
      Visit(Number, Input.Events.Track[Event]);
  };
  for (SequenceNumber &Of : Input.Details.Sequences)
    VisitLink(Of.Number, Of.Event);
  for (DeviceSync &Of : Input.Details.Syncs) {
    VisitLink(Of.Correlation, Of.Event);
    VisitLink(Of.Record, Of.Event);
  }
  for (PythonFrame &Frame : Input.Details.Frames) {
    VisitLink(Frame.Id, Frame.Event);
    if (Frame.Parent)
      VisitLink(*Frame.Parent, Frame.Event);
  }
}

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_LINKNUMBERS_H
