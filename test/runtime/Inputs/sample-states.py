"""Prints the state of the samples of NAME.json, for each NAME."""

import json
import sys

for name in sys.argv[1:]:
    with open(f"{name}.json") as file:
        trace = json.load(file)
    (entry,) = trace["seamscope_samples"]
    details = [entry["state"]]
    if entry["state"] == "refused":
        details.append(entry["why"])
    elif entry["state"] == "on":
        details.append(f"asked {entry['asked_rate']}")
        assert entry["rate"] == (entry["asked_rate"] or entry["rate"]) and 50 <= entry["rate"] <= 2000, entry
    print(f"{name}: {', '.join(details)}, {sum(e['ph'] == 'X' for e in trace['traceEvents'])} calls")
