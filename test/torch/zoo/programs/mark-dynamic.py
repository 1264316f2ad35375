"""A sequence model whose length dimension is marked dynamic, over varying lengths."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

import torch
from torch import nn

EXPECT = {"graphs": 1, "recompiles": False}


class Pooler(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.project = nn.Linear(dim, dim)
        self.score = nn.Linear(dim, 1)

    def forward(self, x):
        hidden = torch.tanh(self.project(x))
        weights = torch.softmax(self.score(hidden), dim=1)
        return (weights * hidden).sum(dim=1)


def make():
    torch.manual_seed(0)
    model = torch.compile(Pooler().eval())
    sequences = [torch.randn(8, length, 64) for length in (40, 64, 52)]
    for sequence in sequences:
        torch._dynamo.mark_dynamic(sequence, 1, min=2, max=512)
    inputs = itertools.cycle(sequences)

    def step():
        with torch.no_grad():
            return model(next(inputs))

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
