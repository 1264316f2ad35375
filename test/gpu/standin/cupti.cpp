//===- cupti.cpp - libcupti.so.13 of the stand-in --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates CUPTI records of the stand-in's work.
//
//===----------------------------------------------------------------------===//
#include "machine.h"

#include <cupti.h>

#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <utility>

using namespace standin;

namespace {

// Record types of CUPTI; later majors add fields at their end.
#if CUDA_VERSION >= 13000
using KernelRecord = CUpti_ActivityKernel10;
using CopyRecord = CUpti_ActivityMemcpy6;
using WaitRecord = CUpti_ActivitySynchronization2;
#else
using KernelRecord = CUpti_ActivityKernel9;
using CopyRecord = CUpti_ActivityMemcpy5;
using WaitRecord = CUpti_ActivitySynchronization;
#endif

CUpti_BuffersCallbackRequestFunc Request;
CUpti_BuffersCallbackCompleteFunc Complete;
std::mutex Lock;
std::set<int> Enabled;
uint64_t Seen = 0, Dropped = 0;
/// Names must outlive their records.
std::set<std::string> &names() {
  static std::set<std::string> Kept;
  return Kept;
}
std::map<std::pair<int, uint32_t>, std::string> &callNames() {
  static std::map<std::pair<int, uint32_t>, std::string> Names;
  return Names;
}

CUptiResult refusal() {
  if (hasFault("privileges"))
    return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  if (hasFault("subscriber"))
    return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  return hasFault("unknown") ? CUPTI_ERROR_UNKNOWN : CUPTI_SUCCESS;
}

template <typename T> void common(T &R, const Activity &A) {
  R.start = A.BeginNs;
  R.end = A.EndNs;
  R.contextId = 1;
  R.streamId = A.Stream;
  R.correlationId = A.Correlation;
}

/// A buffer of the tool that is being filled.
class Writer {
public:
  template <typename T> void put(const T &Record) {
    if (!Buffer || Used + sizeof(T) > Size)
      next();
    if (!Buffer)
      return;
    memcpy(Buffer + Used, &Record, sizeof(T));
    Used += sizeof(T);
  }
  ~Writer() { hand(); }

private:
  void hand() {
    if (Buffer)
      Complete(nullptr, 0, Buffer, Size, Used);
    Buffer = nullptr;
  }
  void next() {
    hand();
    size_t Most = 0;
    Used = 0;
    Request(&Buffer, &Size, &Most);
  }
  uint8_t *Buffer = nullptr;
  size_t Size = 0, Used = 0;
};

void put(Writer &Out, const Activity &A) {
  if (A.Kind == "kernel" && Enabled.contains(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)) {
    KernelRecord R = {};
    R.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    common(R, A);
    R.name = names().insert(A.Name).first->c_str();
    R.gridX = static_cast<int>(A.Grid[0]);
    R.gridY = static_cast<int>(A.Grid[1]);
    R.gridZ = static_cast<int>(A.Grid[2]);
    R.blockX = static_cast<int>(A.Block[0]);
    R.blockY = static_cast<int>(A.Block[1]);
    R.blockZ = static_cast<int>(A.Block[2]);
    R.dynamicSharedMemory = static_cast<int>(A.Shared);
    R.registersPerThread = 24;
    R.gridId = static_cast<int64_t>(A.Number);
    R.graphNodeId = A.GraphNode;
    R.graphId = A.Graph;
    Out.put(R);
  } else if (A.Kind == "copy" && Enabled.contains(CUPTI_ACTIVITY_KIND_MEMCPY)) {
    CopyRecord R = {};
    R.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
    common(R, A);
    R.copyKind = static_cast<uint8_t>(A.Way);
    R.srcKind =
        A.Way == 1 ? CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE : CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    R.dstKind =
        A.Way == 2 ? CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE : CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    R.bytes = A.Bytes;
    Out.put(R);
  } else if (A.Kind == "fill" && Enabled.contains(CUPTI_ACTIVITY_KIND_MEMSET)) {
    CUpti_ActivityMemset4 R = {};
    R.kind = CUPTI_ACTIVITY_KIND_MEMSET;
    common(R, A);
    R.bytes = A.Bytes;
    R.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    Out.put(R);
  } else if (A.Kind == "wait" && Enabled.contains(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION)) {
    WaitRecord R = {};
    R.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
    common(R, A);
    R.type = static_cast<CUpti_ActivitySynchronizationType>(A.Wait);
    Out.put(R);
  } else if ((A.Kind == "runtime" && Enabled.contains(CUPTI_ACTIVITY_KIND_RUNTIME)) ||
             (A.Kind == "driver" && Enabled.contains(CUPTI_ACTIVITY_KIND_DRIVER))) {
    const bool IsRuntime = A.Kind == "runtime";
    // They precede the record of the call.
    if (Enabled.contains(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION))
      for (const auto &[Kind, Id] : A.External) {
        CUpti_ActivityExternalCorrelation R = {};
        R.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
        R.externalKind = static_cast<CUpti_ExternalCorrelationKind>(Kind);
        R.externalId = Id;
        R.correlationId = A.Correlation;
        Out.put(R);
      }
    CUpti_ActivityAPI R = {};
    R.kind = IsRuntime ? CUPTI_ACTIVITY_KIND_RUNTIME : CUPTI_ACTIVITY_KIND_DRIVER;
    R.start = A.BeginNs;
    R.end = A.EndNs;
    R.threadId = A.Thread;
    R.correlationId = A.Correlation;
    R.cbid = A.CallbackId;
    callNames()[{IsRuntime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API,
                 A.CallbackId}] = A.Name + (IsRuntime ? "_v7000" : "");
    Out.put(R);
  }
}

CUpti_CallbackFunc Callback;

void tellOfNode(uint64_t Node, uint64_t Original) {
  CUpti_GraphData Graph = {};
  Graph.node = reinterpret_cast<CUgraphNode>(Node * 16);
  Graph.originalNode = reinterpret_cast<CUgraphNode>(Original * 16);
  Graph.nodeType = CU_GRAPH_NODE_TYPE_KERNEL;
  CUpti_ResourceData Data = {};
  Data.resourceDescriptor = &Graph;
  Callback(nullptr, CUPTI_CB_DOMAIN_RESOURCE,
           Original ? CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED : CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED,
           &Data);
}

/// Sizes of the records that put() makes.
size_t sizeOf(CUpti_ActivityKind Kind) {
  switch (Kind) {
  case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    return sizeof(KernelRecord);
  case CUPTI_ACTIVITY_KIND_MEMCPY:
    return sizeof(CopyRecord);
  case CUPTI_ACTIVITY_KIND_MEMSET:
    return sizeof(CUpti_ActivityMemset4);
  case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
    return sizeof(WaitRecord);
  case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
    return sizeof(CUpti_ActivityExternalCorrelation);
  default:
    return sizeof(CUpti_ActivityAPI);
  }
}

} // namespace

