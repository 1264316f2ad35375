"""kernels-in-profiler.py TRACE: a compiled function under torch.profiler, after a stretch without it.

Prints how often the profiler's table has each kernel and region.
"""

import sys

import torch
from torch.profiler import ProfilerActivity, profile

torch.manual_seed(0)
torch.set_num_threads(2)


@torch.compile
def fused(a, b, c):
    return (a + b) * c


arguments = [torch.rand(2048, 256) for _ in range(3)]
for _ in range(3):
    fused(*arguments)
with profile(activities=[ProfilerActivity.CPU]) as recorded:
    for _ in range(5):
        fused(*arguments)
for _ in range(2):
    fused(*arguments)
recorded.export_chrome_trace(sys.argv[1])
for row in sorted(recorded.key_averages(), key=lambda row: row.key):
    if "cpp_fused" in row.key:
        print(row.count, "[parallel]" if "parallel" in row.key else row.key)
