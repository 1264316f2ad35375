"""Checks a report of the program in kernels-of-one-name.test: parts, times and FLOPs are those of their own kernels."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import sys

N, CALLS = 1 << 18, 10

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
kernels = {row["name"]: row for row in report["kernels"]}
is_profile = all(row["self_ns"] is None for row in kernels.values())
for file, steps, halvings in (("one.c", 1, 1), ("two.c", 20, 9)):
    work, step = kernels[f"work ({file})"], kernels[f"step ({file})"]
    # An addition and a root a step, and the addition of the task.
    assert work["work"]["exact"] and work["work"]["flop"] == CALLS * (2 * N * steps + 1), (file, work["work"])
    assert step["work"]["exact"] and step["work"]["flop"] == CALLS * halvings * (2 * N - 1), (file, step["work"])
    (region,) = work["regions"]
    assert region["name"] == f"work ({file}) [parallel region.inc:1]", region["name"]
    assert region["calls"] == 2 * CALLS and [each["calls"] for each in region["threads"]] == 2 * [CALLS], region
    tasks = [(row["source"]["line"], row["calls"]) for row in region["tasks"]]
    assert is_profile or tasks == [(8, CALLS)], (file, tasks)
    for kernel in (work, step):
        loops = [row for row in kernel["loops"] if row["parent"] is None]
        assert is_profile or loops, kernel["name"]
        threads = 2 if kernel is work else 1
        assert sum(row["total_ns"] for row in loops) <= threads * kernel["total_ns"], (kernel["name"], loops)
        counted = sum(row["work"]["flop"] for row in kernel["loops"])
        assert counted == kernel["work"]["flop"] - (CALLS if kernel is work else 0), (kernel["name"], counted)
print("each kernel has its own parts")
