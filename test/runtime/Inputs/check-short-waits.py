"""Checks what the report says of samples-short-waits.cpp.

usage: check-short-waits.py REPORT SOURCE
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    lines = {text.rsplit("// ", 1)[-1].strip(): n for n, text in enumerate(file, 1)}
(waiter,) = (row for row in report["kernels"] if row["name"] == "waiter")
waits = [row for row in report["blocked"] if row["kernel"] == "waiter"]
assert abs(sum(row["ns"] for row in waits) - waiter["blocked_ns"]) <= 1000, (waits, waiter)
for what in "poll", "condition":
    (row,) = (row for row in waits if row["source"] and row["source"]["line"] == lines[what])
    assert row["wait"] and "wait" in row["wait"] or row["wait"] == "poll", row
    assert 0 < row["waits"] < 300 and row["low_ns"] < row["ns"] < row["high_ns"], row
    assert row["high_ns"] <= waiter["blocked_ns"], row
print("short waits have names")
