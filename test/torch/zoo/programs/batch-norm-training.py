"""Batch normalisation in training mode, with running statistics and gradients."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn


class Normalised(nn.Module):
    def __init__(self, channels=32):
        super().__init__()
        self.bn2d = nn.BatchNorm2d(channels, momentum=0.2)
        self.bn1d = nn.BatchNorm1d(channels)
        self.linear = nn.Linear(channels, channels)

    def forward(self, x):
        x = torch.relu(self.bn2d(x))
        return self.bn1d(self.linear(x.mean(dim=(2, 3))))


def make():
    torch.manual_seed(0)
    model = Normalised().train()
    compiled = torch.compile(model)
    x = torch.randn(16, 32, 16, 16) * 2 + 1

    def step():
        model.zero_grad()
        y = compiled(x)
        loss = (y**3).mean()
        loss.backward()
        return loss.detach(), model.bn2d.running_mean.clone(), model.bn2d.weight.grad.clone()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
