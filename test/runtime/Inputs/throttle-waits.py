"""Checks throttled waits: exact counts, times that add up, and teams, which are never throttled.

usage: throttle-waits.py SEAMSCOPE PROGRAM
"""

import json
import os
import subprocess
import sys

tool, program = sys.argv[1:]
CALLS = 1000000


def regions(throttle):
    environment = dict(os.environ, SEAMSCOPE="trace", SEAMSCOPE_OUT="trace.json", SEAMSCOPE_THROTTLE=throttle,
                       SEAMSCOPE_OUT_LIMIT="0")
    subprocess.run([program, str(CALLS)], env=environment, capture_output=True, timeout=100, check=True)
    with open("trace.json", encoding="utf-8") as file:
        throttled = json.load(file)["seamscope"].get("throttled", [])
    report = json.loads(subprocess.check_output([tool, "report", "--json", "trace.json"], timeout=100))
    rows = [region for kernel in report["kernels"] for region in kernel["regions"]]
    assert len(rows) == 2, [row["name"] for row in rows]
    return throttled, sorted(rows, key=lambda row: row["calls"]), report


throttled, (locking, teams), report = regions("128")
assert {entry["args"]["construct"] for entry in throttled} == {"lock"}, throttled
assert len({entry["tid"] for entry in throttled}) == 2, throttled
wait, = locking["waits"]
assert wait["calls"] == 2 * CALLS, wait
assert wait["sampled"]["counted"] > CALLS and wait["sampled"]["stderr_ns"] > 0, wait
for thread in locking["threads"]:
    # A timed call that was interrupted stands for many calls, so waits may seem to take all the time.
    assert thread["calls"] == 1 and thread["busy_ns"] >= 0 and thread["wait_ns"] > 0, thread
spent = sum(thread["busy_ns"] + thread["wait_ns"] + thread["preempted_ns"] for thread in locking["threads"])
assert abs(spent - locking["total_ns"]) <= len(locking["threads"]), (spent, locking["total_ns"])
assert locking["wait_ns"] == wait["total_ns"] + locking["blocked_ns"], (locking["wait_ns"], wait["total_ns"])
# The loop around all waits has the same wait time, and its other time is its own.
loop, = [loop for kernel in report["kernels"] for loop in kernel["loops"] if loop["region"] == locking["name"]]
assert loop["inlined_from"] == [] and report["inlined_functions"] == [], loop
assert loop["self_ns"] + loop["wait_ns"] + loop["preempted_ns"] == loop["total_ns"], loop
assert wait["sampled"]["limited"] or abs(
    loop["wait_ns"] - wait["total_ns"]) < 0.02 * wait["total_ns"] + 1000, (loop, wait)
assert teams["calls"] == 50000 and teams["fork"]["calls"] == 50000, teams
text = subprocess.check_output([tool, "report", "trace.json"], text=True, timeout=60)
assert "~ 1 in 128 timed" in text, text

throttled, (locking, teams), report = regions("off")
assert not throttled and "sampled" not in locking["waits"][0], throttled
assert locking["waits"][0]["calls"] == 2 * CALLS, locking["waits"]
