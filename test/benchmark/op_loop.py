"""op_loop.py OPERATOR [profiler]: ns a call of one small operator, the median of many loops.

With `profiler` torch.profiler watches, with shapes; else whoever was loaded with torch.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import statistics
import sys
import time

import torch
from torch.profiler import ProfilerActivity, profile

torch.set_num_threads(1)
x, y = torch.rand(4, 8), torch.rand(8)
weight = torch.rand(8, 8)
operators = {
    "add": lambda: torch.add(x, y),
    "view": lambda: x.view(8, 4),
    "linear": lambda: torch.nn.functional.linear(x, weight, y),
    "cat": lambda: torch.cat([x, x, x, x]),
}
call = operators[sys.argv[1]]
LOOPS, CALLS = 41, 500


def loops():
    times = []
    with torch.no_grad():
        for _ in range(LOOPS):
            begin = time.perf_counter_ns()
            for _ in range(CALLS):
                call()
            times.append((time.perf_counter_ns() - begin) / CALLS)
    return statistics.median(times)


loops()
if "profiler" in sys.argv:
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True):
        print(loops())
else:
    print(loops())
