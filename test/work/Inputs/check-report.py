"""Checks the work in a report of report.c: two calls of each kernel, of 1000 and of 0 elements.

usage: check-report.py REPORT.json
"""

import json
import sys

N = 1000
with open(sys.argv[1]) as file:
    kernels = {kernel["name"]: kernel for kernel in json.load(file)["kernels"]}


def expect(kernel, **figures):
    work = kernels[kernel]["work"]
    for key, value in figures.items():
        if work[key] != value:
            sys.exit(f"{kernel}: {key} is {work[key]}, expected {value}")
    lines = kernels[kernel]["lines"]
    for key in ("flop_max", "bytes_read_max", "bytes_written_max"):
        if sum(line[key] for line in lines) != work[key]:
            sys.exit(f"{kernel}: {key} of the lines does not add up to {work[key]}")


# a multiplication, an addition, another multiplication of all lanes; compares are apart
expect("chain", flop=3 * N, bytes_read=8 * N, bytes_written=4 * N, exact=True, source="counted", unknown=[])
expect("reduce", flop=2 * N, bytes_read=8 * N, bytes_written=0, exact=True,
       math=[{"function": "exp", "values": N, "values_min": N, "values_max": N}])
# captured variables are read, too, once for each part of a team
work = kernels["threads"]["work"]
if work["flop"] != 2 * N or work["bytes_written"] != 4 * N or not 8 * N <= work["bytes_read"] <= 9 * N + 8 * N:
    sys.exit(f"threads: {work}")
# what the other file computes is not known, and said
expect("outside", flop=None, flop_min=N, exact=False, unknown=["a call of unknown"])
by_line = {line["line"]: line["flop"] for line in kernels["chain"]["lines"]}
if by_line.get(9) != N:
    sys.exit(f"chain: line 9 computes {by_line}")
print("work as computed")
