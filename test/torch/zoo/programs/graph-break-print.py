"""A graph break by a branch on the value of a tensor read with item()."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn

EXPECT = {"breaks": True}


class GatedNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(64, 128)
        self.second = nn.Linear(128, 64)

    def forward(self, x):
        hidden = torch.relu(self.first(x))
        # The value decides the path, so the graph ends here.
        if hidden.mean().item() > 0.1:
            hidden = hidden * 0.5
        else:
            hidden = hidden * 2.0
        return torch.sigmoid(self.second(hidden))


def make():
    torch.manual_seed(0)
    model = torch.compile(GatedNetwork().eval())
    x = torch.randn(128, 64)

    def step():
        with torch.no_grad():
            return model(x)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
