//===- WaitShares.h - waits that nobody looked at ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_WAITSHARES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_WAITSHARES_H

#include "analysis/samples/CodeNames.h"
#include "trace/model/Trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace seamscope::tools {

/// What waits of one kernel, or those outside of kernels, were in. The runtime looks at all long
/// waits, and at some moments of short ones: the time of those that nobody looked at is shared out
/// among the others of its thread.
class WaitSum {
public:
  struct Row {
    WaitName Wait;      ///< without a symbol: nobody looked at any of its thread
    uint64_t Waits = 0; ///< that somebody looked at; without a symbol, others
    int64_t Ns = 0;
    /// The 95 % interval, if a part of Ns was shared out; else Ns is exact.
    std::optional<int64_t> LowNs, HighNs;
  };

  /// \p Weights: waitWeights(). Keeps references.
  WaitSum(const Trace &Input, const std::vector<double> &Weights)
      : Input(Input), Weights(Weights) {}

  /// A blocked stretch of Trace::OffCpu, or \p Ns of it. Parts of one come one after the other.
  void add(size_t Off, int64_t Ns);
  enum class By : uint8_t { Symbol, Line };
  /// They add up to all that was added.
  std::vector<Row> rows(const CodeNames &Names, By Key) const;

private:
  struct Part {
    size_t Off;
    int64_t Ns;
  };
  struct Unseen {
    int64_t Ns = 0;    ///< of short waits
    double Weight = 0; ///< of all that were looked at
  };
  double weightOf(const Part &Of) const;

  const Trace &Input;
  const std::vector<double> &Weights;
  std::vector<Part> Parts;
};

/// By stretch of Trace::OffCpu, the time of short waits of its thread that nobody looked at for
/// which it stands. Each moment had the same chance of a look: longer ones were seen more often.
std::vector<double> waitWeights(const Trace &Input);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_SAMPLES_WAITSHARES_H
