"""check-random.py FOLDER ORACLE: compares the counted work of each launch in FOLDER/trace.json with what the oracle of
random-kernels.py printed to ORACLE: equal, or between the bounds.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import sys

folder, oracle = sys.argv[1:]
with open(folder + "/trace.json", encoding="utf-8") as file:
    trace = json.load(file)
with open(oracle, encoding="utf-8") as file:
    launches = [line.split() for line in file]
counts = {each["id"]: json.loads(each["counts"]) for each in trace["seamscope"].get("work", []) if "id" in each}
events = sorted((e for e in trace["traceEvents"] if e.get("cat") == "kernel"),
                key=lambda e: (e["args"].get("correlation", 0), e["ts"]))
assert len(events) == len(launches), (len(events), len(launches))
KEYS = ["read", "write", "shared_write", "f32.add", "f32.div"]
exact = bounded = 0
for event, (kernel, threads, *numbers) in zip(events, launches):
    wanted = dict(zip(KEYS, map(int, numbers)))
    work = event["args"].get("work")
    least, most = collections.Counter(), collections.Counter()
    for each in counts[work["counts"]]["classes"] if work else []:
        runs, rest = divmod(work["words"][each["word"]], each.get("unit", 1))
        assert not rest and "unknown" not in each, each
        for _, _, line in each["lines"]:
            for key, count in line.items():
                most[key] += runs * count
                least[key] += 0 if each.get("at_most") else runs * count
    assert event["name"] == kernel and (not work or work["words"][0] == int(threads)), event
    for key in KEYS:
        assert least[key] <= wanted[key] <= most[key], (kernel, key, least[key], wanted[key], most[key])
        exact += least[key] == most[key]
        bounded += least[key] != most[key]
print(f"{len(launches)} launches: {exact} figures exact, {bounded} within bounds")