extern "C" {

CUptiResult cuptiGetVersion(uint32_t *Version) { return *Version = 130001, CUPTI_SUCCESS; }
CUptiResult cuptiGetResultString(CUptiResult Error, const char **Name) {
  *Name = Error == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
          : Error == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
              ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"
              : "CUPTI_ERROR_UNKNOWN";
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetTimestamp(uint64_t *Ns) { return *Ns = nowNs(), CUPTI_SUCCESS; }
CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType) { return CUPTI_SUCCESS; }
CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain Domain, uint32_t Id, const char **Name) {
  *Name = callNames()[{Domain, Id}].c_str();
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc Give,
                                           CUpti_BuffersCallbackCompleteFunc Take) {
  Request = Give;
  Complete = Take;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityEnable(CUpti_ActivityKind Kind) {
  CUptiResult Error = refusal();
  // As by a version that does not know them.
  if (!Error && Kind == CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION && hasFault("external"))
    Error = CUPTI_ERROR_INVALID_KIND;
  if (!Error)
    Enabled.insert(Kind);
  return Error;
}
CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *Made, CUpti_CallbackFunc Function, void *) {
  if (hasFault("subscribed"))
    return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  Callback = Function;
  return *Made = reinterpret_cast<CUpti_SubscriberHandle>(&Callback), CUPTI_SUCCESS;
}
CUptiResult cuptiEnableCallback(uint32_t Wanted, CUpti_SubscriberHandle,
                                CUpti_CallbackDomain Domain, CUpti_CallbackId) {
  if (Wanted && Domain == CUPTI_CB_DOMAIN_RESOURCE)
    OnGraphNode = tellOfNode;
  return CUPTI_SUCCESS;
}
/// A node's handle is its number here, but the tool must not rely on that.
CUptiResult cuptiGetGraphNodeId(CUgraphNode Node, uint64_t *Id) {
  return *Id = reinterpret_cast<uintptr_t>(Node) / 16, CUPTI_SUCCESS;
}
CUptiResult cuptiGetContextId(CUcontext, uint32_t *Id) { return *Id = 1, CUPTI_SUCCESS; }
CUptiResult cuptiGetStreamIdEx(CUcontext, CUstream On, uint8_t, uint32_t *Id) {
  return *Id = reinterpret_cast<Stream *>(On)->Number, CUPTI_SUCCESS;
}
CUptiResult cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind Kind,
                                                   uint64_t Id) {
  return externalIds()[Kind].push_back(Id), CUPTI_SUCCESS;
}
CUptiResult cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind Kind,
                                                  uint64_t *Last) {
  std::vector<uint64_t> &Ids = externalIds()[Kind];
  if (Ids.empty())
    return CUPTI_ERROR_QUEUE_EMPTY;
  if (Last)
    *Last = Ids.back();
  return Ids.pop_back(), CUPTI_SUCCESS;
}
CUptiResult cuptiActivityGetNextRecord(uint8_t *Buffer, size_t Valid, CUpti_Activity **Record) {
  uint8_t *Next = *Record ? reinterpret_cast<uint8_t *>(*Record) + sizeOf((*Record)->kind) : Buffer;
  if (Next >= Buffer + Valid)
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *Record = reinterpret_cast<CUpti_Activity *>(Next);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t, size_t *Count) {
  *Count = std::exchange(Dropped, 0);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityFlushAll(uint32_t) {
  const std::lock_guard Guard(Lock);
  const std::vector<Activity> Done = takeActivities();
  if (hasFault("taken") || !Complete || Done.empty())
    return CUPTI_SUCCESS;
  Writer Out;
  for (const Activity &A : Done)
    if (hasFault("drop") && !A.IsTools && ++Seen % 3 == 0)
      ++Dropped;
    else
      put(Out, A);
  return CUPTI_SUCCESS;
}
} // extern "C"
