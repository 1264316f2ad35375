"""Forward, backward and the SGD update inside one compiled function."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.nn import functional as F


class Perceptron(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(128, 128)
        self.out = nn.Linear(128, 10)

    def forward(self, x):
        return self.out(F.gelu(self.hidden(x)))


def make():
    torch.manual_seed(0)
    model = Perceptron()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.randn(64, 128)
    labels = torch.randint(0, 10, (64,))

    @torch.compile
    def train(batch, targets):
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(batch), targets)
        loss.backward()
        optimizer.step()
        return loss.detach()

    def step():
        return train(x, labels)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
