"""check-clocked-waits.py SEAMSCOPE TRACE PROGRAM: compares waits of a trace with the program's own clocks.

An interruption between the two clocks is only in one of them, so a wait is wrong only if it differs in every run.
"""

import json
import os
import subprocess
import sys

tool, trace, program = sys.argv[1:4]
RUNS = 5


def checked():
    """The number of waits, and a line for each that differs, by place and thread."""
    clocks = subprocess.run([program], check=True, capture_output=True, text=True, timeout=120,
                            env=dict(os.environ, SEAMSCOPE="trace", SEAMSCOPE_OUT=trace)).stdout
    report = json.loads(subprocess.run([tool, "report", "--json", trace], check=True, capture_output=True,
                                       text=True, timeout=120).stdout)
    regions = [region for kernel in report["kernels"] for region in kernel["regions"]]
    found, kinds = {}, set()
    for region in regions:
        # On each thread, work and waits add up to the region exactly.
        waits = sum(wait["total_ns"] for wait in region["waits"])
        assert region["wait_ns"] == waits + region["blocked_ns"], region
        spent = sum(t["busy_ns"] + t["wait_ns"] + t["preempted_ns"] for t in region["threads"])
        assert spent == region["total_ns"], region
        for wait in region["waits"]:
            kinds.add((wait["kind"], wait["schedule"]))
            assert sum(thread["total_ns"] for thread in wait["threads"]) == wait["total_ns"], wait
            for thread in wait["threads"]:
                key = wait["kind"], wait["source"]["line"], thread["thread"]
                found[key] = found.get(key, 0) + thread["total_ns"]
        for part in ("fork", "join"):
            assert region[part]["calls"] == region["calls"], region
    assert {("for", "static"), ("for", "dynamic"), ("for", "guided")} <= kinds, kinds

    wrong, count = {}, 0
    for line in clocks.splitlines():
        if not line.startswith("WAIT "):
            continue
        _, kind, number, thread, ns = line.split()
        ours = found.get((kind, int(number), int(thread)), 0)
        count += 1
        if abs(ours - int(ns)) > max(0.05 * int(ns), 150_000):
            wrong[kind, number, thread] = (f"{kind} at line {number}, thread {thread}: {ours} ns in the trace, "
                                           f"{ns} ns by its clock")
    # A task's work belongs neither to its creator nor to a wait.
    (tasks,) = [region["tasks"] for region in regions if region["tasks"]]
    assert len(tasks) == 1 and tasks[0]["calls"] == 3 and 27e6 <= tasks[0]["total_ns"] < 90e6, tasks
    return count, wrong


count, wrong = checked()
for _ in range(RUNS - 1):
    if wrong:
        again = checked()[1]
        wrong = {place: line for place, line in again.items() if place in wrong}
for line in wrong.values():
    print(line)
print(f"{count} waits, {len(wrong)} wrong")
