"""One dense block with a transition layer, inference."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn


class DenseLayer(nn.Module):
    def __init__(self, in_channels, growth):
        super().__init__()
        self.norm1 = nn.BatchNorm2d(in_channels)
        self.conv1 = nn.Conv2d(in_channels, 4 * growth, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(4 * growth)
        self.conv2 = nn.Conv2d(4 * growth, growth, 3, padding=1, bias=False)

    def forward(self, features):
        x = torch.cat(features, dim=1)
        x = self.conv1(torch.relu(self.norm1(x)))
        return self.conv2(torch.relu(self.norm2(x)))


class DenseBlock(nn.Module):
    """Every layer reads the outputs of all the layers before it."""

    def __init__(self, in_channels, growth=12, layers=5):
        super().__init__()
        self.layers = nn.ModuleList(
            DenseLayer(in_channels + index * growth, growth) for index in range(layers)
        )
        out_channels = in_channels + layers * growth
        self.transition = nn.Sequential(
            nn.BatchNorm2d(out_channels),
            nn.ReLU(),
            nn.Conv2d(out_channels, out_channels // 2, 1, bias=False),
            nn.AvgPool2d(2),
        )

    def forward(self, x):
        features = [x]
        for layer in self.layers:
            features.append(layer(features))
        return self.transition(torch.cat(features, dim=1))


def make():
    torch.manual_seed(0)
    model = torch.compile(DenseBlock(24).eval())
    x = torch.randn(4, 24, 32, 32)

    def step():
        with torch.no_grad():
            return model(x)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
