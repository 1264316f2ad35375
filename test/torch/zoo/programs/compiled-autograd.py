"""A backward pass captured by compiled autograd."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
import torch._dynamo
from torch import nn


def make():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(64, 128), nn.Tanh(), nn.Linear(128, 16))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    forward = torch.compile(model)
    x = torch.randn(64, 64)
    y = torch.randn(64, 16)

    @torch.compile
    def train(batch, targets):
        loss = (forward(batch) - targets).square().mean()
        loss.backward()
        return loss.detach()

    def step():
        with torch._dynamo.config.patch(compiled_autograd=True):
            loss = train(x, y)
        optimizer.step()
        optimizer.zero_grad()
        return loss

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
