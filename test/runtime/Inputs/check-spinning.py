"""Checks that the kernel waiter of a report only spins, and the kernel worker does not.

usage: check-spinning.py REPORT [FUNCTION]
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
kernels = {row["name"]: row for row in report["kernels"]}
waits = [row for row in report["blocked"] if row["state"] == "spinning"]
assert waits and {row["kernel"] for row in waits} == {"waiter"}, report["blocked"]
for row in waits:
    assert row["samples"] and row["waits"] is None, row
    assert 0 <= row["low_ns"] <= row["ns"] <= row["high_ns"], row
    assert len(sys.argv) < 3 or sys.argv[2] in row["wait"], row
spun = sum(row["ns"] for row in waits)
assert spun > 0.5 * kernels["waiter"]["running_ns"], (waits, kernels["waiter"])
assert kernels["waiter"]["self_ns"] < 0.5 * kernels["waiter"]["running_ns"], kernels["waiter"]
assert kernels["worker"]["self_ns"] > 0.08e9, kernels["worker"]
window = (sum(row["self_ns"] for row in kernels.values()) + report["unattributed_ns"] +
          report["blocked_ns"] + report["preempted_ns"] + report["spinning_ns"] +
          (report["recording_ns"] or 0))
assert window == report["window_ns"], window
print("waiter spins")
