"""Permutations, reshapes, concatenation, splits, rolls and padding."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch.nn import functional as F


@torch.compile
def windows(x, size):
    """Shift an image batch and cut it into windows, as windowed attention does."""
    batch, channels, height, width = x.shape
    shifted = torch.roll(x, shifts=(-size // 2, -size // 2), dims=(2, 3))
    padded = F.pad(shifted, (0, -width % size, 0, -height % size))
    tall, wide = padded.shape[2] // size, padded.shape[3] // size
    cut = padded.reshape(batch, channels, tall, size, wide, size)
    tokens = cut.permute(0, 2, 4, 3, 5, 1).reshape(batch * tall * wide, size * size, channels)
    first, second = tokens.split(channels // 2, dim=-1)
    mixed = torch.cat([second.flip(1), first * 2.0], dim=-1)
    return mixed.transpose(1, 2).contiguous(), mixed.unflatten(1, (size, size))[:, 1:, ::2]


def make():
    torch.manual_seed(0)
    x = torch.randn(4, 32, 30, 30)

    def step():
        return windows(x, 8)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
