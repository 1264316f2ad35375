"""op_loop.py OPERATOR: what recording adds to a call of one small operator, in ns of the thread's own
processor time, as JSON: `plain` the call itself, `ours` what the bridge adds, `theirs` what
torch.profiler with shapes adds.

The three take turns within the process, 2,000 calls each, and each turn is set beside the plain
ones next to it: what drifts on the machine drifts for all. Medians of the rounds.
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


def ours():
    pause(0)
    took = turn()
    pause(1)
    return took


def theirs():
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True):
        return turn()


found = {"plain": [], "ours": [], "theirs": []}
pause(1)
with torch.no_grad():
    for number in range(ROUNDS + 1):
        before, of_ours, between, of_theirs, after = turn(), ours(), turn(), theirs(), turn()
        if number:  # the first has all shapes yet to be seen
            found["plain"].append(between)
            found["ours"].append(of_ours - (before + between) / 2)
            found["theirs"].append(of_theirs - (between + after) / 2)
print(json.dumps({name: statistics.median(times) for name, times in found.items()}))
