"""A GRU regressor on sequences, trained with RMSprop."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.nn import functional as F

# Dynamo leaves a frame with an nn.GRU to eager mode unless allow_rnn is set.
EXPECT = {"graphs": 0}


class Forecaster(nn.Module):
    def __init__(self, features=8, hidden=64):
        super().__init__()
        self.gru = nn.GRU(features, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, 32), nn.Tanh(), nn.Linear(32, 1))

    def forward(self, x):
        hidden, _ = self.gru(x)
        return self.head(hidden[:, -1]).squeeze(-1)


def make():
    torch.manual_seed(0)
    model = Forecaster()
    compiled = torch.compile(model)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    series = torch.randn(16, 12, 8)
    target = series.sum(dim=(1, 2)) * 0.1

    def step():
        optimizer.zero_grad()
        loss = F.smooth_l1_loss(compiled(series), target)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.detach()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
