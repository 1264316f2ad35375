"""Prints a trace's annotations by name as they first began, with how often each was recorded; one
that lies within "outer" in time is indented. With a second argument: only the calls' number, and that of the threads.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import collections
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    events = json.load(file)["traceEvents"]
ranges = [e for e in events if e.get("ph") == "X" and e.get("cat") == "user_annotation"]
outer = [e for e in ranges if e["name"] == "outer"]


def is_within(event):
    return any(o is not event and o["tid"] == event["tid"] and o["ts"] <= event["ts"] <=
               o["ts"] + o["dur"] for o in outer)


if len(sys.argv) > 2:
    print(len(ranges), "ranges on", len({e["tid"] for e in ranges}), "threads")
    sys.exit()
ranges.sort(key=lambda e: e["ts"])
for (within, name), times in collections.Counter((is_within(e), e["name"]) for e in ranges).items():
    print(f"{' ' if within else ''}{name} {times}")
