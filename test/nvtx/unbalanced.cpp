// Pops without a push, pushes without a pop, thousands of ranges within each other, ranges that
// another thread ends, threads that end with open ranges, forks, names that are no UTF-8 or have no
// end: all of it is recorded, and none of it is a crash.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda
// RUN: rm -rf %t && mkdir -p %t
// RUN: %host-cxx -std=c++20 -O1 -I%cuda/include %s -o %t/unbalanced -ldl -pthread
// RUN: env SEAMSCOPE=trace SEAMSCOPE_OUT=%t/out.json NVTX_INJECTION64_PATH=%runtime-lib/libseamscope-nvtx.so %t/unbalanced 2>&1 | count 0
// RUN: %python %S/Inputs/annotations.py %t/out.json | FileCheck %s
// RUN: %python %S/Inputs/annotations.py %t/out.*.json | FileCheck %s --check-prefix=CHILD
#include <atomic>
#include <cstring>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

int main() {
  // CHECK: {{^}}stays open 1{{$}}
  if (nvtxRangePop() >= 0)
    return 1;
  nvtxRangePushA("stays open");
  // CHECK-NEXT: {{^}}deep 20000{{$}}
  for (int I = 0; I < 20000; ++I)
    if (nvtxRangePushA("deep") != I + 1)
      return 2;
  for (int I = 20000; I-- > 0;)
    if (nvtxRangePop() != I + 1)
      return 3;
  // CHECK-NEXT: {{^}}across threads 1{{$}}
  const nvtxRangeId_t Id = nvtxRangeStartA("across threads");
  std::thread([&] { nvtxRangeEnd(Id); }).join();
  nvtxRangeEnd(0);
  nvtxRangeEnd(~nvtxRangeId_t{0});
  // CHECK-NEXT: {{^}}of a thread 64{{$}}
  for (int I = 0; I < 64; ++I)
    std::thread([] { nvtxRangePushA("of a thread"); }).join();
  // CHECK-NEXT: {{^}}bad � "\ 1{{$}}
  nvtxRangePushA("bad \xFF \"\\");
  nvtxRangePop();
  // CHECK-NEXT: {{^}}x{{x+}} 1{{$}}
  const std::string Long(1 << 20, 'x');
  nvtxRangePushA(Long.c_str());
  nvtxRangePop();
  // CHECK-NEXT: {{^}}[no message] 1{{$}}
  nvtxRangePushA(nullptr);
  nvtxRangePop();
  // CHECK-NEXT: {{^}}many 5000{{$}}
  std::vector<nvtxRangeId_t> Many;
  for (int I = 0; I < 5000; ++I)
    Many.push_back(nvtxRangeStartA("many"));
  for (const nvtxRangeId_t Each : Many)
    nvtxRangeEnd(Each);
  // The parent's own; the child's open range is its parent's, too.
  // CHECK-NEXT: {{^}}while forking {{[0-9]+}}{{$}}
  std::atomic<bool> Stop = false;
  std::thread Busy([&] {
    for (; !Stop; usleep(100))
      for (int I = 0; I < 50; ++I)
        nvtxRangeEnd(nvtxRangeStartA("while forking"));
  });
  for (int I = 0; I < 20; ++I)
    if (const pid_t Child = fork(); Child == 0) {
      alarm(60);
      // CHILD: {{^}}of the child 1{{$}}
      // CHILD-NOT: {{.}}
      nvtxRangePushA("of the child");
      nvtxRangePop();
      nvtxRangePop();
      if (I == 0)
        exit(0);
      _exit(0);
    } else {
      int Status;
      if (waitpid(Child, &Status, 0) != Child || Status != 0)
        return 4;
    }
  Stop = true;
  Busy.join();
  return 0;
}
