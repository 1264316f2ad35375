"""The same function through torch.compile: eager under torch.profiler, then compiled.

usage: torch_compile.py EAGER_TRACE [REPETITIONS]

Eager mode is recorded by torch.profiler into EAGER_TRACE. Compiled mode is recorded by Seamscope,
in the same process, where SEAMSCOPE_OUT says.
"""

import sys

import torch
from torch.profiler import ProfilerActivity, profile


def function(a0, a1, a2, a3, a4):
    return ((a0 + a1) + a2) * a3 + a4


def main():
    trace = sys.argv[1]
    repetitions = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    torch.manual_seed(0)
    full, row = (16384, 512), (1, 512)
    arguments = [torch.randn(shape) for shape in (full, row, full, row, row)]

    for _ in range(3):
        expected = function(*arguments)
    with profile(activities=[ProfilerActivity.CPU]) as profiler:
        for _ in range(repetitions):
            function(*arguments)
    profiler.export_chrome_trace(trace)

    compiled = torch.compile(function)
    for _ in range(repetitions):
        result = compiled(*arguments)
    torch.testing.assert_close(result, expected)


if __name__ == "__main__":
    main()
