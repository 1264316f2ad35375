"""Steps with ranges of NVTX.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import threading

import nvtx


@nvtx.annotate("step", domain="app")
def step():
    with nvtx.annotate("inner"):
        nvtx.mark("moment")


for _ in range(5):
    step()
thread = threading.Thread(target=step)
thread.start()
thread.join()
nvtx.end_range(nvtx.start_range("started"))
