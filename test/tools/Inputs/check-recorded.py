"""check-recorded.py SEAMSCOPE FOLDER: the report of each trace against expected.jsonl."""

import json
import os
import subprocess
import sys

tool, folder = sys.argv[1:]
wrong = []
count = 0
with open(os.path.join(folder, "expected.jsonl"), encoding="utf-8") as file:
    expected = [json.loads(line) for line in file]
for want in expected:
    path = os.path.join(folder, want["trace"])
    done = subprocess.run([tool, "report", "--json", path], capture_output=True, text=True)
    if done.returncode or done.stderr:
        wrong.append(f"{want['trace']}: exit code {done.returncode}: {done.stderr}")
        continue
    report = json.loads(done.stdout)
    devices = report["devices"]
    got = {
        "complete_events": report["trace"]["events"],
        "kernels": sum(d["kernels"] for d in devices),
        "kernel_ns": sum(d["kernel_ns"] for d in devices),
        "busy_ns": {str(d["id"]): d["busy_ns"] for d in devices},
        "launched": report["linking"]["launched"],
        "linked": report["linking"]["linked"],
        "top": [{k: row[k] for k in ("name", "calls", "total_ns")} for row in report["kernels"]][:10],
    }
    wrong += [f"{want['trace']}: {key}: {want[key]} expected, {value} found"
              for key, value in got.items() if want[key] != value]
    # What is split adds up.
    if sum(k["total_ns"] for k in report["kernels"]) != got["kernel_ns"]:
        wrong.append(f"{want['trace']}: the kernels do not add up to kernel_ns")
    for device in devices:
        if device["busy_ns"] + device["idle_ns"] != report["window_ns"]:
            wrong.append(f"{want['trace']}: busy and idle are not the window")
    count += 1
if wrong or not count:
    sys.exit("\n".join(wrong) or "no trace was tried")
