"""op_loop.py OPERATOR [profiler]: ns a call of one small operator, of the thread's own processor time.

The median of many loops. With `profiler` torch.profiler watches, with shapes; else whoever came with
torch.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import statistics
import sys
import time

import torch
from torch.profiler import ProfilerActivity, profile

LOOPS, CALLS = 61, 400
torch.set_num_threads(1)
x, y, w = torch.rand(4, 8), torch.rand(8), torch.rand(8, 8)
operators = {
    "add": lambda: torch.add(x, y),
    "mm": lambda: torch.mm(x, w),
    "view": lambda: x.view(8, 4),
    "cat": lambda: torch.cat([x, x, x, x]),
    "sum": lambda: torch.sum(x, dim=1),
}
call = operators[sys.argv[1]]


def loops():
    times = []
    with torch.no_grad():
        for _ in range(LOOPS):
            begin = time.thread_time_ns()
            for _ in range(CALLS):
                call()
            times.append((time.thread_time_ns() - begin) / CALLS)
    return statistics.median(times)


loops()
if "profiler" in sys.argv:
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True):
        print(loops())
else:
    print(loops())
