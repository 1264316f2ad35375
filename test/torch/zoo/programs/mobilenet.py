"""A small MobileNet with inverted residuals and depthwise convolutions, inference."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn


class InvertedResidual(nn.Module):
    """Expand with 1x1, filter each channel with 3x3, project with 1x1."""

    def __init__(self, in_channels, out_channels, stride, expand):
        super().__init__()
        hidden = in_channels * expand
        self.use_shortcut = stride == 1 and in_channels == out_channels
        self.layers = nn.Sequential(
            nn.Conv2d(in_channels, hidden, 1, bias=False),
            nn.BatchNorm2d(hidden),
            nn.ReLU6(),
            nn.Conv2d(hidden, hidden, 3, stride, 1, groups=hidden, bias=False),
            nn.BatchNorm2d(hidden),
            nn.ReLU6(),
            nn.Conv2d(hidden, out_channels, 1, bias=False),
            nn.BatchNorm2d(out_channels),
        )

    def forward(self, x):
        y = self.layers(x)
        return x + y if self.use_shortcut else y


def make():
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Conv2d(3, 16, 3, 2, 1, bias=False),
        nn.BatchNorm2d(16),
        nn.Hardswish(),
        InvertedResidual(16, 16, stride=1, expand=2),
        InvertedResidual(16, 24, stride=2, expand=4),
        InvertedResidual(24, 24, stride=1, expand=4),
        InvertedResidual(24, 40, stride=2, expand=4),
        InvertedResidual(40, 40, stride=1, expand=4),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(40, 10),
    ).eval()
    compiled = torch.compile(model)
    images = torch.randn(4, 3, 64, 64)

    @torch.no_grad()
    def step():
        return compiled(images)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
