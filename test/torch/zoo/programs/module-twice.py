"""The same compiled module called twice in one step, as in a siamese network."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.nn import functional as F


class Tower(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(96, 128)
        self.norm = nn.LayerNorm(128)
        self.out = nn.Linear(128, 32)

    def forward(self, x):
        return F.normalize(self.out(F.gelu(self.norm(self.hidden(x)))), dim=-1)


def make():
    torch.manual_seed(0)
    tower = torch.compile(Tower().eval())
    left, right = torch.randn(64, 96), torch.randn(64, 96)

    def step():
        with torch.no_grad():
            return tower(left) @ tower(right).T

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
