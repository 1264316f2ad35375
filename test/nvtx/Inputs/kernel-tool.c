// A tool for NVTX: prints nesting, messages and payloads of the ranges it is told of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <stdio.h>
#include <string.h>

static __thread int Depth;
static const char *Fields[8];

static nvtxDomainHandle_t create(const char *Name) {
  printf("domain %s\n", Name);
  return (nvtxDomainHandle_t)0x1000;
}
static nvtxStringHandle_t string(nvtxDomainHandle_t Domain, const char *Text) {
  (void)Domain;
  printf("string %s\n", Text);
  return (nvtxStringHandle_t)strdup(Text);
}
static int push(nvtxDomainHandle_t Domain, const nvtxEventAttributes_t *Event) {
  (void)Domain;
  const nvtxPayloadData_t *Data = (const nvtxPayloadData_t *)(uintptr_t)Event->payload.ullValue;
  uint64_t Site = 0;
  uint32_t Line = 0;
  if (Event->payloadType == NVTX_PAYLOAD_TYPE_EXT && Event->reserved0 == 1 && Data->schemaId == 77) {
    memcpy(&Site, Data->payload, sizeof(Site));
    memcpy(&Line, (const char *)Data->payload + sizeof(Site), sizeof(Line));
  }
  printf("%d %s %s=%s %s=%u\n", Depth, (const char *)Event->message.registered, Fields[0],
         Site ? "known" : "none", Fields[1], Line);
  return Depth++;
}
static int pop(nvtxDomainHandle_t Domain) {
  (void)Domain;
  return --Depth;
}
static uint64_t schema(nvtxDomainHandle_t Domain, const nvtxPayloadSchemaAttr_t *Attributes) {
  (void)Domain;
  printf("schema %s of %d, %d bytes\n", Attributes->name, (int)Attributes->numEntries,
         (int)Attributes->payloadStaticSize);
  for (size_t I = 0; I < Attributes->numEntries && I < 8; ++I)
    Fields[I] = Attributes->entries[I].name;
  return 77;
}

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t Get) {
  const NvtxExportTableCallbacks *Callbacks = Get(NVTX_ETID_CALLBACKS);
  NvtxFunctionTable Core2;
  unsigned Size;
  Callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &Core2, &Size);
  *Core2[NVTX_CBID_CORE2_DomainCreateA] = (NvtxFunctionPointer)create;
  *Core2[NVTX_CBID_CORE2_DomainRegisterStringA] = (NvtxFunctionPointer)string;
  *Core2[NVTX_CBID_CORE2_DomainRangePushEx] = (NvtxFunctionPointer)push;
  *Core2[NVTX_CBID_CORE2_DomainRangePop] = (NvtxFunctionPointer)pop;
  return 1;
}
__attribute__((visibility("default"))) int
InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t *Module) {
  Module->segments[0].functionSlots[NVTX3EXT_CBID_nvtxPayloadSchemaRegister] = (intptr_t)schema;
  return 1;
}
