"""Operators that Inductor leaves to ATen, between some that it fuses.

fallbacks.py                        runs them
fallbacks.py --check REPORT.json    compares what is reported of the run with what it does
"""

import json
import sys

ROWS, COLUMNS = 4000, 32


def check(report):
    calls = json.load(open(report))["attribution"]["calls"]
    found = {}
    for call in calls:
        ops = {op["name"].removeprefix("aten::") for op in call["eager_ops"]}
        found.setdefault(call["kernel"], set()).update(ops)
        assert call["falls_back"] == ("aten." in call["kernel"]), call
        assert call["eager_ns"] == sum(op["total_ns"] for op in call["eager_ops"]), call
        assert call["group"] is None, call
    libraries = {name: ops for name, ops in found.items() if "aten." in name}
    assert libraries == {
        "aten.scatter_reduce_.two": {"scatter_add"},
        "torch.ops.aten.bernoulli_.float": {"bernoulli_"},
        "torch.ops.aten.sort.stable": {"sort"},
        "torch.ops.aten._unique2.default": {"_unique2"},
    }, libraries
    fused = set().union(*(ops for name, ops in found.items() if name not in libraries))
    assert {"zeros", "relu", "sigmoid"} <= fused and not fused & set().union(*libraries.values()), found
    print("every operator is its call's")


if sys.argv[1:2] == ["--check"]:
    check(sys.argv[2])
    sys.exit()

import torch

torch._dynamo.config.capture_dynamic_output_shape_ops = True


def step(x, index):
    sums = torch.zeros(50, COLUMNS).scatter_add(0, index.unsqueeze(1).expand(-1, COLUMNS), torch.relu(x))
    noise = torch.sigmoid(sums)
    noise.bernoulli_(0.3)
    return torch.sort(sums * 2, dim=0)[0] + noise, torch.unique(index * 2) + 1


compiled = torch.compile(step)
x, index = torch.randn(ROWS, COLUMNS), torch.randint(0, 50, (ROWS,))
for _ in range(12):
    compiled(x, index)
