"""A training step whose Adam update is compiled on its own."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.nn import functional as F


# Of two functions one has products; how many of its steps are compared decides on their share.
EXPECT = {"parts": ()}


def make():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 8))
    optimizer = torch.optim.Adam(model.parameters(), lr=torch.tensor(1e-3))
    compiled = torch.compile(model)
    x = torch.randn(64, 64)
    y = torch.randn(64, 8)

    @torch.compile(fullgraph=False)
    def update():
        optimizer.step()

    def step():
        loss = F.mse_loss(compiled(x), y)
        loss.backward()
        update()
        optimizer.zero_grad(set_to_none=False)
        return loss.detach()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
