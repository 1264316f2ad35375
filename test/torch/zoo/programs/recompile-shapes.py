"""A static function that is recompiled for each of three input shapes."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

import torch

EXPECT = {"graphs": 3, "recompiles": True}


@torch.compile(dynamic=False)
def normalise(x, weight):
    centred = x - x.mean(dim=-1, keepdim=True)
    scaled = centred / (centred.std(dim=-1, keepdim=True) + 1e-5)
    return torch.relu(scaled @ weight).sum(dim=-1)


def make():
    torch.manual_seed(0)
    weight = torch.randn(128, 64)
    inputs = itertools.cycle([torch.randn(size, 128) for size in (64, 96, 160)])

    def step():
        return normalise(next(inputs), weight)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
