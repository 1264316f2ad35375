"""torch.func.vmap over a function with a matrix product per example."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch.func import vmap


def mahalanobis(x, mean, factor):
    """Distance of one point to one Gaussian given the factor of its precision."""
    difference = factor @ (x - mean)
    return torch.sqrt((difference * difference).sum() + 1e-6)


def make():
    torch.manual_seed(0)
    # The inner vmap goes over the Gaussians, the outer one over the points.
    distances = vmap(vmap(mahalanobis, in_dims=(None, 0, 0)), in_dims=(0, None, None))
    compiled = torch.compile(distances)
    points = torch.randn(256, 16)
    means = torch.randn(12, 16)
    factors = torch.randn(12, 16, 16) * 0.2

    def step():
        return compiled(points, means, factors)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
