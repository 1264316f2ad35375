"""compare-parts.py REPORT.json FOLDER: the parts of an attribution beside torch.profiler's figures.

The profiler watched the last calls of both runs; its traces are FOLDER/eager.json and
FOLDER/compiled.json. Its outermost operators in these calls, summed by name alone, must be the parts
of the same steps within 5 %. Views belong to what they are for, which a name does not tell: their
own time, which is little, may be in any part.
"""
import json
import sys

report = json.load(open(sys.argv[1]))
found = report["attribution"]
PROFILED = 16


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
    "view", "reshape", "permute", "transpose", "t", "expand", "squeeze", "unsqueeze", "slice", "select",
    "split", "chunk", "flatten", "contiguous", "as_strided")}


def parts_of(path):
    events = [e for e in json.load(open(path))["traceEvents"]
              if e.get("ph") == "X" and e.get("cat") in ("cpu_op", "user_annotation")]
    calls = sorted((e for e in events if e["name"] == "call of the model"), key=lambda e: e["ts"])
    assert len(calls) == PROFILED, len(calls)
    work = sorted((e for e in events if e["name"].startswith("cpp_fused") or "::" in e["name"]),
                  key=lambda e: (e["ts"], -e["dur"]))
    sums = {"gemm": 0.0, "attention": 0.0, "memory_bound": 0.0}
    views = 0.0
    for call in calls:
        covered = call["ts"]
        for e in work:
            if e["tid"] != call["tid"] or e["ts"] < covered or \
                    e["ts"] + e["dur"] > call["ts"] + call["dur"]:
                continue
            covered = e["ts"] + e["dur"]
            if e["name"] in VIEWS:
                views += 1000 * e["dur"]
            else:
                sums[PARTS.get(e["name"], "memory_bound")] += 1000 * e["dur"]
    return sums, views, 1000 * sum(call["dur"] for call in calls)


for side in ("eager", "compiled"):
    theirs, views, whole = parts_of(f"{sys.argv[2]}/{side}.json")
    assert views < 0.02 * whole, (views, whole)
    for name, ns in theirs.items():
        ours = sum(part[f"{side}_ns"] for step in steps for part in step["parts"]
                   if part["name"] == name)
        print(f"{side} {name}: {ours / 1e6:.3f} ms here, {ns / 1e6:.3f} ms by torch.profiler and at "
              f"most {views / 1e6:.3f} ms of views")
        assert ns > 0 and 0.95 * ns <= ours <= 1.05 * ns + views, (side, name)
    ours = sum(step[f"{side}_ns"] for step in steps)
    assert abs(ours - whole) <= 0.05 * whole, (side, ours, whole)

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
