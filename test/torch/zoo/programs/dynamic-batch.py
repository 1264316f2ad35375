"""A classifier compiled with dynamic=True, called with varying batch sizes."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

import torch
from torch import nn

EXPECT = {"graphs": 1, "recompiles": False}

BATCH_SIZES = (16, 48, 32, 24)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(64, 256)
        self.norm = nn.LayerNorm(256)
        self.out = nn.Linear(256, 10)

    def forward(self, x):
        return torch.log_softmax(self.out(torch.relu(self.norm(self.hidden(x)))), dim=-1)


def make():
    torch.manual_seed(0)
    model = torch.compile(Classifier().eval(), dynamic=True)
    batches = itertools.cycle([torch.randn(size, 64) for size in BATCH_SIZES])

    def step():
        with torch.no_grad():
            return model(next(batches))

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
