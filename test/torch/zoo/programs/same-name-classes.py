"""Two classes named Block in different scopes, both part of one compiled model."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn


class ImageBranch(nn.Module):
    class Block(nn.Module):
        def __init__(self, channels):
            super().__init__()
            self.conv = nn.Conv2d(channels, channels, 3, padding=1)

        def forward(self, x):
            return x + torch.relu(self.conv(x))

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3, stride=2, padding=1)
        self.blocks = nn.Sequential(self.Block(16), self.Block(16))

    def forward(self, x):
        return self.blocks(self.stem(x)).mean(dim=(2, 3))


class TableBranch(nn.Module):
    class Block(nn.Module):
        def __init__(self, dim):
            super().__init__()
            self.norm = nn.LayerNorm(dim)
            self.linear = nn.Linear(dim, dim)

        def forward(self, x):
            return x + torch.tanh(self.linear(self.norm(x)))

    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(self.Block(32), self.Block(32))

    def forward(self, x):
        return self.blocks(x)


class TwoBranches(nn.Module):
    def __init__(self):
        super().__init__()
        self.image = ImageBranch()
        self.table = TableBranch()
        self.head = nn.Linear(48, 4)

    def forward(self, image, table):
        return self.head(torch.cat([self.image(image), self.table(table)], dim=-1))


def make():
    torch.manual_seed(0)
    model = torch.compile(TwoBranches().eval())
    image = torch.randn(8, 3, 32, 32)
    table = torch.randn(8, 32)

    def step():
        with torch.no_grad():
            return model(image, table)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
