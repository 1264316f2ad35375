"""check-work.py FOLDER OUTPUT [--exact] [REPORT.json]: compares the counted work of each launch in FOLDER/trace.json with what its
kernel executes, by formula. OUTPUT has the launches that the program (Inputs/work.cu) printed. --exact: there are
no bounds. REPORT.json: a report of the trace, which has the sums.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import sys

folder, output, *options = sys.argv[1:]
exact = "--exact" in options
with open(folder + "/trace.json", encoding="utf-8") as file:
    trace = json.load(file)
with open(output, encoding="utf-8") as file:
    launches = [line.split() for line in file if len(line.split()) == 4]
FLOP = {"add": 1, "mul": 1, "neg": 1, "fma": 2, "mma": 2, "div": 1, "sqrt": 1, "rem": 1, "estimate": 1}
COUNTS = {each["id"]: each["counts"] for each in trace["seamscope"]["work"] if "id" in each}
X = [i % 7 / 8 for i in range(4096)]


def executed(kernel, blocks, threads, n):
    """FLOPs by type, bytes and values of functions, of one launch."""
    sums = collections.Counter()

    def add(times=1, **counts):
        for key, count in counts.items():
            sums[key] += times * count

    for block in range(blocks):
        for t in range(threads):
            i = block * threads + t
            if kernel == "axpy" and i < n:
                add(f32=2, read=8, write=4)
            elif kernel == "uneven":
                add(i % (n + 1), f32=1, read=4)
                add(write=4)
            elif kernel == "search":
                found = next((k for k in range(i, i + n) if X[k] == 0.75), None)
                turns = n if found is None else found - i
                add(turns, f32=2, read=8)
                add(**({"write": 4} if found is None else {"read": 4}))
            elif kernel == "some":
                add(n, read=4)
                add(sum(x > 0.5 for x in X[:n]), f32=1, read=4, write=4)
            elif kernel == "nest":
                add(n, read=4, write=4)
                if i % 2:
                    add(sum(r + i % 5 for r in range(n)), f32=1, read=4)
            elif kernel == "tiles" and t < 64:
                add(n, read=8, shared_write=8, shared_read=64, f32=16)
                add(write=4)
            elif kernel == "total":
                add(f32=5, read=4 if i < n else 0, write=4)
                if t % 32 == 0:
                    add(f32=1, read=4, write=4)
            elif kernel == "types":
                add(read=8, write=4)
                add(n, f16=1, f64=2)
            elif kernel == "tensor":
                add(n, f16=2 * 16 * 16 * 16 // 32)
                add(read=2 * 512 // 32 + 8, write=1024 // 32 + 4, f32=0, f64=2, exp2f=1)
    if kernel == "grow":
        add(threads, read=4)
        add(threads * n, f32=1, read=4, write=4)
        add(write=4)
    return {key: count for key, count in sums.items() if count}


def counted(work):
    """The same from a trace: the least and the most."""
    of = json.loads(COUNTS[work["counts"]])
    least, most = collections.Counter(), collections.Counter()
    for each in of["classes"]:
        runs, rest = divmod(work["words"][each["word"]], each.get("unit", 1))
        assert not rest and not (each.get("unknown") and runs), each
        for _, _, counts in each["lines"]:
            for key, count in counts.items():
                kind, _, what = key.partition(".")
                if kind == "call":
                    kind, count = what, count
                elif what:
                    count *= 0 if kind.startswith("i") else FLOP.get(what, 0)
                most[kind] += runs * count
                least[kind] += 0 if each.get("at_most") else runs * count
    return {k: v for k, v in least.items() if v}, {k: v for k, v in most.items() if v}


problems = []
events = sorted((e for e in trace["traceEvents"] if e.get("cat") == "kernel"), key=lambda e: (e["args"].get("correlation", 0), e["ts"]))
if len(events) != len(launches):
    problems.append(f"{len(events)} kernels, but {len(launches)} launches")
for event, (kernel, *numbers) in zip(events, launches):
    wanted = executed(kernel, *map(int, numbers))
    work = event["args"].get("work", {})
    if not wanted and event["name"] == kernel and not work:
        continue  # it has nothing to count
    if event["name"] != kernel or "words" not in work:
        problems.append(f"{kernel} {numbers}: {event['name']} {work}")
        continue
    least, most = counted(work)
    has_bounds = kernel in ("some", "search") and not exact
    holds = (all(least.get(k, 0) <= wanted.get(k, 0) <= most.get(k, 0) for k in {*most, *wanted}) if has_bounds
             else least == most == wanted)
    if not holds:
        problems.append(f"{kernel} {numbers}: counted {least} to {most}, executed {wanted}")
if options and options[-1] != "--exact":
    with open(options[-1], encoding="utf-8") as file:
        rows = {row["name"]: row for row in json.load(file)["kernels"]}
    sums = collections.defaultdict(collections.Counter)
    for kernel, *numbers in launches:
        sums[kernel].update(executed(kernel, *map(int, numbers)))
    for kernel, wanted in sums.items():
        row = rows[kernel]
        flop = sum(wanted[kind] for kind in ("f16", "f32", "f64"))
        moved = wanted["read"] + wanted["write"]
        operations = {each["operation"]: each["count"] for each in row.get("work", {}).get("operations", [])}
        if kernel == "nothing":
            holds = row["flop"] is None and row["flop_source"] is None and "work" not in row
        else:
            holds = (row["flop"], row["bytes"]) == (flop, moved) and (
                row["flop_source"] == row["bytes_source"] == row["work"]["source"] == "counted") and (
                row["work"]["flop"], row["work"]["bytes_read"]) == (flop, wanted["read"]) and (
                row["dram_peak_share"] is None and operations.get("shared_read", 0) == wanted["shared_read"])
        if not holds:
            problems.append(f"report: {kernel}: {row}, executed {wanted}")
print("\n".join(problems[:20]) or f"the work of {len(launches)} launches is what they executed")
sys.exit(bool(problems))
