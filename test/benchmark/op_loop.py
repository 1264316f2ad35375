"""Measures what recording adds to a call of one small operator.

usage: op_loop.py OPERATOR

Prints JSON, in ns of the thread's processor time: `plain` is the call itself, `bridge` what the bridge
adds, `profiler` what torch.profiler with shapes adds. The three alternate within the process, 2,000 calls
each. Each turn is compared with the plain turns next to it, so that drift of the machine affects all
three. The figures are medians of the rounds.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import statistics
import sys
import time

import torch
from torch.profiler import ProfilerActivity, profile

ROUNDS, CALLS, UNTIMED = 21, 2000, 100
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
pause = sys.modules["_seamscope_bridge"].loaded.seamscope_torch_pause


def turn():
    for _ in range(UNTIMED):
        call()
    begin = time.thread_time_ns()
    for _ in range(CALLS):
        call()
    return (time.thread_time_ns() - begin) / CALLS


def bridge():
    pause(0)
    took = turn()
    pause(1)
    return took


def profiler():
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True):
        return turn()


found = {"plain": [], "bridge": [], "profiler": []}
pause(1)
with torch.no_grad():
    for number in range(ROUNDS + 1):
        before, of_bridge, between, of_profiler, after = turn(), bridge(), turn(), profiler(), turn()
        if number:  # the first round meets all shapes for the first time
            found["plain"].append(between)
            found["bridge"].append(of_bridge - (before + between) / 2)
            found["profiler"].append(of_profiler - (between + after) / 2)
print(json.dumps({name: statistics.median(times) for name, times in found.items()}))
