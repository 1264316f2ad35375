"""A network compiled ahead of time with AOTInductor and loaded from its package."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import tempfile

import torch
from torch import nn


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(64, 128), nn.GELU(), nn.LayerNorm(128), nn.Linear(128, 16)
        )

    def forward(self, x):
        return torch.softmax(self.layers(x), dim=-1)


def make():
    torch.manual_seed(0)
    model = Network().eval()
    x = torch.randn(128, 64)
    directory = tempfile.TemporaryDirectory()
    with torch.no_grad():
        program = torch.export.export(model, (x,))
        path = torch._inductor.aoti_compile_and_package(
            program, package_path=os.path.join(directory.name, "network.pt2")
        )
    loaded = torch._inductor.aoti_load_package(path)
    directory.cleanup()  # The loader has unpacked what it needs.

    def step():
        with torch.no_grad():
            return loaded(x)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
