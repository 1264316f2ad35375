"""A two-layer perceptron compiled in the mode max-autotune-no-cudagraphs."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn


def make():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(256, 512), nn.GELU(), nn.Linear(512, 64)).eval()
    compiled = torch.compile(model, mode="max-autotune-no-cudagraphs")
    x = torch.randn(128, 256)

    def step():
        with torch.no_grad():
            return compiled(x)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
