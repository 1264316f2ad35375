"""Compares the threads of a report with what they measured themselves: teams.py CLOCKS REPORT"""
import json
import sys

clocks = {}
for line in open(sys.argv[1]):
    region, team, thread, ns = line.split()
    clocks.setdefault(region, {})[int(team), int(thread)] = int(ns)

for kernel in sorted(json.load(open(sys.argv[2]))["kernels"], key=lambda kernel: kernel["name"]):
    name = kernel["name"].split("(")[0]
    for region in kernel.get("regions", []):
        if name == "nested" and len(region["threads"]) == 2:
            continue  # the outer one
        threads = {(share.get("team", -1), share["thread"]): share["busy_ns"] + share["wait_ns"] + share["preempted_ns"]
                   for share in region["threads"]}
        assert threads.keys() == clocks[name].keys(), (name, threads, clocks[name])
        for thread, ns in threads.items():
            # The clocks of both may differ by some ppm.
            assert 1.001 * ns >= clocks[name][thread], (name, thread, ns, clocks[name][thread])
        assert region["fork"]["calls"] == len(threads) or name == "nested", region
        assert region["imbalance"] is not None, region
        print(f"{name}:", *(f"{team}.{thread}" if team >= 0 else thread for team, thread in sorted(threads)))
