"""Checks what the report says of samples-report.cpp.

usage: check-report.py REPORT SOURCE
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    line = next(n for n, text in enumerate(file, 1) if text.rstrip().endswith("// the call"))
kernels = {row["name"]: row for row in report["kernels"]}
waiter, worker = kernels["waiter"], kernels["worker"]
for row in (waiter, worker):
    parts = row["running_ns"] + row["blocked_ns"] + row["preempted_ns"]
    assert parts == row["total_ns"], row
# The waiting thread's own time is next to nothing, however long it waits.
assert waiter["blocked_ns"] > 0.9 * waiter["total_ns"] > 0.3e9, waiter
assert waiter["self_ns"] <= waiter["running_ns"] < 0.05e9, waiter
assert abs(worker["running_ns"] - 0.4e9) < 0.05e9, worker
window = (sum(row["self_ns"] for row in kernels.values()) + report["unattributed_ns"] +
          report["blocked_ns"] + report["preempted_ns"] + (report["spinning_ns"] or 0) +
          (report["recording_ns"] or 0))
assert window == report["window_ns"], window
waits = [row for row in report["blocked"] if row["kernel"] == "waiter"]
assert any("wait" in row["wait"] and row["source"] and row["source"]["line"] == line and
           row["source"]["file"].endswith("samples-report.cpp") for row in waits if row["wait"]), waits
assert abs(sum(row["ns"] for row in waits) - waiter["blocked_ns"]) < 2e6, waits
code = [row for row in report["samples"] if row["kernel"] == "worker"]
assert sum(row["ns"] for row in code) == worker["running_ns"], code
assert code[0]["function"].startswith("worker"), code
print("blocked for as long as it waited, in the call of its line")
