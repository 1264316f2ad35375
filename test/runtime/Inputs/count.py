"""Prints facts about a trace, one per line, for FileCheck.

usage: count.py TRACE
"""

import collections
import gzip
import json
import sys

path = sys.argv[1]
with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
    trace = json.load(file)
events = [event for event in trace["traceEvents"] if event["ph"] != "M"]
calls = collections.Counter(event["name"] for event in events if event["ph"] == "X")
still_open = collections.Counter(event["name"] for event in events if event["ph"] == "B")
for entry in trace["seamscope"].get("throttled", []):
    calls[entry["name"]] += entry["untimed"]
for name, count in sorted(calls.items()):
    print(f"calls {name}: {count}")
for name, count in sorted(still_open.items()):
    print(f"open {name}: {count}")
for entry in trace["seamscope"]["abandoned"]:
    print(f"abandoned {entry['name']}: {entry['calls']}")
print("lost:", trace["seamscope"]["lost_events"])
print("tracks:", len({(event["pid"], event["tid"]) for event in events}))

# On a track, calls are nested or follow one another; they never overlap in part.
tracks = collections.defaultdict(list)
for event in events:
    if event["ph"] == "X":
        begin = round(event["ts"] * 1000)
        tracks[event["pid"], event["tid"]].append((begin, begin + round(event["dur"] * 1000)))
for spans in tracks.values():
    stack = []
    for begin, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        while stack and stack[-1] <= begin:
            stack.pop()
        if stack and end > stack[-1]:
            sys.exit(f"a call overlaps its neighbour: {begin}..{end} ends after {stack[-1]}")
        stack.append(end)
print("nesting: right")
