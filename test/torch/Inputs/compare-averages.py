"""compare-averages.py REPORT AVERAGES: operators of both, row by row."""

import json
import sys

with open(sys.argv[1]) as file:
    report = json.load(file)
    ours = {row.get("name") or row["key"]: row for row in report.get("operators") or report["rows"]}
with open(sys.argv[2]) as file:
    averages = {row["name"]: row for row in json.load(file)}
wrong = []
for name, row in ours.items():
    theirs = averages.get(name)
    if not theirs:
        wrong.append(f"{name}: torch does not have it")
        continue
    if row["calls"] != theirs["calls"]:
        wrong.append(f"{name}: {row['calls']} calls, torch has {theirs['calls']}")
    own = "own_ns" if "own_ns" in row else "self_ns"  # of a report, and of one by operator
    for key, their_key in (("total_ns", "total_us"), (own, "self_us")):
        if abs(row[key] / 1e3 - theirs[their_key]) > 1:
            wrong.append(f"{name}: {key} {row[key] / 1e3} us, torch {theirs[their_key]}")
missing = [name for name in averages if name.startswith("aten::") and name not in ours]
wrong += [f"{name}: only torch has it" for name in missing]
if wrong or len(ours) < 30:
    sys.exit("\n".join(wrong) or f"{len(ours)} operators only")
