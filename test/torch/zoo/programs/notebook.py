"""Code run as a notebook cell runs: executed from a string that linecache knows."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import linecache

import torch

CELL_NAME = "<ipython-input-1-abc>"

CELL = '''\
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(100, 200)
        self.fc2 = nn.Linear(200, 10)

    def forward(self, x):
        x = torch.relu(self.fc1(x))
        x = x - x.mean(dim=-1, keepdim=True)
        return self.fc2(x).softmax(dim=-1)


model = Model().eval()
compiled = torch.compile(model)
x = torch.randn(128, 100)
'''


def run_cell(source, name):
    """Execute a cell in its own namespace; the source stays known for tracebacks."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    namespace = {"__name__": "__notebook__"}
    exec(compile(source, name, "exec"), namespace)
    return namespace


def make():
    torch.manual_seed(0)
    namespace = run_cell(CELL, CELL_NAME)
    compiled, x = namespace["compiled"], namespace["x"]

    def step():
        with torch.no_grad():
            return compiled(x)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
