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

/// Decides by the names that c10d, Gloo, NCCL and RCCL use: "allreduce", "_all_gather_base",
/// "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(...)", "c10d::alltoall_base_".
CollectiveKind collectiveKindOf(std::string_view Name);

/// One collective on one rank: a kernel of a device, or what Gloo or MPI did on a thread of the
/// host. Fields that the trace does not have are nothing: they need record_shapes or, on a device,
/// the arguments that torch.profiler has given NCCL kernels since 2.2 (ReadOptions::Collectives).
struct Collective {
  uint32_t Event = NoEvent;
  CollectiveKind Kind = CollectiveKind::Other;
  bool OfHost = false;
  StringId Group = 0;               ///< name or number of the process group; 0: not known
  StringId Ranks = 0;               ///< "[0, 1]"; 0: not known
  std::optional<int64_t> GroupSize; ///< ranks that take part
  std::optional<int64_t> InBytes;   ///< that this rank sends
  std::optional<int64_t> OutBytes;  ///< that it receives
  bool EvenSplit = true;            ///< all ranks send and receive equal amounts; false: they do
                                    ///< not, or it is not known (all_to_allv)

  /// The size S of nccl-tests (doc/PERFORMANCE.md there, version 2.17): for all_gather and
  /// reduce_scatter, the array of all ranks together; else the part of one rank.
  std::optional<int64_t> sizeBytes() const;
};

/// The factor, from the same document, from the bandwidth that the program sees ("algbw", S over
/// time) to that on the wire ("busbw"): 2 (n - 1) / n for all_reduce, (n - 1) / n for all_gather,
/// reduce_scatter and all_to_all, 1 for broadcast, reduce and between two ranks. Nothing for
/// others.
std::optional<double> busFactor(CollectiveKind Kind, std::optional<int64_t> GroupSize);

/// In the order of the events. \p Links: linkWork() of the same trace. Spans that only enqueue
/// device work ("nccl:all_reduce") are not collectives, but say what the kernel does.
std::vector<Collective> findCollectives(const Trace &Input, const std::vector<Origin> &Links);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_ANALYSIS_COLLECTIVES_H
