//===- Work.h - FLOPs and bytes of the calls of a trace -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas are work/OpWork.h's; here they meet the nesting of operators and
// the kernels that these launched.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_WORK_H
#define SEAMSCOPE_TOOLS_ANALYSIS_WORK_H

#include "analysis/devices/Devices.h"
#include "trace/io/SeededHash.h"
#include "work/OpWork.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace seamscope::tools {

/// FLOPs and bytes of one call.
struct CallWork {
  std::optional<int64_t> Flop;
  std::optional<int64_t> Bytes;
  DType Compute = DType::Unknown; ///< in which it computes
  OpWorkKind Kind = OpWorkKind::Unknown;
};

/// Of many calls, as far as it is known: the time is that of the calls whose figure is known.
class WorkSum {
public:
  /// \p DurationNs: how long the call took.
  void add(const CallWork &Call, int64_t DurationNs);

  /// The sum; nothing when it is known of no call, or does not fit.
  std::optional<int64_t> flop() const { return Flop.value(); }
  std::optional<int64_t> bytes() const { return Bytes.value(); }
  uint64_t flopCalls() const { return Flop.Calls; }
  uint64_t bytesCalls() const { return Bytes.Calls; }
  /// FLOP/s and bytes/s over the calls of which it is known; nothing without any, or without time.
  std::optional<double> flopPerSecond() const { return Flop.perSecond(); }
  std::optional<double> bytesPerSecond() const { return Bytes.perSecond(); }
  /// FLOP/byte over the calls of which both are known.
  std::optional<double> intensity() const;
  /// In which the calls with known operations compute; Unknown when they differ.
  DType compute() const { return Compute; }
  /// What those calls do; Unknown when they differ.
  OpWorkKind kind() const { return Kind; }

private:
  struct Figure {
    int64_t Sum = 0, Ns = 0;
    uint64_t Calls = 0;
    bool Overflowed = false;

    void add(int64_t Value, int64_t DurationNs);
    std::optional<int64_t> value() const;
    std::optional<double> perSecond() const;
  };
  Figure Flop, Bytes, BothFlop, BothBytes;
  DType Compute = DType::Unknown;
  OpWorkKind Kind = OpWorkKind::Unknown;
};

/// The work of a trace's operators and kernels.
class TraceWork {
public:
  /// \p Links: linkWork() of the trace. \p Fallback: the type of elements where none is recorded.
  TraceWork(const Trace &Input, const std::vector<Origin> &Links, DType Fallback);

  /// Of one event, an operator or a device's work. What was recorded with it (kernel_flop,
  /// kernel_num_gb) is preferred to the formula. An operator has work only when the work of all
  /// that it encloses is its own (OpWork.h): the sum over all operators counts nothing twice. What
  /// several kernels of one operator share is split by their time, that of a matrix product,
  /// convolution or attention among those kernels alone that do such things, if there are any.
  CallWork of(size_t Event) const;
  /// Whether the figures of a device's work are a part by time of what its operator did: they tell
  /// how fast the operator was, and nothing of this kernel.
  bool isSplit(size_t Event) const;

  /// Sums by operator's name, over the operators' own time on the host, or without that time when
  /// the trace has devices; by kernel's name and device, over the kernels' time; and of all.
  const WorkSum *ofOperator(StringId Name) const;
  const WorkSum *ofKernel(StringId Name, int32_t Device) const;
  const WorkSum &total() const { return Total; }
  /// What an operator's formula is of; Unknown when it has none.
  OpWorkKind kindOf(StringId Operator) const;

private:
  /// A kernel's part of its operator's work; -1: not known.
  struct Share {
    int64_t Flop = -1, Bytes = -1;
  };

  void findOwners();
  void findLacking();
  void shareOut();
  void shareAmong(const CallWork &Whole, const std::vector<size_t> &Kernels);
  void sumUp();
  CallWork siteWork(SiteId Id) const;
  uint32_t ownerOf(const Origin &Link) const;
  CallWork kernelWork(size_t Link) const;

  const Trace &Input;
  const std::vector<Origin> &Links;
  std::vector<OpWork> Sites;
  /// Of an operator, the one whose work it is part of. Empty: no operator has any.
  std::vector<uint32_t> Owner;
  std::unordered_set<uint32_t> Lacking;      ///< owners some of whose launches have no work
  std::unordered_set<StringId> LackingNames; ///< theirs
  std::vector<bool> IsPart;                  ///< by link
  std::vector<Share> Shares;                 ///< by link
  std::unordered_map<StringId, WorkSum> ByOperator;
  std::unordered_map<StringId, OpWorkKind> Kinds;
  std::unordered_map<uint64_t, WorkSum, SeededHash> ByKernel;
  WorkSum Total;
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_WORK_H
