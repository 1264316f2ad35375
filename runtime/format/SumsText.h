//===- SumsText.h - sums of calls, as text of a trace ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures of each entry of "profile" (docs/formats.md).
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_FORMAT_SUMSTEXT_H
#define SEAMSCOPE_FORMAT_SUMSTEXT_H

#include "format/CallSums.h"
#include "format/JsonText.h"

namespace seamscope::format {

/// Begins an entry; before the first entry, begins the list. \p Any: whether the list has entries
/// before; set to true.
inline void beginSums(JsonText &Out, bool &Any) {
  Out.raw(Any ? ",\n{" : ",\"profile\":[\n{");
  Any = true;
}

inline void writeSums(JsonText &Out, const CallSumsNs &Sums) {
  Out.raw(",\"calls\":").number(Sums.Calls);
  Out.raw(",\"total_ns\":").number(Sums.TotalNs);
  Out.raw(",\"min_ns\":").number(Sums.MinNs);
  Out.raw(",\"max_ns\":").number(Sums.MaxNs);
  Out.raw(",\"first_ns\":").number(Sums.FirstNs);
  Out.raw(",\"last_ns\":").number(Sums.LastNs);
  Out.raw(",\"abandoned\":").number(Sums.Abandoned);
}

/// Ends an entry. FloorNs(uint32_t Bucket) is the least duration of a bucket, in ns.
template <typename FnT>
void endSums(JsonText &Out, const uint32_t (&Histogram)[HistogramBuckets], FnT FloorNs) {
  Out.raw(",\"histogram\":[");
  bool Comma = false;
  for (uint32_t I = 0; I < HistogramBuckets; ++I)
    if (Histogram[I]) {
      Out.raw(Comma ? ",[" : "[").number(FloorNs(I));
      Out.raw(",").number(uint64_t{Histogram[I]}).raw("]");
      Comma = true;
    }
  Out.raw("]}");
}

} // namespace seamscope::format
#endif // SEAMSCOPE_FORMAT_SUMSTEXT_H
