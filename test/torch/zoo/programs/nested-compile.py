"""A compiled function that calls another compiled function."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch


@torch.compile
def rotate(points, angle):
    cos, sin = torch.cos(angle), torch.sin(angle)
    x, y = points[..., 0], points[..., 1]
    return torch.stack([cos * x - sin * y, sin * x + cos * y], dim=-1)


@torch.compile
def spread(points, angles):
    total = torch.zeros_like(points)
    for angle in angles:
        total = total + rotate(points, angle)
    radius = total.norm(dim=-1, keepdim=True)
    return total / (1.0 + radius)


def make():
    torch.manual_seed(0)
    points = torch.randn(4096, 2)
    angles = torch.linspace(0.0, 1.0, 4)

    def step():
        # Both entries are used: the outer function and the inner one by itself.
        return spread(points, angles), rotate(points, angles[1])

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
