"""Checks the figures of samples.json against times that were worked out by hand."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    found = json.load(file)
kernels = {row["name"]: row for row in found["kernels"]}
for name, of in {"run": (75000, 100000, 400000, 0), "work": (175000, 200000, 0, 0)}.items():
    row = kernels[name]
    assert (row["self_ns"], row["running_ns"], row["blocked_ns"], row["preempted_ns"]) == of, row
assert (found["unattributed_ns"], found["blocked_ns"], found["preempted_ns"]) == (350000, 400000, 0)
outside = found["unattributed"]
assert sum(row["ns"] for row in outside) == found["unattributed_ns"], outside
assert [(row["state"], row["ns"], row["tid"], row["library"], row["symbol"]) for row in outside] == [
    ("blocked", 200000, "10", None, "poll"), ("running", 150000, "10", "libgone.so", None)], outside
assert outside[0]["low_ns"] is None and outside[1]["low_ns"] < 150000 <= outside[1]["high_ns"]
assert [(row["kernel"], row["wait"], row["waits"], row["ns"]) for row in found["blocked"]] == [
    ("run", "poll", 1, 400000)], found["blocked"]
assert {(row["kernel"], row["library"], row["samples"], row["ns"]) for row in found["samples"]} == {
    ("run", "libgone.so", 1, 100000), ("work", "libgone.so", 2, 200000)}, found["samples"]
assert [(row["name"], row["running_ns"], row["blocked_ns"], row["preempted_ns"], row["samples"])
        for row in found["threads"]] == [("main", 300000, 700000, 0, 2),
                                         ("worker", 200000, 500000, 300000, 2)], found["threads"]
assert [(row["pid"], row["state"], row["rate"]) for row in found["sampling"]] == [("10", "on", 500)]
