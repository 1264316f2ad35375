"""The Jacobian of a small vector field with torch.func.jacrev, batched with vmap."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch.func import jacrev, vmap


def field(position, weight, bias):
    return torch.sin(weight @ position + bias) + 0.5 * position**2


def divergence_and_jacobian(positions, weight, bias):
    jacobians = vmap(jacrev(field), in_dims=(0, None, None))(positions, weight, bias)
    divergence = jacobians.diagonal(dim1=-2, dim2=-1).sum(dim=-1)
    return divergence, jacobians


def make():
    torch.manual_seed(0)
    compiled = torch.compile(divergence_and_jacobian)
    positions = torch.randn(128, 12)
    weight = torch.randn(12, 12)
    bias = torch.randn(12)

    def step():
        return compiled(positions, weight, bias)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
