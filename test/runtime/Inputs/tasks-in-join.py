"""Compares the regions of a report with the tasks of its trace: tasks-in-join.py TRACE REPORT"""
import json
import sys
from collections import defaultdict
from decimal import Decimal

trace, report = (json.load(open(name), parse_float=Decimal) for name in sys.argv[1:])
calls = [e for e in trace["traceEvents"] if e.get("ph") == "X"]


def nanoseconds(event):
    return int(event["dur"] * 1000)


def is_inside(event, region):
    return region["ts"] <= event["ts"] and event["ts"] + event["dur"] <= region["ts"] + region["dur"]


for kernel in sorted(report["kernels"], key=lambda kernel: kernel["name"]):
    for region in kernel.get("regions", []):
        starts = [e for e in calls if e["name"] == kernel["name"]]
        threads = defaultdict(list)
        for part in (e for e in calls if e["name"] == region["name"]):
            start = next(s for s in starts if is_inside(part, s))
            tasks = [e for e in calls if e["cat"] == "omp_task" and e["tid"] == part["tid"] and is_inside(e, start)]
            assert all(e["ts"] >= part["ts"] + part["dur"] for e in tasks), "a task did not run in the join"
            threads[part["args"]["thread"]] += [nanoseconds(part), *map(nanoseconds, tasks)]
        busy = {share["thread"]: share["busy_ns"] for share in region["threads"]}
        assert busy == {thread: sum(ns) for thread, ns in threads.items()}, (busy, threads)
        counts = {share["thread"]: share["calls"] for share in region["tasks"][0]["threads"]}
        assert counts == {0: 3, 1: 3}, counts
        assert abs(region["imbalance"] - Decimal(max(busy.values()) * 2) / sum(busy.values())) < Decimal("1e-6")
        print(f"{kernel['name']}: {len(busy)} threads with {counts[0]} tasks each, busy with them")
