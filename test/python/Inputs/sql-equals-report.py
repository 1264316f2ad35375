"""sql-equals-report.py SQL REPORT: rows of the recipe top-kernels are kernels of the report."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    found = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    kernels = {(each["name"], each["device"]): each for each in json.load(file)["kernels"] if each["calls"]}
assert found["schema"] == "seamscope.sql/1" and found["rows"], found
for row in found["rows"]:
    each = dict(zip(found["columns"], row))
    its = kernels.pop((each["name"], each["device"]))
    assert (each["calls"], each["total_ns"]) == (its["calls"], its["total_ns"]), (each, its)
assert not kernels, kernels
