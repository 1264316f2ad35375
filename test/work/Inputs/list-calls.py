"""Prints the FLOPs of the calls of each kernel in an augmented trace, and of each thread in a report."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import sys

trace, report = (json.load(open(path)) for path in sys.argv[1:])
flops = {}
for event in trace["traceEvents"]:
    if event.get("ph") == "X" and event["cat"] == "cpu_op":
        flops.setdefault(event["name"], []).append(event["args"].get("kernel_flop"))
for kernel in report["kernels"]:
    name = kernel["name"]
    print(name, "calls:", *flops[name][:7])
    print(name, "threads:", *sorted(thread["flop"] for thread in kernel["work_by_thread"]), "of", kernel["work"]["flop"])
    spread = kernel.get("work_by_call")
    if spread:
        print(name, "spread:", spread["calls"], spread["different"], spread["flop_min"], spread["flop_max"])
