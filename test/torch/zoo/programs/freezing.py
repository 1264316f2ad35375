"""Convolutions with batch norm folded into them by Inductor's freezing."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
import torch._inductor.config
from torch import nn


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(16)
        self.conv2 = nn.Conv2d(16, 32, 3, stride=2, padding=1)
        self.bn2 = nn.BatchNorm2d(32)
        self.conv3 = nn.Conv2d(32, 32, 3, padding=1)
        self.bn3 = nn.BatchNorm2d(32)
        self.head = nn.Linear(32, 10)

    def forward(self, x):
        x = torch.relu(self.bn1(self.conv1(x)))
        x = torch.relu(self.bn2(self.conv2(x)))
        x = x + torch.relu(self.bn3(self.conv3(x)))
        return self.head(x.mean(dim=(2, 3)))


def make():
    torch.manual_seed(0)
    torch._inductor.config.freezing = True
    model = ConvNet().eval()
    # Statistics as after some training, so that folding changes the weights.
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.1)
            module.running_var.uniform_(0.5, 1.5)
    compiled = torch.compile(model)
    images = torch.randn(4, 3, 32, 32)

    def step():
        with torch.no_grad():
            return compiled(images)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
