"""check-out-limit.py SEAMSCOPE TRACE SPOOL LIMIT: checks that TRACE is a part of SPOOL with about
LIMIT bytes of events and the totals of the whole.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import os
import subprocess
import sys

tool, path, spool, limit = sys.argv[1:]


def load(name):
    with open(name, encoding="utf-8") as file:
        return json.load(file)


def sums(trace):
    """Calls, total and extremes by name and track, of events and sums together."""
    rows = collections.defaultdict(list)
    for event in trace["traceEvents"]:
        if event["ph"] == "X":
            ns = round(event["dur"] * 1000)
            rows[event["cat"], event["name"], event["pid"], event["tid"]].append((1, ns, ns, ns))
    for row in trace["seamscope"].get("profile", []):
        assert sum(calls for _, calls in row["histogram"]) == row["calls"] > 0, row
        rows[row["cat"], row["name"], row["pid"], row["tid"]].append(
            (row["calls"], row["total_ns"], row["min_ns"], row["max_ns"]))
    return {key: (sum(r[0] for r in parts), sum(r[1] for r in parts), min(r[2] for r in parts),
                  max(r[3] for r in parts)) for key, parts in rows.items()}


all_path = path + ".all.json"
subprocess.run([tool, "convert", spool, all_path], check=True, timeout=120)
part, whole = load(path), load(all_path)
events = [event for event in part["traceEvents"] if event["ph"] == "X"]
told = part["seamscope"]["part"]
assert os.path.samefile(told["all_in"], spool), told
assert told["calls"] == len(events), (told, len(events))
everything = [event for event in whole["traceEvents"] if event["ph"] == "X"]
assert told["calls"] + told["left_out"] == len(everything), (told, len(everything))
assert all(event["ts"] * 1000 < told["until_ns"] for event in events)
# The text size of an event is an estimate, and the sums come in addition.
text = len(json.dumps(part["traceEvents"], separators=(",", ":")))
assert 0.6 * int(limit) - 1000 < text < 1.3 * int(limit) + 3000, text
left_out = part["seamscope"]["cuda"]["left_out"]
of_devices = [sum(event["cat"] not in ("cpu_op", "loop", "cuda_launch") for event in each)
              for each in (everything, events)]
assert left_out == of_devices[0] - of_devices[1] > 0, (left_out, of_devices)
mine, all_of_it = sums(part), sums(whole)
assert mine.keys() == all_of_it.keys(), mine.keys() ^ all_of_it.keys()
for key, (calls, total, least, most) in all_of_it.items():
    got = mine[key]
    assert got[0] == calls, (key, got, calls)
    # Ends of the host's calls are rounded; those of devices are exact.
    room = calls if key[0] in ("cuda_launch", "cpu_op", "loop") else 0
    assert abs(got[1] - total) <= room, (key, got)
    assert abs(got[2] - least) <= bool(room) >= abs(got[3] - most), (key, got)
flows = collections.Counter((event["ph"], event["id"]) for event in part["traceEvents"]
                            if event.get("cat") == "ac2g")
assert all(flows["s", number] == flows["f", number] for _, number in flows), flows



def rows_of(name):
    """Name and calls of the report's kernels, and the total of GPU kernels, which is not rounded."""
    ran = subprocess.run([tool, "report", "--json", name], check=True, capture_output=True,
                         timeout=120)
    return sorted((row["name"], row["calls"],
                   row["total_ns"] if row["name"].startswith("void") else 0)
                  for row in json.loads(ran.stdout)["kernels"])


assert rows_of(path) == rows_of(spool), (rows_of(path), rows_of(spool))
assert sum(row[1] for row in rows_of(path) if row[0].startswith("void saxpy<float>")) == 300
