"""Calls a compiled function often enough that the step log grows."""

import torch


@torch.compile
def f(x):
    return torch.sin(x) + 1


x = torch.ones(8, requires_grad=True)
total = 0.0
for _ in range(9000):
    total += float(f(x)[0].detach())
f(x).sum().backward()
print("sum", round(total, 3), round(float(x.grad[0]), 3))
raise SystemExit(4)
