//===- Collectives.h - the collectives of a trace -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_ANALYSIS_COLLECTIVES_H
#define SEAMSCOPE_TOOLS_ANALYSIS_COLLECTIVES_H

#include "analysis/devices/Devices.h"
#include "trace/model/Trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seamscope::tools {

enum class CollectiveKind : uint8_t {
  AllReduce,
  AllGather,
  ReduceScatter,
  AllToAll,
  Broadcast,
  Reduce,
  Gather,
  Scatter,
  SendReceive, ///< between two ranks
  Barrier,
  Other, ///< not known
};

/// "all_reduce", ..., "send_recv", "other".
std::string_view collectiveKindName(CollectiveKind Kind);

/// By the names that c10d, Gloo, NCCL and RCCL give: "allreduce", "_all_gather_base",
/// "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(...)", "c10d::alltoall_base_".
CollectiveKind collectiveKindOf(std::string_view Name);

/// One collective on one rank: a kernel of a device, or what Gloo or MPI did on a thread of the
/// host. What the trace does not tell is nothing: it needs record_shapes or, of a device, the
/// arguments that torch.profiler gives kernels of NCCL since 2.2 (ReadOptions::Collectives).
struct Collective {
  uint32_t Event = NoEvent;
  CollectiveKind Kind = CollectiveKind::Other;
  bool OfHost = false;
  StringId Group = 0;               ///< name or number of the process group; 0: not known
  StringId Ranks = 0;               ///< "[0, 1]"; 0: not known
  std::optional<int64_t> GroupSize; ///< ranks that take part
  std::optional<int64_t> InBytes;   ///< that this rank gives
  std::optional<int64_t> OutBytes;  ///< that it gets
  bool EvenSplit = true; ///< each rank gives and gets as much as any other; false: that is
                         ///< not so, or not known (all_to_allv)

  /// The size S of nccl-tests (doc/PERFORMANCE.md there, version of 2.17): of all_gather and
  /// reduce_scatter that of the array of all ranks together, else what one rank gives.
  std::optional<int64_t> sizeBytes() const;
};

/// The factor of the same document from the bandwidth that the program sees ("algbw", S over time)
/// to that on the wire ("busbw"): 2 (n - 1) / n for all_reduce, (n - 1) / n for all_gather,
/// reduce_scatter and all_to_all, 1 for broadcast, reduce and between two ranks. Nothing for
/// others.
std::optional<double> busFactor(CollectiveKind Kind, std::optional<int64_t> GroupSize);

/// In the order of the events. \p Links: linkWork() of the same trace. Spans that only enqueue a
/// device's work ("nccl:all_reduce") are none, but tell what the kernel does.
std::vector<Collective> findCollectives(const Trace &Input, const std::vector<Origin> &Links);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_COLLECTIVES_H
