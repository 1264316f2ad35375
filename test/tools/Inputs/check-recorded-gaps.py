"""Checks `gap` and `launch_latency_ns` of kernels in reports of recorded traces against the trace
itself, read here with nothing of the tools: python3 check-recorded-gaps.py SEAMSCOPE FOLDER."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import gzip
import json
import pathlib
import statistics
import subprocess
import sys
from decimal import Decimal

WORK = ("kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset")
CALLS = ("cuda_runtime", "cuda_driver", "runtime")


def events_of(path):
    """Complete events, with begin and end in whole ns."""
    with gzip.open(path, "rt") as file:
        trace = json.load(file, parse_float=Decimal)
    rows = trace["traceEvents"] if isinstance(trace, dict) else trace
    for row in rows:
        if row.get("ph") == "X" and "dur" in row:
            begin = int(row["ts"] * 1000)
            yield row, begin, begin + int(row["dur"] * 1000)


def expect(path):
    """By (kernel, device), the idle ns before it and its latencies; by device, the idle ns before copies."""
    calls, work = {}, collections.defaultdict(list)
    launched = collections.Counter()
    for row, begin, end in events_of(path):
        args, category = row.get("args", {}), row.get("cat", "").lower()
        number = args.get("correlation")
        if category in CALLS and number is not None:
            calls.setdefault(number, begin)
        if category in WORK:
            launched[number] += 1
            work[args["device"]].append((begin, end, category, row["name"], number))
    gaps, latencies = collections.Counter(), collections.defaultdict(list)
    copies = collections.Counter()
    for device, rows in work.items():
        rows.sort(key=lambda row: row[0])
        covered = rows[0][0]
        for begin, end, category, name, number in rows:
            idle = max(0, begin - covered)
            if category == "kernel":
                gaps[name, device] += idle
                if number in calls and launched[number] == 1:
                    latencies[name, device].append(begin - calls[number])
            else:
                copies[device] += idle
            covered = max(covered, end)
    return gaps, latencies, copies


def check(seamscope, path):
    """Fails if the report of one trace differs; returns the number of kernels checked."""
    command = [seamscope, "report", "--json", "--compile-time", path]
    report = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True,
                                       timeout=120).stdout)
    gaps, latencies, copies = expect(path)
    inside = collections.Counter()
    kernels = [kernel for kernel in report["kernels"] if kernel["device"] is not None]
    assert len(kernels) == len(gaps), (path, len(kernels), len(gaps))
    for kernel in kernels:
        key, gap = (kernel["name"], kernel["device"]), kernel["gap"]
        parts = [gap[part + "_ns"] for part in ("synchronisation", "host", "initialisation", "latency", "unknown")]
        assert gap["total_ns"] == sum(parts) == gaps[key], (path, key, gap, gaps[key])
        assert min(parts) >= 0, (path, key, gap)
        known = latencies[key]
        median = statistics.median_low(known) if known else None
        assert kernel["launch_latency_ns"]["p50"] == median, (path, key, median)
        inside[kernel["device"]] += gap["total_ns"]
    for device in report["devices"]:
        idle, number = device["idle"], device["id"]
        assert device["idle_before_copies_ns"] == copies[number], (path, device, copies[number])
        total = inside[number] + device["idle_before_copies_ns"] + idle["outside_ns"]
        # If work is missing, idle time outside may be unknown.
        missing = any(found["name"] == "launches-without-work" for found in report["health"])
        assert total == device["idle_ns"] or (missing and total < device["idle_ns"]), (path, device, total)
    return len(kernels)


def main():
    """Checks all traces of the folder."""
    seamscope, folder = sys.argv[1:]
    traces = sorted(pathlib.Path(folder).glob("*.json.gz"))
    seen = {path.name: check(seamscope, str(path)) for path in traces}
    print(seen)
    assert sum(seen.values()) > 0, "no kernel of a device in any trace"


main()
