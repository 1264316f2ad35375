"""Adds up what `seamscope diff` says of recorded teams, and compares it with the events of the traces.

usage: diff-sums.py DIFF.json A.json B.json
"""

import collections
import json
import sys

with open(sys.argv[1]) as f:
    told = json.load(f)
assert sum(row["delta_ns"] for row in told["rows"]) == told["total_delta_ns"], told["rows"]


def times(path):
    """The time of each kernel and its regions on all threads, without other kernels inside."""
    with open(path) as f:
        events = [e for e in json.load(f)["traceEvents"] if e.get("cat") in ("cpu_op", "omp_region")]
    threads = collections.defaultdict(list)
    for event in events:
        threads[event["tid"]].append((round(event["ts"] * 1000), round(event["dur"] * 1000), event))
    found = collections.Counter()
    for mine in threads.values():
        open_ = []  # end, kernel
        for begin, ns, event in sorted(mine, key=lambda e: (e[0], -e[1])):
            while open_ and open_[-1][0] <= begin:
                open_.pop()
            kernel = event["args"]["kernel"]
            if open_ and open_[-1][1] != kernel:
                found[open_[-1][1]] -= ns
            if not open_ or open_[-1][1] != kernel:
                found[kernel] += ns
            open_.append((begin + ns, kernel))
    return found


kernels = 0
for letter, path in zip("ab", sys.argv[2:]):
    known = times(path)
    for row in told["places"]:
        if row["kind"] == "kernel":
            mine = sum(each[f"{letter}_self_ns"] or 0 for each in told["places"]
                       if each["kernel"] == row["kernel"])
            assert mine == known[row["kernel"]], (letter, row["kernel"], mine, known[row["kernel"]])
            kernels += 1
assert kernels >= 10, kernels

places = {(row["kernel"], row["kind"], row["a_source"]["line"]): row for row in told["places"]
          if row["a_source"] and row["kind"] in ("region", "loop")}
# The region whose schedule -DBALANCED changes begins at another line of the same text, behind #else.
region = places["heat::source", "region", 47]
assert region["b_source"]["line"] == 45 and region["match"] == "order", region
assert region["a_threads"] == region["b_threads"] == 2, region
assert region["a_imbalance"] and region["b_imbalance"], region
assert places["heat::residual", "region", 34]["match"] == "source"
assert any(row["kind"] == "wait" and row["match"] == "source" for row in told["places"])
