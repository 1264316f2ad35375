"""check-combine.py SEAMSCOPE SCRATCH TRACE...: combines traces and compares the result with the single ones.

Figures that count or add up are the sums, those of devices are the inputs' own, and no id, process
or device is shared between inputs.
"""

import collections
import itertools
import json
import os
import subprocess
import sys

tool, scratch, *traces = sys.argv[1:]
os.makedirs(scratch, exist_ok=True)


def run(*command):
    done = subprocess.run([tool, *command], capture_output=True, text=True)
    assert done.returncode == 0, (command, done.returncode, done.stderr)
    return done.stdout


def report(path):
    return json.loads(run("report", "--json", path))


def sums(reports):
    found = collections.Counter()
    for report in reports:
        found["events"] += report["trace"]["events"]
        for key, value in report["linking"].items():
            found["linking " + key] += value
        for row in report["categories"]:
            found["category " + row["name"], "calls"] += row["calls"]
            found["category " + row["name"], "ns"] += row["total_ns"]
        for row in report["operators"]:
            for key in ("calls", "total_ns", "own_ns", "device_ns"):
                found["operator " + row["name"], key] += row[key]
        for row in report["kernels"]:
            found["kernel " + row["name"], "calls"] += row["calls"]
            found["kernel " + row["name"], "ns"] += row["total_ns"]
    return {key: value for key, value in found.items() if value}


def devices(reports):
    return sorted((d["kernels"], d["kernel_ns"], d["busy_ns"], d["name"] or "")
                  for report in reports for d in report["devices"])


out = os.path.join(scratch, "combined.json")
run("combine", "-o", out, *traces)
single = [report(path) for path in traces]
whole = report(out)
assert sums([whole]) == sums(single), {
    key: (sums([whole]).get(key), sums(single).get(key))
    for key in sums([whole]).keys() | sums(single).keys()
    if sums([whole]).get(key) != sums(single).get(key)}
assert devices([whole]) == devices(single), (devices([whole]), devices(single))
assert not whole["skipped"]
with open(out, encoding="utf-8") as file:
    combined = json.load(file)
about = combined["seamscope_combined"]
assert [entry["path"] for entry in about["inputs"]] == traces
# Each input keeps its own events, in order, with its own ids, processes and devices.
seen = collections.defaultdict(set)
events = iter(combined["traceEvents"])
for entry in about["inputs"]:
    mine = collections.defaultdict(set)
    for _ in range(entry["events"]):
        event = next(events)
        args = event.get("args") or {}
        mine["pid"].add(event.get("pid"))
        mine["id"].update(args[key] for key in ("correlation", "External id", "external id") if key in args)
        mine["flow"].update([event["id"]] if "id" in event else [])
        mine["device"].update([args["device"]] if args.get("device", -1) >= 0 else [])
        if event.get("name") == "process_name":
            assert event["args"]["name"].startswith(f"[{entry['label']}] "), event
    for key, values in mine.items():
        assert not seen[key] & values, (entry["path"], key, seen[key] & values)
        seen[key] |= values
    # What the input leaves without a name.
    named = 0
    while named < len(mine["pid"]) and (event := next(events, None)) is not None:
        if not event.get("name") == "process_name" or event["pid"] not in mine["pid"]:
            events = itertools.chain([event], events)
            break
        named += 1
assert next(events, None) is None
print(f"{len(traces)} traces: {whole['linking']['kernels']} kernels on {len(whole['devices'])} devices")
