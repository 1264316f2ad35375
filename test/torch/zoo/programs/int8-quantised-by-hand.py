"""A linear layer in int8 with integer accumulation and float scales."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn


def quantise(x, dim):
    """Symmetric quantisation to int8 with one scale per slice along dim."""
    scale = x.abs().amax(dim=dim, keepdim=True).clamp_min(1e-8) / 127.0
    values = torch.clamp(torch.round(x / scale), -127, 127).to(torch.int8)
    return values, scale


class QuantisedLinear(nn.Module):
    def __init__(self, linear):
        super().__init__()
        weight, scale = quantise(linear.weight.detach(), dim=1)
        self.register_buffer("weight", weight)
        self.register_buffer("scale", scale)
        self.register_buffer("bias", linear.bias.detach().clone())

    def forward(self, x):
        values, x_scale = quantise(x, dim=1)
        accumulated = values.to(torch.int32).unsqueeze(1) * self.weight.to(torch.int32)
        total = accumulated.sum(dim=-1, dtype=torch.int32)
        return total.float() * x_scale * self.scale.T + self.bias


def make():
    torch.manual_seed(0)
    model = nn.Sequential(
        QuantisedLinear(nn.Linear(128, 128)), nn.ReLU(), QuantisedLinear(nn.Linear(128, 32))
    )
    compiled = torch.compile(model)
    x = torch.randn(64, 128)

    def step():
        with torch.no_grad():
            return compiled(x)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
