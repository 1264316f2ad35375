"""A cond, of which the second branch runs, and a while_loop that runs three times.

branches.py                        runs them
branches.py --check REPORT.json    compares what is reported of the run with what they do
"""

import json
import sys

TURNS = 3


def check(report):
    attribution = json.load(open(report))["attribution"]
    steps = len(attribution["steps"])
    assert steps > 3, attribution
    found = {}
    for call in attribution["calls"]:
        for op in call["eager_ops"]:
            found.setdefault(op["name"].removeprefix("aten::"), []).append((call["kernel"], op["calls"] / steps))
    assert "tanh" not in found, found
    (linear,) = found["linear"]
    assert linear == ("extern_kernels.addmm", 1), linear
    (sigmoid,) = found["sigmoid"]
    assert "sigmoid" in sigmoid[0] and sigmoid[1] == 1, sigmoid
    (sine,) = found["sin"]
    assert "sin" in sine[0] and sine[1] == TURNS, sine
    of_turn = next(call for call in attribution["calls"] if call["kernel"] == sine[0])
    assert of_turn["calls"] == TURNS * steps, of_turn
    unplaced = {op["name"] for op in attribution["unplaced"]}
    assert not unplaced & {"aten::linear", "aten::sigmoid", "aten::sin", "aten::mul", "aten::sub"}, unplaced
    print("every branch has its operators")


if sys.argv[1:2] == ["--check"]:
    check(sys.argv[2])
    sys.exit()

import torch

weight, bias = torch.randn(64, 64), torch.randn(64)


def first(x):
    return torch.tanh(torch.nn.functional.linear(x, weight, bias)) * 2


def second(x):
    return torch.sigmoid(torch.nn.functional.linear(x, weight, bias)) - 1


def step(x):
    y = torch.cond(x.sum() > 0, first, second, (x,))
    begin = (torch.tensor(0), torch.zeros_like(y))
    return torch._higher_order_ops.while_loop(
        lambda i, z: i < TURNS, lambda i, z: (i + 1, torch.sin(z) * 1.01 + y), begin)[1]


compiled, x = torch.compile(step), -torch.rand(128, 64)
with torch.no_grad():
    for _ in range(12):
        compiled(x)
