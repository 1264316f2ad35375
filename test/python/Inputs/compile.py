"""compile.py FOLDER [late]: functions compiled in each way, and their report."""
import json
import os
import subprocess
import sys

if sys.argv[2:] == ["late"]:
    import torch
import seamscope.torch
import torch
from chain import A, B, chain


@seamscope.torch.compile
def doubled(x):
    return torch.sigmoid(x) * 2


@seamscope.torch.compile(dynamic=True)
def halved(x):
    return torch.tanh(x) / 2


functions = [(seamscope.torch.compile(chain), (A, B)), (doubled, (A,)), (halved, (A,)),
             (torch.compile(lambda x: torch.exp(x) - 1), (B,))]
plain = [chain(A, B), torch.sigmoid(A) * 2, torch.tanh(A) / 2, torch.exp(B) - 1]
for (function, arguments), expected in zip(functions, plain):
    torch.testing.assert_close(function(*arguments), expected)
with seamscope.torch.trace(sys.argv[1]) as t:
    for function, arguments in functions:
        function(*arguments)
found = {k["name"]: k for k in t.report()["kernels"]}
lines = {"cpp_fused_add_mul_relu_sub_0": "return torch.relu(a * b + 1) - a",
         "cpp_fused_mul_sigmoid_0": "return torch.sigmoid(x) * 2",
         "cpp_fused_div_tanh_0": "return torch.tanh(x) / 2",
         "cpp_fused_exp_sub_0": "(torch.compile(lambda x: torch.exp(x) - 1), (B,))]"}
for name, line in lines.items():
    assert found[name]["calls"] == 1, found[name]
    assert [p["code"] for p in found[name]["python"]] == [line], found[name]
# Calls of compiled functions are marked, even of functions that torch.compile itself returned.
with open(t.traces[0]) as file:
    marks = [e["name"] for e in json.load(file)["traceEvents"]
             if e["name"].startswith("seamscope.compiled ")]
assert len(marks) == 4 and "seamscope.compiled chain" in marks, marks
# The tool decides where the cache is.
tool = seamscope.tool()
environment = {k: v for k, v in os.environ.items() if k not in ("TORCHINDUCTOR_CACHE_DIR", "CXX")}
asked = json.loads(subprocess.run([tool, "run", "--print-environment"], env=environment,
                                  capture_output=True, check=True).stdout)
assert os.environ["CXX"] == asked["CXX"] == str(seamscope.prefix() / "bin" / "seamscope-clang++")
print("compiled:", *sorted(lines))
