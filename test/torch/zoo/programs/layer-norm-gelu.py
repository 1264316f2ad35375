"""A residual block with layer norm and GELU, forward and backward."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.nn import functional as F


class ResidualBlock(nn.Module):
    def __init__(self, dim=256):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.gain = nn.Parameter(torch.ones(dim))
        self.shift = nn.Parameter(torch.zeros(dim))

    def forward(self, x, residual):
        hidden = x + residual
        y = F.gelu(self.norm(hidden), approximate="tanh")
        return hidden + y * self.gain + self.shift


def make():
    torch.manual_seed(0)
    block = ResidualBlock()
    compiled = torch.compile(block)
    x = torch.randn(512, 256, requires_grad=True)
    residual = torch.randn(512, 256)

    def step():
        block.zero_grad()
        x.grad = None
        y = compiled(x, residual)
        y.pow(2).mean().backward()
        return y.detach(), x.grad.clone(), block.gain.grad.clone()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
