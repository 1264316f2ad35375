"""A GRU encoder and an attending decoder unrolled over the target, inference."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.key = nn.Linear(hidden, hidden, bias=False)
        self.score = nn.Linear(hidden, 1, bias=False)

    def forward(self, state, memory):
        energy = torch.tanh(self.query(state).unsqueeze(1) + self.key(memory))
        weights = torch.softmax(self.score(energy).squeeze(-1), dim=-1)
        return torch.einsum("bt,bth->bh", weights, memory)


class Seq2Seq(nn.Module):
    def __init__(self, vocabulary=500, hidden=64):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, hidden)
        self.encoder = nn.GRU(hidden, hidden, batch_first=True)
        self.attention = AdditiveAttention(hidden)
        self.cell = nn.GRUCell(2 * hidden, hidden)
        self.output = nn.Linear(hidden, vocabulary)

    def forward(self, source, target):
        memory, last = self.encoder(self.embedding(source))
        state = last[0]
        logits = []
        for position in range(target.shape[1]):
            context = self.attention(state, memory)
            token = self.embedding(target[:, position])
            state = self.cell(torch.cat([token, context], dim=-1), state)
            logits.append(self.output(state))
        return torch.stack(logits, dim=1)


def make():
    torch.manual_seed(0)
    model = torch.compile(Seq2Seq().eval())
    source = torch.randint(0, 500, (8, 12))
    target = torch.randint(0, 500, (8, 6))

    def step():
        with torch.no_grad():
            return model(source, target)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
