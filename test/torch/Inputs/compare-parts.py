"""compare-parts.py REPORT.json FOLDER: the parts of an attribution beside torch.profiler's figures.

The profiler watched the last calls of both runs; its traces are FOLDER/eager.json and
FOLDER/compiled.json. Its outermost operators in a call, summed by name alone, must be the parts of
the same step within 5 %, in the median of the steps: what interrupts the program between the two
stamps is in one of the two alone. Views belong to what they are for, which a name does not tell:
their own time, which is little, may be in any part. And the profiler stands around our stamps when
it records one of our kernels: what that costs is in its time alone.
"""
import json
import statistics
import sys

report = json.load(open(sys.argv[1]))
found = report["attribution"]
PROFILED = 16
RECORDING_NS = 2000  # of torch.profiler, an event; about 1,000 on a machine at rest


def check_sums(step):
    for side in ("eager_ns", "compiled_ns"):
        assert sum(part[side] for part in step["parts"]) == step[side], step
        assert all(part[side] >= 0 for part in step["parts"]), step


for step in found["steps"]:
    check_sums(step)
check_sums({**found["total"], "parts": found["parts"]})
for side in ("eager_ns", "compiled_ns"):
    assert sum(step[side] for step in found["steps"]) == found["total"][side]

# Warm-up is cut at the front, at most half of the steps: those left end with the profiled ones.
steps = found["steps"][-PROFILED:]
assert len(steps) == PROFILED, len(steps)
(model,) = {step["name"] for step in steps}

PARTS = {"aten::linear": "gemm", "aten::addmm": "gemm", "aten::mm": "gemm",
         "aten::scaled_dot_product_attention": "attention",
         "aten::_scaled_dot_product_flash_attention_for_cpu": "attention"}
VIEWS = {f"aten::{name}" for name in (
    "view", "reshape", "permute", "transpose", "t", "expand", "squeeze", "unsqueeze", "slice",
    "select", "split", "chunk", "flatten", "contiguous", "as_strided")}


def calls_of(path):
    """Of each call of the model: by part time and records of our kernels, time of views, its own
    time; in ns."""
    events = [e for e in json.load(open(path))["traceEvents"]
              if e.get("ph") == "X" and e.get("cat") in ("cpu_op", "user_annotation")]
    calls = sorted((e for e in events if e["name"] == "call of the model"), key=lambda e: e["ts"])
    assert len(calls) == PROFILED, len(calls)
    work = sorted((e for e in events if e["name"].startswith("cpp_fused") or "::" in e["name"]),
                  key=lambda e: (e["ts"], -e["dur"]))
    for call in calls:
        sums = {"gemm": 0.0, "attention": 0.0, "memory_bound": 0.0}
        records = dict.fromkeys(sums, 0)
        views = 0.0
        covered = call["ts"]
        for e in work:
            if e["tid"] != call["tid"] or e["ts"] < call["ts"] or \
                    e["ts"] + e["dur"] > call["ts"] + call["dur"]:
                continue
            if e["name"].startswith("cpp_fused"):
                records["memory_bound"] += 1
            if e["ts"] < covered:
                continue
            covered = e["ts"] + e["dur"]
            if e["name"] in VIEWS:
                views += 1000 * e["dur"]
            else:
                sums[PARTS.get(e["name"], "memory_bound")] += 1000 * e["dur"]
        yield sums, records, views, 1000 * call["dur"]


def part_of(step, name, side):
    (part,) = [part for part in step["parts"] if part["name"] == name]
    return part[f"{side}_ns"]


for side in ("eager", "compiled"):
    theirs = list(calls_of(f"{sys.argv[2]}/{side}.json"))
    for name in ("gemm", "attention", "memory_bound"):
        # Ours over theirs: at least, without what recording cost, and at most, with all the views.
        ours = [part_of(step, name, side) for step in steps]
        same = statistics.median(ns / sums[name] for ns, (sums, _, _, _) in zip(ours, theirs))
        low = statistics.median(ns / (sums[name] - RECORDING_NS * records[name])
                                for ns, (sums, records, _, _) in zip(ours, theirs))
        high = statistics.median(ns / (sums[name] + views)
                                 for ns, (sums, _, views, _) in zip(ours, theirs))
        print(f"{side} {name}: {same:.4f} of torch.profiler's; {low:.4f} without recording, "
              f"{high:.4f} with views")
        assert 0.95 <= low and high <= 1.05, (side, name, low, high)
    views = statistics.median(views / whole for _, _, views, whole in theirs)
    assert views < 0.02, views
    whole = statistics.median(step[f"{side}_ns"] / whole
                              for step, (_, _, _, whole) in zip(steps, theirs))
    assert 0.95 <= whole <= 1.05, (side, whole)

kernels = [k for k in report["kernels"] if k.get("eager_ns")]
assert kernels
assert sum(k["eager_ns"] for k in kernels) == \
    sum(c["eager_ns"] for c in found["calls"] if not c["extern"])
for call in found["calls"]:
    assert sum(op["total_ns"] for op in call["eager_ops"]) == call["eager_ns"], call
assert found["left_out"]["compiling"]["steps"] == 1 and found["compiling_ns"] > 0

# Nothing is left open.
assert not found["unplaced"], found["unplaced"]
unattributed = [part for part in found["parts"] if part["name"] == "unattributed"]
assert unattributed[0]["eager_ns"] == unattributed[0]["compiled_ns"] == 0, unattributed

if model != "Sequential":
    print("as torch.profiler has it")
    sys.exit()

# Each kernel: what it replaced, as the program says. Of one step three blocks.
count = {}
for call in found["calls"]:
    for op in call["eager_ops"]:
        assert op["total_ns"] > 0 and op["calls"] % len(found["steps"]) == 0, op
        key = op["name"], call["extern"]
        count[key] = count.get(key, 0) + op["calls"] // len(found["steps"])
assert count["aten::linear", True] == 24 and ("aten::linear", False) not in count, count
assert count["aten::scaled_dot_product_attention", True] == 3, count
for name, times in {"mul": 9, "add": 18, "relu": 3, "gelu": 3, "layer_norm": 3}.items():
    assert count[f"aten::{name}", False] == times, (name, count)
# What stays inside of kernels is told, and by how many threads they ran.
for kernel in kernels:
    assert kernel["threads"] == 2 and kernel["imbalance"] >= 1, kernel
    assert kernel["bytes_saved"] is None or kernel["bytes_saved"] >= 0, kernel
assert any(kernel["bytes_saved"] for kernel in kernels)
print("as torch.profiler has it")
