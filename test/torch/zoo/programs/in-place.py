"""In-place updates of a buffer, of an input and of a slice."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn


class RunningStatistics(nn.Module):
    def __init__(self, dim=256):
        super().__init__()
        self.register_buffer("count", torch.zeros(()))
        self.register_buffer("mean", torch.zeros(dim))
        self.register_buffer("peak", torch.full((dim,), -1e30))

    def forward(self, x, scratch):
        self.count += 1
        self.mean += (x.mean(dim=0) - self.mean) / self.count
        torch.maximum(self.peak, x.amax(dim=0), out=self.peak)
        scratch.mul_(0.5).add_(x)
        scratch[:, :16].zero_()
        return (x - self.mean) * torch.sigmoid(scratch)


def make():
    torch.manual_seed(0)
    model = RunningStatistics()
    compiled = torch.compile(model)
    x = torch.randn(512, 256)
    scratch = torch.zeros(512, 256)

    def step():
        y = compiled(x, scratch)
        return y, scratch.clone(), model.mean.clone(), model.peak.clone()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
