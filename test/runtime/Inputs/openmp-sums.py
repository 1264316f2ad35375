"""Compares a trace of the kernel axpy with its report.

usage: openmp-sums.py TRACE REPORT THREADS
"""

import json
import sys

trace, report = (json.load(open(path)) for path in sys.argv[1:3])
threads = int(sys.argv[3])
calls = [event for event in trace["traceEvents"] if event["ph"] == "X"]
names = {
    event["tid"]: event["args"]["name"]
    for event in trace["traceEvents"]
    if event["name"] == "thread_name"
}


def ns(event):
    return round(event["dur"] * 1000)


kernel = report["kernels"][0]
parts = [event for event in calls if event["cat"] == "omp_region"]
assert kernel["name"] == "axpy" and kernel["source"]["line"], kernel
assert kernel["total_ns"] == sum(ns(e) for e in calls if e["cat"] == "cpu_op")
region = kernel["regions"][0]
assert region["total_ns"] == sum(map(ns, parts))
assert [share["thread"] for share in region["threads"]] == list(range(threads))
for share in region["threads"]:
    own = [event for event in parts if event["args"]["thread"] == share["thread"]]
    assert share["busy_ns"] == sum(map(ns, own)) and share["calls"] == len(own)
    tids = {event["tid"] for event in own}
    expected = "main" if share["thread"] == 0 else f"OpenMP worker {share['thread']}"
    assert len(tids) == 1 and names[tids.pop()] == expected
busy = [share["busy_ns"] for share in region["threads"]]
assert abs(region["imbalance"] - max(busy) / (sum(busy) / threads)) < 1e-9
waiting = sum(report[key] or 0 for key in ("blocked_ns", "preempted_ns", "spinning_ns", "recording_ns"))
assert sum(row["self_ns"] for row in report["kernels"]) + report["unattributed_ns"] + waiting == (
    report["window_ns"]
)
# The primary thread's part is inside its kernel's call.
main = [e for e in calls if e["cat"] == "cpu_op"]
for part in parts:
    if part["args"]["thread"] == 0:
        assert any(
            k["ts"] <= part["ts"] and part["ts"] + part["dur"] <= k["ts"] + k["dur"] + 1e-6
            for k in main
        )
