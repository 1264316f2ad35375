"""A feed-forward block compiled with the C++ wrapper."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, dim=128):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.up = nn.Linear(dim, 4 * dim)
        self.down = nn.Linear(4 * dim, dim)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x))).square())

# Libraries' calls of the C++ wrapper leave no event: they and what they replaced are unknown.
EXPECT = {"parts": ("attention",), "unknown": ("unknown",)}


def make():
    torch.manual_seed(0)
    model = torch.compile(FeedForward().eval(), options={"cpp_wrapper": True})
    x = torch.randn(128, 128)

    def step():
        with torch.no_grad():
            return model(x)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
