"""A network exported with torch.export, then compiled from the exported program."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn


class Ranker(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.user = nn.Linear(dim, dim)
        self.item = nn.Linear(dim, dim)
        self.norm = nn.LayerNorm(dim)
        self.score = nn.Linear(dim, 1)

    def forward(self, user, item):
        joined = torch.relu(self.user(user)) * torch.sigmoid(self.item(item))
        return self.score(self.norm(joined)).squeeze(-1)


def make():
    torch.manual_seed(0)
    model = Ranker().eval()
    user, item = torch.randn(256, 64), torch.randn(256, 64)
    program = torch.export.export(model, (user, item))
    compiled = torch.compile(program.module())

    def step():
        with torch.no_grad():
            return compiled(user, item)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
