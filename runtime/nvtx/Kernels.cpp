//===- Kernels.cpp - kernels and regions as NVTX ranges --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If an NVTX tool is attached, it gets a range in the domain `seamscope` for each recorded kernel
// and region. The range's message is a string that is registered once per site. Its payload is the
// site's number in the trace and the site's line.
//
//===----------------------------------------------------------------------===//
#include "nvtx/Ranges.h"
#include "seamscope/spans.h"

#include <cstddef>
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#if __has_include(<nvtx3/nvToolsExtPayload.h>)
#include <nvtx3/nvToolsExtPayload.h>
#define HAS_PAYLOADS 1
#endif

namespace seamscope::nvtx {
namespace {

nvtxDomainHandle_t Out;

#ifdef HAS_PAYLOADS
struct SitePayload {
  uint64_t Site;
  uint32_t Line;
};
uint64_t Schema; ///< 0: the tool does not support payloads

void registerSchema() {
  static const nvtxPayloadSchemaEntry_t Entries[] = {
      {0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "site", "number of the site in the trace", 0,
       offsetof(SitePayload, Site), nullptr, nullptr},
      {0, NVTX_PAYLOAD_ENTRY_TYPE_UINT32, "line", "source line; 0: unknown", 0,
       offsetof(SitePayload, Line), nullptr, nullptr}};
  nvtxPayloadSchemaAttr_t Attributes = {};
  Attributes.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                         NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                         NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                         NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
  Attributes.name = "seamscope site";
  Attributes.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
  Attributes.entries = Entries;
  Attributes.numEntries = 2;
  Attributes.payloadStaticSize = sizeof(SitePayload);
  Schema = nvtxPayloadSchemaRegister(Out, &Attributes);
}
#endif

/// Registered strings by site, in blocks that never move.
constexpr uint32_t BlockSites = 1024, MaxBlocks = 4096;
nvtxStringHandle_t *Blocks[MaxBlocks];

/// Marks a string that a thread is registering, or for which the tool returned no handle.
nvtxStringHandle_t noHandle() { return reinterpret_cast<nvtxStringHandle_t>(&Blocks); }

nvtxStringHandle_t *placeOf(uint32_t Site) {
  if (Site >= BlockSites * MaxBlocks)
    return nullptr;
  nvtxStringHandle_t **Block = &Blocks[Site / BlockSites], *Strings;
  Strings = __atomic_load_n(Block, __ATOMIC_ACQUIRE);
  if (!Strings) {
    auto *New = static_cast<nvtxStringHandle_t *>(pages(BlockSites * sizeof(*Strings)));
    // If two threads do this, the pages of one are lost, at most once in 1024 sites.
    if (New && __atomic_compare_exchange_n(Block, &Strings, New, false, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE))
      Strings = New;
  }
  return Strings ? &Strings[Site % BlockSites] : nullptr;
}

/// The registered name of a site; null: pass the name as text. No lock is held while the tool is
/// called, since it may call back.
nvtxStringHandle_t stringOf(uint32_t Site, const char *Name) {
  nvtxStringHandle_t *Place = placeOf(Site);
  if (!Place)
    return nullptr;
  nvtxStringHandle_t Known = __atomic_load_n(Place, __ATOMIC_ACQUIRE);
  if (!Known && __atomic_compare_exchange_n(Place, &Known, noHandle(), false, __ATOMIC_ACQ_REL,
                                            __ATOMIC_ACQUIRE)) {
    Known = nvtxDomainRegisterStringA(Out, Name);
    if (Known)
      __atomic_store_n(Place, Known, __ATOMIC_RELEASE);
  }
  return Known == noHandle() ? nullptr : Known;
}

/// Called at the first kernel, so that tools do not see an empty domain.
void openDomain() {
  Out = nvtxDomainCreateA("seamscope");
#ifdef HAS_PAYLOADS
  registerSchema();
#endif
}

void begin(const SeamscopeSite *Site, const char *Name, const void *Frame) {
  static pthread_once_t Opened = PTHREAD_ONCE_INIT;
  KernelFrames *Open = kernelFrames();
  if (!Open)
    return;
  pthread_once(&Opened, openDomain);
  // The stack grows down, so frames below were left by longjmp.
  for (; Open->Count && Open->At[Open->Count - 1] <= Frame; --Open->Count)
    nvtxDomainRangePop(Out);
  if (Open->Count == KernelFrames::Capacity)
    return;
  Open->At[Open->Count++] = Frame;
  nvtxEventAttributes_t Event = {};
  Event.version = NVTX_VERSION;
  Event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  if (const nvtxStringHandle_t String = stringOf(Site->id, Name)) {
    Event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    Event.message.registered = String;
  } else {
    Event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    Event.message.ascii = Name;
  }
#ifdef HAS_PAYLOADS
  const SitePayload Payload = {Site->id, Site->line};
  nvtxPayloadData_t Data;
  if (Schema) {
    NVTX_PAYLOAD_EVTATTR_SET_DATA(Event, &Data, Schema, &Payload, sizeof(Payload))
  }
#endif
  nvtxDomainRangePushEx(Out, &Event);
}

void end(const void *Frame) {
  KernelFrames *Open = kernelFrames();
  uint32_t Keep = Open ? Open->Count : 0;
  while (Keep && Open->At[Keep - 1] != Frame)
    --Keep;
  // A frame that is not found was too deep to be kept.
  for (; Keep && Open->Count >= Keep; --Open->Count)
    nvtxDomainRangePop(Out);
}

constexpr SeamscopeMirror Mirror = {begin, end};

} // namespace

/// libseamscope calls this when it starts to record.
extern "C" __attribute__((visibility("default"))) void seamscope_nvtx_kernels() {
  watchThreads();
  seamscope_mirror_all(&Mirror);
}

} // namespace seamscope::nvtx
