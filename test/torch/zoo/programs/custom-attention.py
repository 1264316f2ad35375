"""Multi-head attention with the softmax written by hand, inference."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim=128, heads=4):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(dim, dim)
        self.key = nn.Linear(dim, dim)
        self.value = nn.Linear(dim, dim)
        self.out = nn.Linear(dim, dim)

    def split(self, x):
        batch, tokens, dim = x.shape
        return x.view(batch, tokens, self.heads, dim // self.heads).transpose(1, 2)

    def forward(self, x, mask):
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(mask, float("-inf"))
        # A numerically safe softmax: subtract the maximum of each row first.
        weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
        weights = weights / weights.sum(dim=-1, keepdim=True)
        y = (weights @ v).transpose(1, 2).flatten(2)
        return self.out(y)


def make():
    torch.manual_seed(0)
    model = torch.compile(Attention().eval())
    x = torch.randn(4, 64, 128)
    mask = torch.ones(64, 64, dtype=torch.bool).triu(1)

    def step():
        with torch.no_grad():
            return model(x, mask)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
