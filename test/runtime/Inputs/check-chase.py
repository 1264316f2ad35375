"""Runs the chase and compares what the trace says of a call with what a clock around 1,000 says.

check-chase.py TRACE PROGRAM

Other work on the machine disturbs both; the best of five tries counts.
"""

import json
import os
import statistics
import subprocess
import sys

trace, program = sys.argv[1:]
tries = []
for _ in range(5):
    done = subprocess.run(
        [program],
        env={**os.environ, "SEAMSCOPE": "trace", "SEAMSCOPE_OUT": trace},
        check=True,
        capture_output=True,
        text=True,
    )
    outside = {"long": [], "unordered": []}
    for line in done.stdout.splitlines():
        name, value = line.split()
        outside[name].append(float(value))
    with open(trace, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    calls = sorted((e["ts"], e["dur"] * 1e3) for e in events if e["ph"] == "X" and
                   e["name"].startswith("chase"))
    assert len(calls) == 1000 * len(outside["long"]), len(calls)
    rounds = [statistics.fmean(d for _, d in calls[i:i + 1000]) for i in range(0, len(calls), 1000)]
    traced = statistics.median(rounds)
    clock = statistics.median(outside["long"])
    # Of neighbours in time: what drifts does so for both.
    error = statistics.median(t / c for t, c in zip(rounds, outside["long"])) - 1
    text = f"traced {traced:.0f} ns, clock {clock:.0f} ns a call: {error:+.2%}"
    if outside["unordered"]:
        text += f"; a bare rdtsc says {statistics.median(outside['unordered']):.0f} ns"
    print(text)
    tries.append(abs(error))
    if abs(error) <= 0.01:
        sys.exit(0)
sys.exit(f"more than 1 % off in each of {len(tries)} tries")
