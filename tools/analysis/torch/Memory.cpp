//===- Memory.cpp - memory that torch's allocators allocated --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "analysis/torch/Memory.h"

#include "analysis/core/HostNesting.h"
#include "trace/io/SeededHash.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace seamscope::tools {
namespace {

/// The changes of one device, in the order of time.
class Replay {
public:
  Replay(const std::vector<MemoryChange> &All, const std::vector<StringId> &OperatorOf)
      : All(All), OperatorOf(OperatorOf) {}

  MemoryRow run(const std::vector<uint32_t> &Order) {
    const MemoryChange &First = All[Order[0]];
    Row.DeviceType = First.DeviceType;
    Row.Device = First.Device;
    if (First.Allocated >= 0)
      Row.FirstBytes = First.Allocated - First.Bytes;
    const size_t Peak = findPeak(Order);
    for (size_t I = 0; I < Order.size(); ++I) {
      add(Order[I]);
      if (I == Peak)
        notePeak();
    }
    for (auto &[Name, Of] : Rows) {
      Of.Name = Name;
      Row.Operators.push_back(Of);
    }
    std::ranges::stable_sort(Row.Operators, [](const auto &A, const auto &B) {
      return A.AllocatedBytes > B.AllocatedBytes;
    });
    return std::move(Row);
  }

private:
  static constexpr size_t Nowhere = SIZE_MAX;

  /// The change that reached the peak; Nowhere: the peak was at the start.
  size_t findPeak(const std::vector<uint32_t> &Order) {
    bool Totals = true;
    for (const uint32_t I : Order)
      Totals &= All[I].Allocated >= 0;
    // Totals include changes that are not in the trace, such as those on another thread before the
    // window.
    size_t Peak = Nowhere, Rise = Nowhere;
    int64_t Sum = 0, Most = Row.FirstBytes.value_or(0);
    for (size_t I = 0; I < Order.size(); ++I) {
      const MemoryChange &Change = All[Order[I]];
      if (__builtin_add_overflow(Sum, Change.Bytes, &Sum))
        break; // no device has that much
      if (Sum > Row.PeakRiseBytes) {
        Row.PeakRiseBytes = Sum;
        Rise = I;
      }
      if (Totals && Change.Allocated > Most) {
        Most = Change.Allocated;
        Peak = I;
      }
      if (Change.Reserved >= 0)
        Row.PeakReservedBytes = std::max(Change.Reserved, Row.PeakReservedBytes.value_or(0));
    }
    if (Totals) {
      Row.PeakBytes = Most;
      Row.LastBytes = All[Order.back()].Allocated;
    } else {
      Row.FirstBytes.reset();
      Peak = Rise;
    }
    if (Peak != Nowhere) {
      Row.PeakNs = All[Order[Peak]].Ns;
      Row.PeakOperator = OperatorOf[Order[Peak]];
    } else {
      Row.OlderBytes = Row.PeakBytes;
    }
    return Peak;
  }

  void add(uint32_t I) {
    const MemoryChange &Change = All[I];
    OperatorMemoryRow &Of = Rows[OperatorOf[I]];
    if (Change.Bytes >= 0) {
      ++Of.Allocations;
      ++Row.Allocations;
      addTo(Of.AllocatedBytes, Change.Bytes);
      addTo(Row.AllocatedBytes, Change.Bytes);
      if (Change.Address)
        Live[Change.Address] = {OperatorOf[I], Change.Bytes};
    } else {
      ++Of.Frees;
      ++Row.Frees;
      addTo(Of.FreedBytes, -Change.Bytes);
      addTo(Row.FreedBytes, -Change.Bytes);
      Live.erase(Change.Address);
    }
  }

  void notePeak() {
    int64_t Known = 0;
    for (const auto &[Address, Block] : Live) {
      addTo(Rows[Block.Operator].AtPeakBytes, Block.Bytes);
      addTo(Known, Block.Bytes);
    }
    if (Row.PeakBytes)
      Row.OlderBytes = *Row.PeakBytes - Known; // both not negative
  }

  /// Sums that no program can reach are limited.
  static void addTo(int64_t &Sum, int64_t Bytes) {
    if (__builtin_add_overflow(Sum, Bytes, &Sum))
      Sum = INT64_MAX;
  }

  struct Block {
    StringId Operator = 0;
    int64_t Bytes = 0;
  };
  const std::vector<MemoryChange> &All;
  const std::vector<StringId> &OperatorOf;
  std::map<StringId, OperatorMemoryRow> Rows;
  std::unordered_map<int64_t, Block, SeededHash> Live; ///< by address
  MemoryRow Row;
};

} // namespace

std::vector<MemoryRow> memoryRows(const Trace &Input) {
  const std::vector<MemoryChange> &All = Input.Details.Memory;
  if (All.empty())
    return {};
  std::vector<HostMoment> Moments;
  for (const MemoryChange &Change : All)
    Moments.push_back({Change.Track, Change.Ns});
  const HostNesting Nesting = nestHost(Input, Moments);
  const std::vector<uint32_t> Innermost = Nesting.innermost([&](uint32_t Event) {
    return isHostOperator(Input.Sites[Input.Events.Site[Event]]) ? Event : NoEvent;
  });
  std::vector<StringId> OperatorOf;
  for (const uint32_t At : Nesting.AtMoments) {
    const uint32_t Operator = At == NoEvent ? NoEvent : Innermost[At];
    OperatorOf.push_back(Operator == NoEvent ? 0 : Input.Sites[Input.Events.Site[Operator]].Name);
  }
  std::map<std::pair<int32_t, int32_t>, std::vector<uint32_t>> ByDevice;
  for (uint32_t I = 0; I < All.size(); ++I)
    ByDevice[{All[I].DeviceType, All[I].Device}].push_back(I);
  std::vector<MemoryRow> Rows;
  for (auto &[Device, Order] : ByDevice) {
    std::ranges::stable_sort(Order, {}, [&](uint32_t I) { return All[I].Ns; });
    Rows.push_back(Replay(All, OperatorOf).run(Order));
  }
  return Rows;
}

} // namespace seamscope::tools
