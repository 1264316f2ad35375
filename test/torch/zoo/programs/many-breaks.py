"""A function with three graph breaks of different kinds."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn

EXPECT = {"breaks": True, "graphs": 4}

history = []


@torch.compiler.disable
def remember(value):
    """Bookkeeping that must not be compiled."""
    history[:] = [value.detach().clone()]


class Pipeline(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(dim, dim) for _ in range(4))

    def forward(self, x):
        x = torch.relu(self.layers[0](x))
        remember(x)
        x = torch.relu(self.layers[1](x)) + 1.0
        torch._dynamo.graph_break()
        x = torch.tanh(self.layers[2](x))
        scale = float(x.abs().max().item() > 0.5)
        return self.layers[3](x) * (1.0 + scale)


def make():
    torch.manual_seed(0)
    model = torch.compile(Pipeline().eval())
    x = torch.randn(128, 64)

    def step():
        with torch.no_grad():
            return model(x)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
