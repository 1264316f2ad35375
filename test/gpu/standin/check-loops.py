"""check-loops.py FOLDER SOURCE KERNEL: compares the loops of KERNEL in FOLDER/trace.json with the clocks that its
threads read at the loops' borders (FOLDER/log.json), exactly. A loop of SOURCE is identified by the comment at
the end of its line.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import os
import sys

folder, source, kernel = sys.argv[1:]
with open(os.path.join(folder, "trace.json"), encoding="utf-8") as file:
    trace = json.load(file)
with open(os.path.join(folder, "log.json"), encoding="utf-8") as file:
    log = [activity for activity in json.load(file)["activities"] if not activity["tools"]]
with open(source, encoding="utf-8") as file:
    comments = [line.rpartition("// ")[2].strip() for line in file]

# The borders that each thread of a block passes, by thread number.
PASSES = {
    "two": lambda _: ["first"] * 2 + ["second"] * 2,
    "nest": lambda _: ["outer"] + 3 * (["left"] * 2 + ["right"] * 2) + ["outer"],
    "apart": lambda thread: ["uneven"] * 2 + 2 * ["odd" if thread % 2 else "even"],
}
PARENTS = {"left": "outer", "right": "outer"}
problems = []


def expect(found, wanted, what):
    if found != wanted:
        problems.append(f"{what} is {found}, and should be {wanted}")


def loops_of(activity):
    """The number of entries of each loop, and its clocks summed over threads."""
    entries, clocks = collections.Counter(), collections.Counter()
    passed, inside = collections.Counter(), {}
    for block, warp, together, clock in activity["borders"]:
        names = set()
        for thread in (warp * 32 + lane for lane in range(32) if together >> lane & 1):
            name = PASSES[kernel](thread)[passed[block, thread]]
            passed[block, thread] += 1
            if (block, thread, name) in inside:
                clocks[name] += clock - inside.pop((block, thread, name))
            else:
                inside[block, thread, name] = clock
                names.add(name)
        for name in names:
            entries[name] += 1
    assert not inside
    return entries, clocks


launches = sorted((a for a in log if a["kind"] == "kernel"), key=lambda a: a["begin"])
events = sorted((e for e in trace["traceEvents"] if e.get("cat") == "kernel"), key=lambda e: e["ts"])
expect(len(events), len(launches), "the number of launches")
groups = set()
for activity, event in zip(launches, events):
    inside = event["args"]["inside"]
    threads = activity["block"][0]
    sizes = [min(32, threads - 32 * warp) for _, warp, *_ in activity["warps"]]
    expect(inside["loop_warps"], len(sizes), "warps")
    expect(inside["loop_threads"], sum(sizes), "threads")
    of_kernel = sum(size * (warp[6] - warp[5]) for size, warp in zip(sizes, activity["warps"]))
    expect(inside["kernel_clocks"], of_kernel, "the kernel's clocks")
    entries, clocks = loops_of(activity)
    expect(len(inside["loops"]), len(entries), "the number of loops")
    names = [comments[loop["line"] - 1] for loop in inside["loops"]]
    for name, loop in zip(names, inside["loops"]):
        expect(loop["name"], f"{kernel} [loop {os.path.basename(source)}:{loop['line']}]", "a name")
        expect(os.path.realpath(loop["file"]), os.path.realpath(source), "a file")
        expect(loop["entries"], entries[name], f"entries of {name}")
        expect(loop["clocks"], clocks[name], f"clocks of {name}")
        parent = names[loop["parent"] - 1] if "parent" in loop else None
        expect(parent, PARENTS.get(name), f"the loop around {name}")
    outer = sum(loop["clocks"] for loop in inside["loops"] if "parent" not in loop)
    if not 0 < outer <= of_kernel:
        problems.append(f"{outer} clocks in loops of a kernel of {of_kernel}")
    groups.update(together.bit_count() for _, _, together, _ in activity["borders"])

# Otherwise the test would not cover threads that diverge, or that stay together.
if 1 not in groups or max(groups) < 8:
    problems.append(f"threads came in groups of {sorted(groups)}")
for problem in problems[:20]:
    print("FAILED:", problem)
print(f"{kernel}, {len(events)} launches:", "other loops" if problems else "loops as the clocks say")
sys.exit(bool(problems))
