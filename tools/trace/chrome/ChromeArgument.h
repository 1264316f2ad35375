//===- ChromeArgument.h - the arguments of an event that say something ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_CHROMEARGUMENT_H
#define SEAMSCOPE_TOOLS_TRACE_CHROMEARGUMENT_H

#include "trace/model/Trace.h"
#include <cstdint>

#include <string_view>

namespace seamscope::tools {

/// A key of an event's `args` that is read.
enum class ChromeArgument : uint8_t {
  None, ///< any other
  Kernel,
  Region,
  File,
  Ops, ///< operators; of a loop what it was inlined from, of a wait its construct
  LinkageName,
  Name,
  Labels,
  Line,
  Column,
  Scope,
  Thread,
  OpenNs,
  Correlation,
  LinkId, ///< what writers without categories call a correlation
  Device,
  InputDims,
  InputTypes,
  InputStrides,
  InputValues,
  KernelFlop,
  KernelGigabytes,
  Inside,
  CapturedAt,
  // Only where ReadOptions ask for them:
  FirstDetail,
  SequenceNumber = FirstDetail,
  ForwardThread,
  PythonId,
  PythonParent,
  CallStack,
  Grid,
  Block,
  SharedMemory,
  Registers,
  Stream,
  // ReadOptions::Collectives:
  FirstOfCollectives,
  CollectiveName = FirstOfCollectives,
  CollectiveType,
  GroupName,
  GroupRanks,
  GroupSize,
  InElements,
  OutElements,
  // ReadOptions::Memory:
  FirstOfMemory,
  CopyBytes = FirstOfMemory,
  MemoryBytes,
  MemoryAllocated,
  MemoryReserved,
  MemoryAddress,
  MemoryDeviceType,
  MemoryDevice,
  // ReadOptions::Syncs:
  FirstOfSyncs,
  OtherStream = FirstOfSyncs,
  RecordCorrelation,
};

/// The argument of that key.
ChromeArgument chromeArgument(std::string_view Key);

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_CHROMEARGUMENT_H
