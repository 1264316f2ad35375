"""A language model whose embedding is tied with the output layer, trained."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.nn import functional as F


class TiedModel(nn.Module):
    def __init__(self, vocabulary=500, dim=64):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, dim)
        self.mix = nn.Conv1d(dim, dim, 3)
        self.norm = nn.LayerNorm(dim)
        self.output = nn.Linear(dim, vocabulary, bias=False)
        self.output.weight = self.embedding.weight

    def forward(self, tokens):
        x = self.embedding(tokens)
        # Pad on the left only: a position sees itself and the two before it.
        y = self.mix(F.pad(x.transpose(1, 2), (2, 0))).transpose(1, 2)
        return self.output(self.norm(x + torch.relu(y)))


def make():
    torch.manual_seed(0)
    model = TiedModel()
    compiled = torch.compile(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    tokens = torch.randint(0, 500, (4, 33))

    def step():
        optimizer.zero_grad()
        logits = compiled(tokens[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
