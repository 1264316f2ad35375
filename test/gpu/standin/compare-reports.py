"""compare-reports.py A B: compares the GPU kernels of two reports."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import sys


def kernels(path):
    with open(path, encoding="utf-8") as file:
        return [{key: kernel.get(key) for key in ("name", "calls", "total_ns", "inside", "launches")}
                for kernel in json.load(file)["kernels"] if kernel["device"] is not None]


first, second = map(kernels, sys.argv[1:])
print(first)
if first == second and len(first) == 1:
    print(f"the same kernels: saxpy, {first[0]['calls']} calls, {first[0]['inside']['launches']} with stamps")
