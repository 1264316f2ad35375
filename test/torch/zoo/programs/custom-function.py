"""An autograd.Function with its own backward inside a compiled module."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn


class SquaredReLU(torch.autograd.Function):
    """relu(x) ** 2, with the derivative written out."""

    @staticmethod
    def forward(ctx, x):
        positive = torch.clamp_min(x, 0)
        ctx.save_for_backward(positive)
        return positive * positive

    @staticmethod
    def backward(ctx, grad):
        (positive,) = ctx.saved_tensors
        return 2 * positive * grad


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(128, 256)
        self.second = nn.Linear(256, 16)

    def forward(self, x):
        return self.second(SquaredReLU.apply(self.first(x)))


def make():
    torch.manual_seed(0)
    model = Network()
    compiled = torch.compile(model)
    x = torch.randn(64, 128)

    def step():
        model.zero_grad()
        loss = compiled(x).square().mean()
        loss.backward()
        return loss.detach(), model.first.weight.grad.clone()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
