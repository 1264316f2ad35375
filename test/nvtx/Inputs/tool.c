// A small tool for NVTX: prints what it is told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

static int pushA(const char *Text) { return printf("tool: push %s\n", Text), 7; }
static int pop(void) { return printf("tool: pop\n"), 7; }
static nvtxDomainHandle_t create(const char *Name) {
  printf("tool: domain %s\n", Name);
  return (nvtxDomainHandle_t)0x1000;
}
static nvtxStringHandle_t string(nvtxDomainHandle_t Domain, const char *Text) {
  printf("tool: string %s of %p\n", Text, (void *)Domain);
  return (nvtxStringHandle_t)0x2000;
}
static int domainPush(nvtxDomainHandle_t Domain, const nvtxEventAttributes_t *Event) {
  printf("tool: push %p of %p\n", (void *)Event->message.registered, (void *)Domain);
  return 3;
}
static void category(nvtxDomainHandle_t Domain, uint32_t Number, const char *Name) {
  printf("tool: category %u %s of %p\n", Number, Name, (void *)Domain);
}
static nvtxRangeId_t start(const char *Text) { return printf("tool: start %s\n", Text), 99; }
static void end(nvtxRangeId_t Id) { printf("tool: end %d\n", (int)Id); }

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t Get) {
  const NvtxExportTableCallbacks *Callbacks = Get(NVTX_ETID_CALLBACKS);
  NvtxFunctionTable Core, Core2;
  unsigned Size;
  Callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &Core, &Size);
  Callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &Core2, &Size);
  *Core[NVTX_CBID_CORE_RangePushA] = (NvtxFunctionPointer)pushA;
  *Core[NVTX_CBID_CORE_RangePop] = (NvtxFunctionPointer)pop;
  *Core[NVTX_CBID_CORE_RangeStartA] = (NvtxFunctionPointer)start;
  *Core[NVTX_CBID_CORE_RangeEnd] = (NvtxFunctionPointer)end;
  *Core2[NVTX_CBID_CORE2_DomainCreateA] = (NvtxFunctionPointer)create;
  *Core2[NVTX_CBID_CORE2_DomainRegisterStringA] = (NvtxFunctionPointer)string;
  *Core2[NVTX_CBID_CORE2_DomainRangePushEx] = (NvtxFunctionPointer)domainPush;
  *Core2[NVTX_CBID_CORE2_DomainNameCategoryA] = (NvtxFunctionPointer)category;
  return 1;
}
