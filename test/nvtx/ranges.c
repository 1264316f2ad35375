// Ranges of all kinds come into the trace by their messages, with the domain before them, and nest as
// they were opened; a domain that is Seamscope's own does not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda
// RUN: rm -rf %t && mkdir -p %t
// RUN: %host-cc -O1 -I%cuda/include %s -o %t/ranges -ldl
// RUN: %seamscope run -o %t/run.json -- %t/ranges
// RUN: %python %S/Inputs/annotations.py %t/run.json | FileCheck %s
//
// The other way, by hand.
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/hand.json NVTX_INJECTION64_PATH=%runtime-lib/libseamscope-nvtx.so %t/ranges
// RUN: %python %S/Inputs/annotations.py %t/hand.json | FileCheck %s
//
// Nothing is recorded when it is switched off.
// RUN: not env SEAMSCOPE_NVTX=off %seamscope run -o %t/off.json -- %t/ranges 2>&1 | FileCheck %s --check-prefix=OFF
// OFF: no trace: nothing in the program is instrumented
#include <nvtx3/nvToolsExt.h>
#include <stddef.h>

static nvtxEventAttributes_t event(void) {
  nvtxEventAttributes_t E = {0};
  E.version = NVTX_VERSION;
  E.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  return E;
}

int main(void) {
  // CHECK: {{^}}outer 1{{$}}
  // CHECK-NEXT: {{^}} inner 3{{$}}
  int Level = nvtxRangePushA("outer");
  for (int I = 0; I < 3; ++I) {
    if (nvtxRangePushA("inner") != Level + 1)
      return 1;
    if (nvtxRangePop() != Level + 1)
      return 2;
  }
  // A wide message, in UTF-8: U+00E4, U+4E2D, U+1F600, and a surrogate, which is no character.
  // CHECK-NEXT: {{^}} wide ä中😀� 1{{$}}
  static const wchar_t Wide[] = {'w', 'i', 'd', 'e', ' ', 0xE4, 0x4E2D, 0x1F600, 0xD800, 0};
  nvtxRangePushW(Wide);
  nvtxRangePop();
  // CHECK-NEXT: {{^}} once 1{{$}}
  // CHECK-NEXT: {{^}} changed 1{{$}}
  char Text[8] = "once";
  nvtxRangePushA(Text);
  nvtxRangePop();
  Text[0] = 'c', Text[1] = 'h', Text[2] = 'a', Text[3] = 'n', Text[4] = 'g', Text[5] = 'e',
  Text[6] = 'd';
  Text[7] = 0;
  nvtxRangePushA(Text);
  nvtxRangePop();

  nvtxDomainHandle_t Lib = nvtxDomainCreateA("lib");
  static const wchar_t SameName[] = {'l', 'i', 'b', 0};
  if (nvtxDomainCreateW(SameName) != Lib)
    return 3;
  // CHECK-NEXT: {{^}} lib:registered 2{{$}}
  nvtxEventAttributes_t E = event();
  E.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  E.message.registered = nvtxDomainRegisterStringA(Lib, "registered");
  for (int I = 0; I < 2; ++I) {
    if (nvtxDomainRangePushEx(Lib, &E) != 0)
      return 4;
    if (nvtxDomainRangePop(Lib) != 0)
      return 5;
  }
  // CHECK-NEXT: {{^}} lib:[no message] 1{{$}}
  nvtxEventAttributes_t None = event();
  nvtxDomainRangePushEx(Lib, &None);
  nvtxDomainRangePop(Lib);
  // CHECK-NEXT: {{^}} lib:moment 1{{$}}
  E.messageType = NVTX_MESSAGE_TYPE_ASCII;
  E.message.ascii = "moment";
  nvtxDomainMarkEx(Lib, &E);
  // Nesting is by domain: this pop does not end the range of the other domain.
  // CHECK-NEXT: {{^}} lib:across 1{{$}}
  E.message.ascii = "across";
  nvtxDomainRangePushEx(Lib, &E);
  nvtxRangePop();
  nvtxDomainRangePop(Lib);
  // CHECK-NEXT: {{^}}started 1{{$}}
  nvtxRangeId_t Id = nvtxRangeStartA("started");
  nvtxRangeEnd(Id);
  nvtxRangeEnd(Id);

  // CHECK-NOT: seamscope:
  nvtxDomainHandle_t Own = nvtxDomainCreateA("seamscope");
  E.message.ascii = "kernel";
  nvtxDomainRangePushEx(Own, &E);
  nvtxDomainRangePop(Own);
  // Nothing is open.
  if (nvtxRangePop() >= 0 || nvtxDomainRangePop(Lib) >= 0)
    return 6;
  return 0;
}
