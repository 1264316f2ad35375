"""compare.py FOLDER: the attribution of functions and modules, compiled before or not."""
import contextlib
import io
import json
import sys

import seamscope.torch
import torch
from chain import A, B, W, chain, product_and_chain

out = sys.argv[1]
REPEAT = 12


def check(report, repeat):
    """Both times are attributed exactly, step by step."""
    found = report["attribution"]
    for step in found["steps"]:
        for side in ("eager_ns", "compiled_ns"):
            assert sum(part[side] for part in step["parts"]) == step[side] > 0, step
    for side in ("eager_ns", "compiled_ns"):
        assert sum(s[side] for s in found["steps"]) == found["total"][side]
        assert sum(p[side] for p in found["parts"]) == found["total"][side]
    left_out = found["left_out"]
    assert len(found["steps"]) + left_out["warm_up"]["steps"] == repeat, left_out
    assert left_out["compiling"]["steps"] == left_out["unpaired"] == 0, left_out
    assert not found["unplaced"], found["unplaced"]
    return {part["name"]: part for part in found["parts"]}


def eager_ops(report):
    """In one step: names of eager operators and their number, over all calls."""
    found, count = report["attribution"], {}
    for call in found["calls"]:
        for op in call["eager_ops"]:
            count[op["name"]] = count.get(op["name"], 0) + op["calls"] / len(found["steps"])
    return count


printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    report = seamscope.torch.compare(product_and_chain, A, B, W, repeat=REPEAT, out=out)
parts = check(report, REPEAT)
for name in ("gemm", "memory_bound", "overhead"):
    for side in ("eager_ns", "compiled_ns"):
        assert parts[name][side] > 0, parts
assert parts["unattributed"]["eager_ns"] == 0, parts
once = {f"aten::{name}": 1 for name in ("matmul", "mul", "add", "relu", "sub")}
assert eager_ops(report) == once, eager_ops(report)
kernel = next(k for k in report["kernels"] if k["name"].startswith("cpp_fused"))
assert kernel["calls"] == REPEAT and kernel["eager_ns"] > 0, kernel
assert [p["code"] for p in kernel["python"]] == ["return torch.relu((a @ w) * b + 1) - a"], kernel
assert "[step]" in printed.getvalue() and "memory-bound (fused)" in printed.getvalue()
results = report.pop("results")  # the folder has the rest
assert results["tensors"] == 1 and results["close"] and results["repeatable"] and not results["unlike"], results
assert 0 <= results["max_abs"] < 1e-2 and "results: 1 tensor compared" in printed.getvalue(), printed.getvalue()
compiled = torch.compile(product_and_chain)
torch.testing.assert_close(compiled(A, B, W), product_and_chain(A, B, W))

# Compiled before by torch.compile; quiet; no folder; a keyword; fewer steps than one turn.
printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    again = seamscope.torch.compare(compiled, A, B, w=W, repeat=3, quiet=True)
check(again, 3)
assert not printed.getvalue()

# A module.
model = torch.nn.Sequential(torch.nn.Linear(512, 512), torch.nn.GELU(), torch.nn.LayerNorm(512))
with torch.no_grad():
    parts = check(seamscope.torch.compare(model, A, repeat=6, quiet=True), 6)
    assert parts["gemm"]["compiled_ns"] > 0 and parts["memory_bound"]["compiled_ns"] > 0, parts


# Where results differ: the place, the size, and places that differ in another way.
def differs(x):
    y = torch.relu(x) + 1
    if torch.compiler.is_compiling():
        y[1, 2] = y[1, 2] + 0.5
        return {"a": x * 2, "b": (y, x.sum(0))}
    return {"a": x * 2, "b": (y, x.sum())}


printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    results = seamscope.torch.compare(differs, torch.full((4, 4), -1.0), repeat=2)["results"]
assert results["tensors"] == 2 and results["max_abs"] == results["max_rel"] == 0.5, results
assert results["at"] == "result['b'][0][1, 2]" and results["unlike"] == ["result['b'][1]"], results
assert not results["close"] and results["repeatable"], results
assert "largest difference 0.5 at result['b'][0][1, 2]" in printed.getvalue(), printed.getvalue()

# Both sides are unchanged: functions are compiled again afterwards, and nothing is recorded.
explained = torch._dynamo.utils.counters["stats"]["unique_graphs"]
torch.compile(lambda x: torch.cos(x) + 3)(A)
assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == explained + 1
try:
    seamscope.torch.compare(torch._dynamo.disable(chain), A, B, repeat=2, out=out + "-none")
except seamscope.Error as error:
    print(error)
for numbers in dict(repeat=0), dict(warmup=0):
    try:
        seamscope.torch.compare(chain, A, B, **numbers)
    except ValueError as error:
        print(error)
json.dump(report, open(out + ".json", "w"))
print("to the ns")
