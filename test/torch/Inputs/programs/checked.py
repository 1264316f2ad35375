"""Kernels of several kinds. With the name of an operator, Inductor generates another one in its place."""

import sys

import torch
from torch._inductor.codegen import cpp

FAULTS = {
    "sub": ("sub", lambda a, b: f"{a} + {b}", lambda a, b: f"{a} + {b}"),
    "exp": ("exp", lambda a: f"std::expm1({a})", lambda a: f"{a}.expm1()"),
    "maximum": ("maximum", lambda a, b: f"min_propagate_nan({a}, {b})", lambda a, b: f"at::vec::minimum({a}, {b})"),
}


def elements(x):
    return torch.exp(x * 0.5) - x


def sums(x):
    return torch.maximum(x - 1, x * x).sum(0), torch.softmax(x, -1).mean()


def changed(x, i, values):
    y = x.index_put((i,), values, accumulate=True)
    x.mul_(2).add_(y.sum())
    return y


def drawn(x):
    return torch.nn.functional.dropout(x, 0.3), torch.randn_like(x), torch.randint_like(x, 9)


def small(x):
    return (x.bfloat16() * 3 + 1) % 1.7, x.argmax(-1), torch.where(x.isnan(), 0, x)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.norm = torch.nn.Linear(16, 16), torch.nn.LayerNorm(16)

    def forward(self, x):
        return self.norm(torch.nn.functional.gelu(self.inner(x)) - x)


for fault in sys.argv[1:]:
    name, scalar, vector = FAULTS[fault]
    setattr(cpp.CppOverrides, name, staticmethod(scalar))
    setattr(cpp.CppVecOverrides, name, staticmethod(vector))
torch.manual_seed(0)
x = torch.randn(37, 70)
x[3, 4] = float("nan")
for step in range(3):
    torch.compile(elements)(x)
    torch.compile(sums)(torch.randn(37, 70))
    torch.compile(changed)(torch.randn(37, 70), torch.randint(0, 37, (20,)), torch.randn(20, 70))
    torch.compile(drawn)(x)
    torch.compile(small)(x)
model = torch.compile(Model())
model(torch.randn(8, 16)).square().sum().backward()
dynamic = torch.compile(elements, dynamic=True)
for size in (30, 40):
    dynamic(torch.randn(size, 7))
