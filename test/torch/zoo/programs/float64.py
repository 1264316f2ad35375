"""Ridge regression in double precision by conjugate gradients."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch


def conjugate_gradients(a, b, iterations=8):
    """Solve a x = b for a symmetric positive definite matrix, from x = 0."""
    x = torch.zeros_like(b)
    residual = b.clone()
    direction = residual.clone()
    rho = residual @ residual
    for _ in range(iterations):
        product = a @ direction
        alpha = rho / (direction @ product)
        x = x + alpha * direction
        residual = residual - alpha * product
        rho_next = residual @ residual
        direction = residual + (rho_next / rho) * direction
        rho = rho_next
    return x, rho.sqrt()


def ridge(features, targets, penalty):
    identity = torch.eye(features.shape[1], dtype=features.dtype)
    gram = features.T @ features + penalty * identity
    return conjugate_gradients(gram, features.T @ targets)


def make():
    torch.manual_seed(0)
    compiled = torch.compile(ridge)
    features = torch.randn(512, 96, dtype=torch.float64)
    targets = torch.randn(512, dtype=torch.float64)
    penalty = torch.tensor(10.0, dtype=torch.float64)

    def step():
        return compiled(features, targets, penalty)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
