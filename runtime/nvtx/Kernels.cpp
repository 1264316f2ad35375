//===- Kernels.cpp - kernels and regions as ranges of NVTX -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a tool for NVTX is attached it is told of each kernel and region that is recorded: a range
// of the domain `seamscope`, its message a string that is registered once a site, its payload the
// site's number in the trace and its line.
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
uint64_t Schema; ///< 0: the tool takes none

void registerSchema() {
  static const nvtxPayloadSchemaEntry_t Entries[] = {
      {0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "site", "number of the site in the trace", 0,
       offsetof(SitePayload, Site), nullptr, nullptr},
      {0, NVTX_PAYLOAD_ENTRY_TYPE_UINT32, "line", "line of its source; 0: not known", 0,
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

/// Stands for a string that some thread is registering, or that the tool gave no handle for.
nvtxStringHandle_t none() { return reinterpret_cast<nvtxStringHandle_t>(&Blocks); }

nvtxStringHandle_t *placeOf(uint32_t Site) {
  if (Site >= BlockSites * MaxBlocks)
    return nullptr;
  nvtxStringHandle_t **Block = &Blocks[Site / BlockSites], *Strings;
  Strings = __atomic_load_n(Block, __ATOMIC_ACQUIRE);
  if (!Strings) {
    auto *New = static_cast<nvtxStringHandle_t *>(pages(BlockSites * sizeof(*Strings)));
    // Of two threads one wins; the other's pages are lost, once in 1024 sites at most.
    if (New && __atomic_compare_exchange_n(Block, &Strings, New, false, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE))
      Strings = New;
  }
  return Strings ? &Strings[Site % BlockSites] : nullptr;
}

/// Null: it has to go as text. The tool is called without a lock: it may do anything.
nvtxStringHandle_t stringOf(uint32_t Site, const char *Name) {
  nvtxStringHandle_t *Place = placeOf(Site);
  if (!Place)
    return nullptr;
  nvtxStringHandle_t Known = __atomic_load_n(Place, __ATOMIC_ACQUIRE);
  if (!Known && __atomic_compare_exchange_n(Place, &Known, none(), false, __ATOMIC_ACQ_REL,
                                            __ATOMIC_ACQUIRE)) {
    Known = nvtxDomainRegisterStringA(Out, Name);
    if (Known)
      __atomic_store_n(Place, Known, __ATOMIC_RELEASE);
  }
  return Known == none() ? nullptr : Known;
}

/// At the first kernel: a tool is not to see a domain that nothing is ever in.
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
  // The stack grows down: what lies below was left by longjmp.
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
  // Not found: it was too deep.
  for (; Keep && Open->Count >= Keep; --Open->Count)
    nvtxDomainRangePop(Out);
}

constexpr SeamscopeMirror Mirror = {begin, end};

} // namespace

/// Called by libseamscope when it starts to record.
extern "C" __attribute__((visibility("default"))) void seamscope_nvtx_kernels() {
  watchThreads();
  seamscope_mirror_all(&Mirror);
}

} // namespace seamscope::nvtx
