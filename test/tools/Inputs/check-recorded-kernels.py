"""check-recorded-kernels.py SEAMSCOPE FOLDER: `kernels` of each trace against expected.jsonl."""

import json
import os
import subprocess
import sys

tool, folder = sys.argv[1:]
wrong = []
count = 0


def output(*words):
    done = subprocess.run([tool, *words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


with open(os.path.join(folder, "expected.jsonl"), encoding="utf-8") as file:
    expected = [json.loads(line) for line in file]
for want in expected:
    path = os.path.join(folder, want["trace"])
    rows = output("kernels", "--json", path)["kernels"]
    if want["kernels"]:
        got = {
            "kernels": len(rows),
            "kernel_ns": sum(row["sil"] for row in rows),
            "launched": sum(row["tid"] is not None for row in rows),
            "linked": sum(row["op"] is not None for row in rows),
        }
        wrong += [f"{want['trace']}: {key}: {want[key]} expected, {value} found"
                  for key, value in got.items() if want[key] != value]
    if [row["idx"] for row in rows] != list(range(1, len(rows) + 1)):
        wrong.append(f"{want['trace']}: idx does not count")
    if any(a["begin_ns"] > b["begin_ns"] for a, b in zip(rows, rows[1:])):
        wrong.append(f"{want['trace']}: not in the order of time")
    # The split by Python frame adds up to that by kernel.
    whole = output("report", "--by", "kernel", "--json", path)["self_ns"]
    for key in ("stack", "line"):
        by = output("report", "--by", key, "--json", path)
        if not whole == by["self_ns"] == sum(row["self_ns"] for row in by["rows"]):
            wrong.append(f"{want['trace']}: --by {key} does not add up")
    count += 1
if wrong or not count:
    sys.exit("\n".join(wrong) or "no trace was tried")
