//===- Activities.cpp - stores CUPTI's records in the spool -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records of newer versions of CUPTI begin like those of older ones, so the oldest struct that has
// the needed fields serves for all versions.
//
//===----------------------------------------------------------------------===//
#include "cuda/Activities.h"

#include "cuda/Entries.h"
#include "cuda/Guarded.h"
#include "cuda/Libraries.h"
#include "cuda/OwnCalls.h"
#include "format/DeviceNames.h"
#include "seamscope/devices.h"

#include <atomic>
#include <initializer_list>
#include <mutex>
#include <string_view>
#include <sys/mman.h>
#include <unordered_map>
#include <vector>

namespace seamscope::cuda {

using namespace format;

namespace {

constexpr size_t BufferBytes = 4 << 20;

std::atomic<unsigned long long> Records;

/// Buffers are mapped and used again, so that the program's malloc behaves as without Seamscope.
class BufferPool {
public:
  uint8_t *take() {
    {
      const std::lock_guard Guard(Lock);
      if (!Free.empty()) {
        uint8_t *const Buffer = Free.back();
        Free.pop_back();
        return Buffer;
      }
    }
    void *const Mapped =
        mmap(nullptr, BufferBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return Mapped == MAP_FAILED ? nullptr : static_cast<uint8_t *>(Mapped);
  }
  void give(uint8_t *Buffer) {
    const std::lock_guard Guard(Lock);
    Free.push_back(Buffer);
  }

private:
  std::mutex Lock;
  std::vector<uint8_t *> Free;
};
BufferPool &pool() {
  static auto *const Created = new BufferPool;
  return *Created;
}

uint32_t callName(CUpti_CallbackDomain Domain, CUpti_CallbackId Id) {
  const char *Name = nullptr;
  if (Cupti::get()->GetCallbackName(Domain, Id, &Name) || !Name)
    return 0;
  return textId(withoutVersion(Name));
}

const char *overheadName(CUpti_ActivityOverheadKind Kind) {
  // The words of torch.profiler.
  switch (Kind) {
  case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER:
    return "Driver Compiler";
  case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH:
    return "Buffer Flush";
  case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION:
    return "Instrumentation";
  case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE:
    return "Resource";
  default:
    return "Overhead";
  }
}

/// The device of each context, since records of waits name only the context.
class Contexts {
public:
  void set(uint32_t Context, uint32_t Device) {
    const std::lock_guard Guard(Lock);
    DeviceOf[Context] = Device;
  }
  uint32_t device(uint32_t Context) {
    const std::lock_guard Guard(Lock);
    const auto Found = DeviceOf.find(Context);
    return Found == DeviceOf.end() ? 0 : Found->second;
  }

private:
  std::mutex Lock;
  std::unordered_map<uint32_t, uint32_t> DeviceOf;
};
Contexts &contexts() {
  static auto *const Created = new Contexts;
  return *Created;
}

template <typename RecordT> DeviceActivity begin(DeviceActivityKind Kind, const RecordT &From) {
  DeviceActivity A = {};
  A.Kind = Kind;
  A.BeginNs = From.start;
  A.EndNs = From.end;
  A.Stream = UnknownStream;
  return A;
}

template <typename RecordT> DeviceActivity onDevice(DeviceActivityKind Kind, const RecordT &From) {
  DeviceActivity A = begin(Kind, From);
  A.Device = From.deviceId;
  A.Context = From.contextId;
  A.Stream = From.streamId;
  A.Correlation = From.correlationId;
  A.GraphNode = From.graphNodeId;
  A.Graph = From.graphId;
  contexts().set(From.contextId, From.deviceId);
  describeDevice(static_cast<int>(From.deviceId));
  return A;
}

DeviceActivity ofKernel(const CUpti_ActivityKernel9 &From) {
  DeviceActivity A = onDevice(DeviceActivityKind::Kernel, From);
  const KernelName Name = kernelName(From.name);
  A.Name = Name.Text;
  A.Kernel = Name.Id;
  const int32_t Grid[] = {From.gridX, From.gridY, From.gridZ};
  const int32_t Block[] = {From.blockX, From.blockY, From.blockZ};
  for (int I = 0; I < 3; ++I) {
    A.Grid[I] = static_cast<uint32_t>(Grid[I]);
    A.Block[I] = static_cast<uint32_t>(Block[I]);
  }
  A.Registers = From.registersPerThread;
  A.StaticShared = static_cast<uint32_t>(From.staticSharedMemory);
  A.DynamicShared = static_cast<uint32_t>(From.dynamicSharedMemory);
  A.Number = static_cast<uint64_t>(From.gridId);
  return A;
}

template <typename RecordT> DeviceActivity ofCopy(const RecordT &From) {
  DeviceActivity A = onDevice(DeviceActivityKind::Copy, From);
  A.Bytes = From.bytes;
  A.Direction = From.copyKind;
  A.From = From.srcKind;
  A.To = From.dstKind;
  return A;
}

DeviceActivity ofFill(const CUpti_ActivityMemset4 &From) {
  DeviceActivity A = onDevice(DeviceActivityKind::Fill, From);
  A.Bytes = From.bytes;
  A.To = From.memoryKind;
  return A;
}

DeviceActivity ofCall(const CUpti_ActivityAPI &From, bool IsRuntime) {
  DeviceActivity A =
      begin(IsRuntime ? DeviceActivityKind::RuntimeCall : DeviceActivityKind::DriverCall, From);
  A.Name =
      callName(IsRuntime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API, From.cbid);
  A.Thread = From.threadId;
  A.Correlation = From.correlationId;
  A.Result = From.returnValue;
  return A;
}

DeviceActivity ofWait(const CUpti_ActivitySynchronization &From) {
  DeviceActivity A = begin(DeviceActivityKind::Wait, From);
  A.Result = From.type;
  A.Context = From.contextId;
  A.Device = contexts().device(From.contextId);
  if (From.streamId != CUPTI_SYNCHRONIZATION_INVALID_VALUE)
    A.Stream = From.streamId;
  A.Correlation = From.correlationId;
  return A;
}

/// Whether Seamscope caused what the record is of.
bool isOwn(const CUpti_Activity &Record) {
  const auto IsWork = [&]<typename T>(const T *) {
    const auto &From = reinterpret_cast<const T &>(Record);
    return isOwnWork(From.contextId, From.streamId, From.correlationId);
  };
  switch (Record.kind) {
  case CUPTI_ACTIVITY_KIND_MEMCPY:
    return IsWork(static_cast<CUpti_ActivityMemcpy5 *>(nullptr));
  case CUPTI_ACTIVITY_KIND_MEMSET:
    return IsWork(static_cast<CUpti_ActivityMemset4 *>(nullptr));
  case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
    return IsWork(static_cast<CUpti_ActivitySynchronization *>(nullptr));
  case CUPTI_ACTIVITY_KIND_DRIVER: {
    const auto &From = reinterpret_cast<const CUpti_ActivityAPI &>(Record);
    if (!isOwnCall(From.threadId, From.start))
      return false;
    if (From.cbid == CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize)
      addOwnWork(From.correlationId);
    return true;
  }
  default:
    return false;
  }
}

/// Appends the entry for a record. Ignores records of other kinds.
void take(const CUpti_Activity &Record) {
  const auto As = [&]<typename T>(const T *) -> const T & {
    return reinterpret_cast<const T &>(Record);
  };
  DeviceActivity A;
  if (isOwn(Record))
    return;
  switch (Record.kind) {
  case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
  case CUPTI_ACTIVITY_KIND_KERNEL:
    A = ofKernel(As(static_cast<CUpti_ActivityKernel9 *>(nullptr)));
    break;
  case CUPTI_ACTIVITY_KIND_MEMCPY:
    A = ofCopy(As(static_cast<CUpti_ActivityMemcpy5 *>(nullptr)));
    break;
  case CUPTI_ACTIVITY_KIND_MEMCPY2:
    A = ofCopy(As(static_cast<CUpti_ActivityMemcpyPtoP4 *>(nullptr)));
    break;
  case CUPTI_ACTIVITY_KIND_MEMSET:
    A = ofFill(As(static_cast<CUpti_ActivityMemset4 *>(nullptr)));
    break;
  case CUPTI_ACTIVITY_KIND_RUNTIME:
  case CUPTI_ACTIVITY_KIND_DRIVER:
    A = ofCall(As(static_cast<CUpti_ActivityAPI *>(nullptr)),
               Record.kind == CUPTI_ACTIVITY_KIND_RUNTIME);
    break;
  case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
    A = ofWait(As(static_cast<CUpti_ActivitySynchronization *>(nullptr)));
    break;
  case CUPTI_ACTIVITY_KIND_OVERHEAD: {
    const auto &From = As(static_cast<CUpti_ActivityOverhead *>(nullptr));
    A = begin(DeviceActivityKind::Overhead, From);
    A.Name = textId(overheadName(From.overheadKind));
    break;
  }
  case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
    const auto &From = As(static_cast<CUpti_ActivityExternalCorrelation *>(nullptr));
    DeviceExternal Entry = {};
    Entry.Correlation = From.correlationId;
    Entry.Layer = static_cast<uint32_t>(From.externalKind);
    Entry.Id = From.externalId;
    return append(Entry, DeviceEntryKind::External);
  }
  default:
    return;
  }
  // The work had not ended when CUPTI had to hand over its record, or was lost with its context.
  if (!A.BeginNs || A.EndNs < A.BeginNs)
    return count(DeviceCountOf::BrokenRecords, 1);
  append(A, DeviceEntryKind::Activity);
}

/// Appends the narrowest of several readings of both clocks.
void sampleClock() {
  DeviceClock Best = {};
  uint64_t BestWidth = UINT64_MAX;
  for (int I = 0; I < 5; ++I) {
    const uint64_t Before = seamscope_now();
    uint64_t Ns = 0;
    if (Cupti::get()->GetTimestamp(&Ns))
      return;
    const uint64_t After = seamscope_now();
    if (After - Before >= BestWidth)
      continue;
    BestWidth = After - Before;
    Best.Ns = Ns;
    Best.Tick = Before + (After - Before) / 2;
  }
  append(Best, DeviceEntryKind::Clock);
}

void requestBuffer(uint8_t **Buffer, size_t *Size, size_t *MaxRecords) {
  *Buffer = guarded([] { return pool().take(); });
  *Size = *Buffer ? BufferBytes : 0;
  *MaxRecords = 0;
}

void takeRecords(CUcontext Context, uint32_t Stream, uint8_t *Buffer, size_t Valid) {
  const Cupti &C = *Cupti::get();
  CUpti_Activity *Record = nullptr;
  while (Valid && C.ActivityGetNextRecord(Buffer, Valid, &Record) == CUPTI_SUCCESS) {
    Records.fetch_add(1, std::memory_order_relaxed);
    take(*Record);
  }
  size_t Dropped = 0;
  if (C.ActivityGetNumDroppedRecords(Context, Stream, &Dropped) == CUPTI_SUCCESS && Dropped)
    count(DeviceCountOf::DroppedRecords, Dropped);
}

void completeBuffer(CUcontext Context, uint32_t Stream, uint8_t *Buffer, size_t, size_t Valid) {
  guarded([&] { takeRecords(Context, Stream, Buffer, Valid); });
  if (Buffer)
    guarded([&] { pool().give(Buffer); });
}

/// What to do about an error of CUPTI.
const char *adviceFor(CUptiResult Error) {
  switch (static_cast<int>(Error)) {
  case 35: // CUPTI_ERROR_INSUFFICIENT_PRIVILEGES
  case 40: // CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES
    return "; the administrator permits it with the driver's option "
           "NVreg_RestrictProfilingToAdminUsers=0";
  case 12: // CUPTI_ERROR_MAX_LIMIT_REACHED, which older versions return for the next case
  case 39: // CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
    return "; another profiler records this process (nsys, ncu, torch.profiler): run the program "
           "without it";
  case 15:  // CUPTI_ERROR_NOT_INITIALIZED
  case 999: // CUPTI_ERROR_UNKNOWN
    return "; there may be no GPU, no driver, or a driver older than this CUPTI needs";
  default:
    return "";
  }
}

} // namespace

bool startActivities() {
  if (!Driver::isThere()) {
    warn("GPU work is not recorded: there is no CUDA driver (libcuda.so.1)");
    return false;
  }
  const Cupti *const C = Cupti::get();
  if (!C)
    return false;
  const auto Failed = [&](const char *Function, CUptiResult Error) {
    warn("GPU work is not recorded: %s: %s%s", Function, C->nameOf(Error), adviceFor(Error));
    return false;
  };
  // Otherwise records have pthread's numbers of threads, and calls get separate tracks.
  if (C->SetThreadIdType)
    C->SetThreadIdType(1);
  if (const CUptiResult Error = C->ActivityRegisterCallbacks(requestBuffer, completeBuffer))
    return Failed("cuptiActivityRegisterCallbacks", Error);
  sampleClock();
  if (const CUptiResult Error = C->ActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL))
    return Failed("cuptiActivityEnable", Error);
  // If this version or machine lacks a kind, the others are still recorded.
  for (const CUpti_ActivityKind Kind :
       {CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET,
        CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER,
        CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_OVERHEAD,
        CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION})
    if (const CUptiResult Error = C->ActivityEnable(Kind))
      warn("CUPTI's activities of kind %d are not recorded: %s", static_cast<int>(Kind),
           C->nameOf(Error));
  watchOwnCalls();
  // Each launch makes these two calls, to see whether the device was reset. They are no work.
  if (C->ActivityEnableDriverApi)
    for (const CUpti_CallbackId Call :
         {CUPTI_DRIVER_TRACE_CBID_cuCtxGetCurrent, CUPTI_DRIVER_TRACE_CBID_cuCtxGetId})
      C->ActivityEnableDriverApi(Call, 0);
  return true;
}

void flushActivities(bool All) {
  const Cupti &C = *Cupti::get();
  C.ActivityFlushAll(0);
  if (All)
    C.ActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  sampleClock();
}

unsigned long long recordsSeen() { return Records.load(std::memory_order_relaxed); }

} // namespace seamscope::cuda
