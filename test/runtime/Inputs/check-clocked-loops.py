"""Compares the loops of a trace with the program's own clock readings.

    check-clocked-loops.py SEAMSCOPE TRACE CLOCKS

CLOCKS has `LINE NANOSECONDS` of the shortest run of each loop, since longer runs may have been interrupted between the
two clocks. Prints loops that differ by more than 3 % and 1 us, and figures of the report that are not the sum of runs."""

import json
import subprocess
import sys

seamscope, trace, clocks = sys.argv[1:]
report = json.loads(subprocess.run([seamscope, "report", "--json", trace], stdout=subprocess.PIPE, check=True,
                                   timeout=60).stdout)
with open(trace, encoding="utf-8") as file:
    events = [event for event in json.load(file)["traceEvents"] if event.get("cat") == "loop"]
runs, total = {}, {}
for event in events:
    runs.setdefault(event["args"]["line"], []).append(round(event["dur"] * 1000))
for kernel in report["kernels"]:
    loops = kernel["loops"]
    for loop in loops:
        line = loop["source"]["line"]
        total[line] = total.get(line, 0) + loop["total_ns"]
        inner = sum(l["total_ns"] for l in loops if l["parent"] == loop["id"])
        off = sum(sign * l[key] for key in ("blocked_ns", "preempted_ns") for sign, some in (
            (1, [loop]), (-1, [l for l in loops if l["parent"] == loop["id"]])) for l in some)
        if loop["self_ns"] != loop["total_ns"] - inner - off:
            print(f"{loop['name']}: self {loop['self_ns']}, total {loop['total_ns']}, inside {inner}")
    own = kernel["total_ns"] - sum(l["total_ns"] for l in loops if l["parent"] is None and not l["region"])
    if own < 0:
        print(f"{kernel['name']}: its loops took longer than itself by {-own} ns")
for line, times in runs.items():
    if sum(times) != total.get(line):
        print(f"line {line}: {sum(times)} ns in the trace, {total.get(line)} in the report")
wrong = 0
with open(clocks, encoding="ascii") as lines:
    wanted = {int(line): int(ns) for line, ns in map(str.split, lines)}
for line, ns in sorted(wanted.items()):
    if abs(min(runs.get(line, [0])) - ns) > max(0.03 * ns, 1000):
        print(f"line {line}: {min(runs.get(line, [0]))} ns in the trace, {ns} by the program's clock")
        wrong += 1
print(f"{len(wanted)} loops, {wrong} wrong")
