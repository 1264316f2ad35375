"""Runs the chase and compares the time of a call in the trace with a clock around 1,000 calls.

check-chase.py TRACE PROGRAM

Other work on the machine disturbs both. One try within 1 % is enough. If there is none, all tries
together must be within 1 % and three standard errors.
"""

import json
import os
import statistics
import subprocess
import sys

trace, program = sys.argv[1:]
tries = 12
ratios = []
empties = []
for _ in range(tries):
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
    calls = {"chase": [], "empty": []}
    for event in sorted((e for e in events if e["ph"] == "X"), key=lambda e: e["ts"]):
        calls[event["name"].partition("(")[0]].append(event["dur"] * 1e3)
    for name, durations in calls.items():
        wanted = 1000 * len(outside["long"])
        if not wanted or len(durations) != wanted:
            sys.exit(f"{len(durations)} of {wanted} calls of {name} are in the trace")
    chase = calls["chase"]
    rounds = [statistics.fmean(chase[i:i + 1000]) for i in range(0, len(chase), 1000)]
    # Each ratio is of neighbours in time, so that drift affects both.
    pairs = [t / c for t, c in zip(rounds, outside["long"])]
    ratios += pairs
    error = statistics.median(pairs) - 1
    empty = statistics.median(calls["empty"])
    text = (
        f"traced {statistics.median(rounds):.0f} ns, clock "
        f"{statistics.median(outside['long']):.0f} ns a call: {error:+.2%}; "
        f"an empty call after a chase {empty:.0f} ns"
    )
    if outside["unordered"]:
        text += f"; a bare rdtsc says {statistics.median(outside['unordered']):.0f} ns"
    print(text)
    # An empty call follows a quarter of the chase; if that were counted, it would be 25 %.
    if abs(error) <= 0.01 and empty <= 0.02 * statistics.median(rounds):
        sys.exit(0)
    empties.append(empty / statistics.median(rounds))
# The standard error of a median is 1.25 times that of a mean.
scatter = 1.25 * statistics.stdev(ratios) / len(ratios) ** 0.5
error = statistics.median(ratios) - 1
text = f"{error:+.2%} in {len(ratios)} rounds that scatter by {scatter:.2%}"
if abs(error) > 0.01 + 3 * scatter or statistics.median(empties) > 0.02:
    sys.exit(f"more than 1 % off, or an empty call of more than 2 %: {text}")
print(text)
