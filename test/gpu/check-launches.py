"""Checks the trace of launches.cu: check-launches.py TRACE SOURCE."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import sys

trace = json.load(open(sys.argv[1]))
source = sys.argv[2]

# Comment after the launch, kernel, its symbol (None: the name), number of launches.
expected = [
    ("saxpy", "ns::saxpy", "_ZN2ns5saxpyEifPKfPf", 1),
    ("wrapped", "scale<float>", "_Z5scaleIfEvPT_S0_", 1),
    ("loop", "scale<int>", "_Z5scaleIiEvPT_S0_", 10),
    ("recursion", "nested", "_Z6nestedi", 6),
    ("thread", "threaded", "_Z8threadedi", 400),
    ("in a kernel", "scale<double>", "_Z5scaleIdEvPT_S0_", 1),
    ("throws", "throwing", "_Z8throwingv", 1),
    ("throws past a destructor", "throwing", "_Z8throwingv", 1),
    ("throws past nothing", "throwing", "_Z8throwingv", 1),
    ("pointer", "cudaLaunchKernel", None, 1),
    ("graph", "cudaGraphLaunch", None, 1),
]


def number_of(comment):
    for number, text in enumerate(open(source), 1):
        if text.rstrip().removesuffix("}").endswith("// " + comment):
            return number
    raise SystemExit(f"no line ends with '// {comment}'")


events = [e for e in trace["traceEvents"] if e.get("cat") == "cuda_launch"]
found = collections.Counter(
    (e["name"], e["args"]["line"], e["args"].get("linkage_name")) for e in events)
wanted = {(name, number_of(comment), symbol): count for comment, name, symbol, count in expected}
assert found == wanted, (
    f"\nfound  {sorted(map(str, found.items()))}\nwanted {sorted(map(str, wanted.items()))}")
for event in events:
    assert event["ph"] == "X" and event["dur"] >= 0, event
    assert event["args"]["kernel"] == event["name"], event
    assert event["args"]["file"].endswith("launches.cu"), event
    assert event["args"]["column"] > 0, event

threads = collections.Counter(e["tid"] for e in events if e["name"] == "threaded")
assert sorted(threads.values()) == [100] * 4, threads


def inside(inner, outer):
    return (inner["tid"] == outer["tid"] and outer["ts"] <= inner["ts"]
            and inner["ts"] + inner["dur"] <= outer["ts"] + outer["dur"])


recursion = sorted((e for e in events if e["name"] == "nested"), key=lambda e: -e["dur"])
for outer, inner in zip(recursion, recursion[1:]):
    assert inside(inner, outer), (inner, outer)

# The host's kernel is unchanged, with the launch in it.
kernels = [e for e in trace["traceEvents"] if e.get("cat") == "cpu_op" and e["name"] == "pipeline"]
assert len(kernels) == 1, kernels
assert inside(next(e for e in events if e["name"] == "scale<double>"), kernels[0])

# No launch counts as left by longjmp, since exceptions end launches.
assert not trace["seamscope"]["abandoned"], trace["seamscope"]["abandoned"]
print(f"{len(events)} launches are what the program made")
