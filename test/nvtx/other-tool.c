// A tool that was configured before sees each range as without Seamscope: the handles and levels are
// its own, and what Seamscope does not record goes to it as ever.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda
// RUN: rm -rf %t && mkdir -p %t
// RUN: %host-cc -O1 -fPIC -shared -fvisibility=hidden -I%cuda/include %S/Inputs/tool.c -o %t/tool.so
// RUN: %host-cc -O1 -I%cuda/include %s -o %t/program -ldl
// RUN: env NVTX_INJECTION64_PATH=%t/tool.so %t/program > %t/alone.txt
// RUN: env NVTX_INJECTION64_PATH=%t/tool.so %seamscope run -o %t/out.json -- %t/program > %t/both.txt
// RUN: diff %t/alone.txt %t/both.txt
// RUN: FileCheck %s --check-prefix=TOOL < %t/both.txt
// RUN: %python %S/Inputs/annotations.py %t/out.json | FileCheck %s
//
// A tool that is not there is said, and the program runs.
// RUN: env NVTX_INJECTION64_PATH=%t/nothing.so %seamscope run -o %t/out2.json -- %t/program 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: seamscope: SEAMSCOPE_NVTX_NEXT: {{.*}}nothing.so{{.*}}; only Seamscope receives NVTX ranges
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

int main(void) {
  // TOOL: tool: push a
  // TOOL-NEXT: level 7
  // CHECK: {{^}}a 1{{$}}
  printf("level %d\n", nvtxRangePushA("a"));
  // TOOL-NEXT: tool: domain d
  // TOOL-NEXT: tool: string s of 0x1000
  // TOOL-NEXT: tool: category 5 c of 0x1000
  // TOOL-NEXT: tool: push 0x2000 of 0x1000
  // CHECK-NEXT: {{^}}d:s 1{{$}}
  nvtxDomainHandle_t Domain = nvtxDomainCreateA("d");
  nvtxEventAttributes_t Event = {0};
  Event.version = NVTX_VERSION;
  Event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  Event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  Event.message.registered = nvtxDomainRegisterStringA(Domain, "s");
  nvtxDomainNameCategoryA(Domain, 5, "c");
  nvtxDomainRangePushEx(Domain, &Event);
  nvtxDomainRangePop(Domain);
  // TOOL-NEXT: tool: pop
  nvtxRangePop();
  // TOOL-NEXT: tool: start b
  // TOOL-NEXT: tool: end 99
  // CHECK-NEXT: {{^}}b 1{{$}}
  nvtxRangeEnd(nvtxRangeStartA("b"));
  return 0;
}
