"""A small residual network with basic blocks in four stages, inference."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn


class BasicBlock(nn.Module):
    """Two 3x3 convolutions with a shortcut, projected where the shape changes."""

    def __init__(self, in_channels, channels, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels, channels, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)
        if stride != 1 or in_channels != channels:
            self.shortcut = nn.Sequential(
                nn.Conv2d(in_channels, channels, 1, stride, bias=False),
                nn.BatchNorm2d(channels),
            )
        else:
            self.shortcut = nn.Identity()

    def forward(self, x):
        y = torch.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        return torch.relu(y + self.shortcut(x))


class ResNet(nn.Module):
    def __init__(self, widths=(16, 32, 64, 128), classes=10):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, widths[0], 3, 1, 1, bias=False),
            nn.BatchNorm2d(widths[0]),
            nn.ReLU(),
        )
        stages = []
        previous = widths[0]
        for index, width in enumerate(widths):
            stages.append(BasicBlock(previous, width, stride=1 if index == 0 else 2))
            stages.append(BasicBlock(width, width))
            previous = width
        self.stages = nn.Sequential(*stages)
        self.head = nn.Linear(previous, classes)

    def forward(self, x):
        x = self.stages(self.stem(x))
        return self.head(x.mean(dim=(2, 3)))


def make():
    torch.manual_seed(0)
    model = torch.compile(ResNet().eval())
    images = torch.randn(4, 3, 32, 32)

    def step():
        with torch.no_grad():
            return model(images)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
