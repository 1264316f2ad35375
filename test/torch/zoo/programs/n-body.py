"""Pairwise gravitational forces and one leapfrog step."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch


def accelerations(positions, masses, softening):
    """Acceleration of every body by all the others, with softened distances."""
    offsets = positions[None, :, :] - positions[:, None, :]
    squared = (offsets * offsets).sum(dim=-1) + softening**2
    weights = masses[None, :] * squared.rsqrt() ** 3
    return (offsets * weights[..., None]).sum(dim=1)


@torch.compile
def leapfrog(positions, velocities, masses, dt, softening=0.1):
    velocities = velocities + 0.5 * dt * accelerations(positions, masses, softening)
    positions = positions + dt * velocities
    velocities = velocities + 0.5 * dt * accelerations(positions, masses, softening)
    energy = 0.5 * (masses * velocities.square().sum(dim=-1)).sum()
    return positions, velocities, energy


def make():
    torch.manual_seed(0)
    positions = torch.randn(512, 3)
    velocities = 0.1 * torch.randn(512, 3)
    masses = torch.rand(512) / 512

    def step():
        nonlocal positions, velocities
        positions, velocities, energy = leapfrog(positions, velocities, masses, 0.01)
        return positions, velocities, energy

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
