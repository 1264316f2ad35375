//===- ChromeArgument.cpp - the arguments of an event that say something --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trace/chrome/ChromeArgument.h"

#include <algorithm>
#include <array>

namespace seamscope::tools {
namespace {

struct Known {
  std::string_view Key;
  ChromeArgument Argument;
  constexpr size_t size() const { return Key.size(); }
};

/// By the size of the key, which tells most of them apart.
using enum ChromeArgument;
constexpr Known Arguments[] = {
    {"ops", Ops},
    {"name", Name},
    {"line", Line},
    {"file", File},
    {"grid", Grid},
    {"Addr", MemoryAddress},
    {"block", Block},
    {"scope", Scope},
    {"bytes", CopyBytes},
    {"Bytes", MemoryBytes},
    {"dtype", CollectiveType},
    {"device", Device},
    {"stream", Stream},
    {"kernel", Kernel},
    {"region", Region},
    {"labels", Labels},
    {"inside", Inside},
    {"hlo_op", Ops}, // of XLA
    {"column", Column},
    {"thread", Thread},
    {"open_ns", OpenNs},
    {"op_name", Ops},          // of ONNX Runtime: the type of a node
    {"provider", LinkageName}, // that ran it
    {"construct", Ops},        // of a wait
    {"Python id", PythonId},
    {"Device Id", MemoryDevice},
    {"Input Dims", InputDims},
    {"Input dims", InputDims},
    {"Input type", InputTypes},
    {"Call stack", CallStack},
    {"Group size", GroupSize},
    {"correlation", Correlation},
    {"kernel_flop", KernelFlop},
    {"captured at", CapturedAt},
    {"Device Type", MemoryDeviceType},
    {"linkage_name", LinkageName},
    {"inlined_from", Ops},     // of a loop
    {"connection_id", LinkId}, // of torch_npu
    {"Input Strides", InputStrides},
    {"shared memory", SharedMemory},
    {"kernel_num_gb", KernelGigabytes},
    {"Fwd thread id", ForwardThread},
    {"In msg nelems", InElements},
    {"Out msg nelems", OutElements},
    {"Total Reserved", MemoryReserved},
    {"correlation_id", LinkId}, // of XLA
    {"wait_on_stream", OtherStream},
    {"Concrete Inputs", InputValues},
    {"Sequence number", SequenceNumber},
    {"Collective name", CollectiveName},
    {"Total Allocated", MemoryAllocated},
    {"Python parent id", PythonParent},
    {"Process Group ID", GroupName},
    {"Process Group Name", GroupName},
    {"Process Group Ranks", GroupRanks},
    {"registers per thread", Registers},
    {"wait_on_cuda_event_record_corr_id", RecordCorrelation},
};
static_assert(std::ranges::is_sorted(Arguments, {}, &Known::size));

constexpr size_t Longest = std::end(Arguments)[-1].size();
/// Entry N: the first argument of a key of N or more characters.
constexpr std::array<uint8_t, Longest + 2> FirstOfSize = [] {
  std::array<uint8_t, Longest + 2> First{};
  for (size_t Size = 0; Size < First.size(); ++Size)
    First[Size] = static_cast<uint8_t>(std::ranges::lower_bound(Arguments, Size, {}, &Known::size) -
                                       Arguments);
  return First;
}();

} // namespace

ChromeArgument chromeArgument(std::string_view Key) {
  if (Key.size() > Longest)
    return None;
  for (size_t I = FirstOfSize[Key.size()]; I < FirstOfSize[Key.size() + 1]; ++I)
    if (Arguments[I].Key[0] == Key[0] && Arguments[I].Key == Key)
      return Arguments[I].Argument;
  return None;
}

} // namespace seamscope::tools
