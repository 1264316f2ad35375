"""Convolutions in the channels-last memory format, inference."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.nn import functional as F


class Stem(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 32, 3, stride=2, padding=1)
        self.conv2 = nn.Conv2d(32, 32, 3, padding=1, groups=32)
        self.conv3 = nn.Conv2d(32, 64, 1)
        self.norm = nn.GroupNorm(8, 64)

    def forward(self, x):
        x = F.hardswish(self.conv1(x))
        x = F.hardswish(self.conv2(x))
        x = self.norm(self.conv3(x))
        return F.max_pool2d(x, 2)


def make():
    torch.manual_seed(0)
    model = Stem().eval().to(memory_format=torch.channels_last)
    compiled = torch.compile(model)
    images = torch.randn(4, 3, 64, 64).to(memory_format=torch.channels_last)

    def step():
        with torch.no_grad():
            return compiled(images)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
