"""Two different Sequentials compiled separately and used one after the other."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn


def make():
    torch.manual_seed(0)
    encoder = nn.Sequential(
        nn.Conv1d(4, 16, 5, padding=2), nn.ReLU(), nn.AdaptiveAvgPool1d(16), nn.Flatten()
    ).eval()
    classifier = nn.Sequential(nn.Linear(256, 128), nn.GELU(), nn.Linear(128, 10)).eval()
    encode = torch.compile(encoder)
    classify = torch.compile(classifier)
    signal = torch.randn(16, 4, 256)

    def step():
        with torch.no_grad():
            code = encode(signal)
            return code, classify(code)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
