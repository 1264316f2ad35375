"""Checks that a bridge ends throttling, and that Python programs are throttled.

usage: throttle-ends.py SEAMSCOPE PROGRAM
"""

import json
import os
import subprocess
import sys

tool, program = sys.argv[1:]
base = {key: value for key, value in os.environ.items() if not key.startswith("SEAMSCOPE")}


def record(**more):
    subprocess.run([program], env=dict(base, SEAMSCOPE="trace", SEAMSCOPE_OUT="k.json", **more),
                   timeout=60, check=True)
    with open("k.json", encoding="utf-8") as file:
        trace = json.load(file)
    events = {name: 0 for name in ("tiny", "later")}
    for event in trace["traceEvents"]:
        if event["ph"] == "X":
            events[event["name"].split("(")[0]] += 1
    untimed = dict.fromkeys(events, 0)
    for entry in trace["seamscope"].get("throttled", []):
        untimed[entry["name"].split("(")[0]] += entry["untimed"]
    assert events["tiny"] + untimed["tiny"] == 450000, (events, untimed)
    assert events["later"] + untimed["later"] == 100000, (events, untimed)
    return events


events = record()
assert events["tiny"] >= 50000 and events["later"] == 100000, events
# On a busy machine, several calls of a block are interrupted, and the site is not throttled.
for _ in range(5):
    if record(SEAMSCOPE_THROTTLE="128")["later"] < 100000:
        break
else:
    sys.exit("a number that the user chose is ignored")

shown = subprocess.run([tool, "run", "-o", "python.json", "--", sys.executable, "-c",
                        "import os; print(os.environ.get('SEAMSCOPE_THROTTLE'))"],
                       env=base, capture_output=True, text=True, timeout=60)
assert shown.stdout.split()[0] == "None", shown
