"""Checks that spans of loops in a row touch, or counts them.

usage: touching.py TRACE touch|count|nested [CALLS]
"""

import collections
import decimal
import json
import sys

path, what = sys.argv[1:3]
calls = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
with open(path, encoding="utf-8") as file:
    trace = json.load(file, parse_float=decimal.Decimal)
spans = [(int(event["ts"] * 1000), int(event["dur"] * 1000), event["cat"], event["name"])
         for event in trace["traceEvents"] if event["ph"] == "X"]
seen = collections.Counter(name for _, _, cat, name in spans if cat == "loop")
for entry in trace["seamscope"].get("profile", []):
    if entry["cat"] == "loop":
        seen[entry["name"]] += entry["calls"]
for entry in trace["seamscope"].get("throttled", []):
    if entry["cat"] == "loop":
        seen[entry["name"]] += entry["untimed"]
if what == "nested":
    assert seen and not [event for event in trace["traceEvents"] if event["ph"] == "B"], seen
    assert not trace["seamscope"]["lost_events"] and not trace["seamscope"]["abandoned"], trace["seamscope"]
else:
    assert sorted(seen.values()) == [calls // 2, calls, calls], seen
stack = []
touching = 0
last = None
for begin, length, cat, name in sorted(spans, key=lambda span: (span[0], -span[1])):
    while stack and stack[-1] <= begin and length:
        stack.pop()
    assert not stack or begin + length <= stack[-1], (name, begin, length)
    stack.append(begin + length)
    if cat == "loop":
        touching += last == begin
        last = begin + length
if what == "touch":
    # In half of the calls the second loop is skipped; then the first one ends at the test that skips it.
    assert touching >= calls // 2 * 2, touching
