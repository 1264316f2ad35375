"""A recurrent cell written by hand and unrolled in a Python loop."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn


class GatedCell(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.gate = nn.Linear(features + hidden, hidden)
        self.candidate = nn.Linear(features + hidden, hidden)

    def forward(self, x, state):
        joined = torch.cat([x, state], dim=-1)
        gate = torch.sigmoid(self.gate(joined))
        return gate * state + (1 - gate) * torch.tanh(self.candidate(joined))


class Unrolled(nn.Module):
    def __init__(self, features=32, hidden=64):
        super().__init__()
        self.hidden = hidden
        self.cell = GatedCell(features, hidden)

    def forward(self, sequence):
        state = sequence.new_zeros(sequence.shape[1], self.hidden)
        outputs = []
        for x in sequence:
            state = self.cell(x, state)
            outputs.append(state)
        return torch.stack(outputs)


def make():
    torch.manual_seed(0)
    model = torch.compile(Unrolled().eval())
    sequence = torch.randn(10, 16, 32)

    def step():
        with torch.no_grad():
            return model(sequence)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
