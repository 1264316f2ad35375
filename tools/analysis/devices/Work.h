//===- Work.h - FLOPs and bytes of the calls of a trace -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// work/OpWork.h has the formulas; this file applies them to nested operators
// and to the kernels that these launched.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_WORK_H
#define SEAMSCOPE_TOOLS_ANALYSIS_WORK_H

#include "analysis/devices/Devices.h"
#include "analysis/devices/FusedCall.h"
#include "analysis/devices/LaunchWork.h"
#include "trace/io/SeededHash.h"
#include "work/OpWork.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace seamscope::tools {

/// FLOPs and bytes of one call.
struct CallWork {
  std::optional<int64_t> Flop;
  std::optional<int64_t> Bytes;
  DType Compute = DType::Unknown; ///< that it computes in
  OpWorkKind Kind = OpWorkKind::Unknown;
  WorkSource FlopSource = WorkSource::None, BytesSource = WorkSource::None;
  bool BytesAtLeast = false; ///< the call may move more than Bytes
};

/// The sum over many calls, as far as known: the time is that of the calls whose figure is known.
class WorkSum {
public:
  /// \p DurationNs: how long the call took.
  void add(const CallWork &Call, int64_t DurationNs);

  /// The sum; nothing if no call's figure is known, or if it does not fit.
  std::optional<int64_t> flop() const { return Flop.value(); }
  std::optional<int64_t> bytes() const { return Bytes.value(); }
  uint64_t flopCalls() const { return Flop.Calls; }
  uint64_t bytesCalls() const { return Bytes.Calls; }
  /// FLOP/s and bytes/s over the calls for which they are known; nothing without such calls or
  /// without time.
  std::optional<double> flopPerSecond() const { return Flop.perSecond(); }
  std::optional<double> bytesPerSecond() const { return Bytes.perSecond(); }
  /// FLOP/byte over the calls for which both are known.
  std::optional<double> intensity() const;
  /// The type that calls with known operations compute in; Unknown if they differ.
  DType compute() const { return Compute; }
  /// The kind of work of these calls; Unknown if they differ.
  OpWorkKind kind() const { return Kind; }
  /// Of several sources, the last.
  WorkSource flopSource() const { return FlopSource; }
  WorkSource bytesSource() const { return BytesSource; }
  /// Whether some calls may move more than their part of the sum.
  bool bytesAtLeast() const { return BytesAtLeast; }
  /// Whether kernels counted some of the bytes: these are of caches, too.
  bool countsBytes() const { return CountsBytes; }

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
  WorkSource FlopSource = WorkSource::None, BytesSource = WorkSource::None;
  bool BytesAtLeast = false, CountsBytes = false;
  bool HasUnit = false; ///< Compute and Kind are of some call
};

/// The work of a trace's operators and kernels.
class TraceWork {
public:
  /// \p Links: linkWork() of the trace. \p Fallback: element type, if none is recorded. \p Fused:
  /// what graphs say of fused kernels.
  TraceWork(const Trace &Input, const std::vector<Origin> &Links, DType Fallback,
            FusedWorkBySite Fused = {});

  /// For one event, an operator or device work. Figures that a kernel counted are preferred to
  /// recorded ones (kernel_flop, kernel_num_gb), these to those of graphs, and these to formulas.
  /// An operator has work only if the work of all that it encloses is its own (OpWork.h): the sum
  /// over all operators counts nothing twice. If several kernels share an operator's work, it is
  /// split by their time; that of a matrix product, convolution or attention only among kernels
  /// that do such work, if there are any.
  CallWork of(size_t Event) const;
  /// Whether the figures of device work are a share, by time, of its operator's work: they show how
  /// fast the operator was, not this kernel.
  bool isSplit(size_t Event) const;

  /// Sums by operator name, over the operators' own host time, or without time if the trace has
  /// devices; by kernel name and device, over the kernels' time; and over all.
  const WorkSum *ofOperator(StringId Name) const;
  const WorkSum *ofKernel(StringId Name, int32_t Device) const;
  const WorkSum &total() const { return Total; }
  /// Why figures of a fused kernel are not known, each reason once; null: all are, or it is not
  /// fused.
  const std::set<std::string> *unknownOf(StringId Name, int32_t Device) const;
  /// The kind of the operator's formula; Unknown if it has none.
  OpWorkKind kindOf(StringId Operator) const;

private:
  /// One of a kernel's figures.
  struct Figure {
    int64_t Value = -1; ///< -1: not known
    WorkSource Source = WorkSource::None;
  };
  /// A kernel's figures; of its operator's work, its part.
  struct Share {
    Figure Flop, Bytes;
    bool BytesAtLeast = false;
  };

  void addFused(SiteId Id, const FusedWork &Of);
  void findOwners();
  void findLacking();
  void shareOut();
  void shareAmong(const CallWork &Whole, const std::vector<size_t> &Kernels);
  void sumUp();
  void addReasons(SiteId Id, const CallWork &Known, uint32_t Operator);
  CallWork siteWork(SiteId Id) const;
  uint32_t ownerOf(const Origin &Link) const;
  CallWork kernelWork(size_t Link) const;

  const Trace &Input;
  const std::vector<Origin> &Links;
  std::vector<OpWork> Sites;
  std::unordered_map<uint32_t, LaunchWork> Counted; ///< by event
  FusedWorkBySite Fused;                            ///< of graphs
  FusedWorkBySite Called; ///< operators that call a fused kernel: by arguments
  std::map<uint64_t, std::set<std::string>> Reasons; ///< like ByKernel
  /// For an operator, the one whose work it is part of. Empty: no operator has any.
  std::vector<uint32_t> Owner;
  std::unordered_set<uint32_t> Lacking;      ///< owners some of whose launches have no known work
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
