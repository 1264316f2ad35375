"""Dropout in training mode with the generator seeded anew before every step."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.nn import functional as F


class NoisyNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(128, 256)
        self.out = nn.Linear(256, 32)

    def forward(self, x):
        x = x + 0.01 * torch.randn_like(x)
        hidden = F.dropout(torch.relu(self.hidden(x)), p=0.3, training=self.training)
        return F.dropout(self.out(hidden), p=0.1, training=self.training)

# Generated kernels draw other random numbers than eager operators.
EXPECT = {"random": True}


def make():
    torch.manual_seed(0)
    model = NoisyNetwork().train()
    compiled = torch.compile(model)
    x = torch.randn(128, 128)

    def step():
        torch.manual_seed(1234)
        model.zero_grad()
        y = compiled(x)
        y.square().mean().backward()
        return y.detach(), model.hidden.weight.grad.clone()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
