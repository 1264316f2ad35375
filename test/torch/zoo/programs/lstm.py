"""A two-layer LSTM over an embedded sequence, inference."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
import torch._dynamo
from torch import nn


class SequenceTagger(nn.Module):
    def __init__(self, vocabulary=1000, dim=64, hidden=128, tags=12):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, dim)
        self.lstm = nn.LSTM(dim, hidden, num_layers=2, batch_first=True)
        self.norm = nn.LayerNorm(hidden)
        self.tagger = nn.Linear(hidden, tags)

    def forward(self, tokens):
        hidden, _ = self.lstm(self.embedding(tokens))
        return self.tagger(self.norm(hidden)).log_softmax(dim=-1)


def make():
    torch.manual_seed(0)
    # Without this Dynamo leaves every frame with an nn.LSTM to eager mode.
    torch._dynamo.config.allow_rnn = True
    model = torch.compile(SequenceTagger().eval())
    tokens = torch.randint(0, 1000, (8, 32))

    def step():
        with torch.no_grad():
            return model(tokens)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
