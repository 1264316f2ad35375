"""Two ConvNeXt blocks with layer norm over channels and a layer scale, inference."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.nn import functional as F


class ConvNextBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.depthwise = nn.Conv2d(dim, dim, 7, padding=3, groups=dim)
        self.norm = nn.LayerNorm(dim, eps=1e-6)
        self.expand = nn.Linear(dim, 4 * dim)
        self.project = nn.Linear(4 * dim, dim)
        self.scale = nn.Parameter(torch.full((dim,), 0.1))

    def forward(self, x):
        y = self.depthwise(x).permute(0, 2, 3, 1)
        y = self.project(F.gelu(self.expand(self.norm(y))))
        return x + (self.scale * y).permute(0, 3, 1, 2)


def make():
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Conv2d(3, 48, 4, stride=4),
        ConvNextBlock(48),
        ConvNextBlock(48),
    ).eval()
    compiled = torch.compile(model)
    images = torch.randn(4, 3, 64, 64)

    def step():
        with torch.inference_mode():
            return compiled(images)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
