"""Checks the threads in a report of samples-report.cpp in mode profile: one works, one waits for it."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
threads = {row["name"]: row for row in report["threads"]}
assert len(threads) == 2, threads
waiter = threads.pop("main")
(worker,) = threads.values()
for row in (waiter, worker):
    parts = row["running_ns"] + row["blocked_ns"] + row["preempted_ns"] + row["unknown_ns"]
    assert 0 < parts <= report["window_ns"], (row, report["window_ns"])
assert abs(worker["running_ns"] - 0.4e9) < 0.05e9 and worker["samples"] > 0, worker
assert waiter["running_ns"] < 0.05e9 < 0.3e9 < waiter["blocked_ns"], waiter
print("each thread ran and waited as long as it did")
