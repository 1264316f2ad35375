"""A recommender with embedding bags of varying lengths and a small perceptron."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn


class Recommender(nn.Module):
    def __init__(self, items=2000, dim=32, dense=13):
        super().__init__()
        self.history = nn.EmbeddingBag(items, dim, mode="mean")
        self.tags = nn.EmbeddingBag(200, dim, mode="sum")
        self.dense = nn.Linear(dense, dim)
        self.top = nn.Sequential(nn.Linear(dim + 3, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, dense, items, item_offsets, tags, tag_offsets):
        d = torch.relu(self.dense(dense))
        h = self.history(items, item_offsets)
        t = self.tags(tags, tag_offsets)
        interactions = torch.stack([(d * h).sum(-1), (d * t).sum(-1), (h * t).sum(-1)], dim=-1)
        return torch.sigmoid(self.top(torch.cat([d, interactions], dim=-1))).squeeze(-1)


def bags(batch, largest, vocabulary):
    """Random bags as flat indices and the offset of each bag."""
    lengths = torch.randint(1, largest, (batch,))
    offsets = torch.cat([torch.zeros(1, dtype=torch.long), lengths.cumsum(0)[:-1]])
    return torch.randint(0, vocabulary, (int(lengths.sum()),)), offsets


def make():
    torch.manual_seed(0)
    model = torch.compile(Recommender().eval())
    dense = torch.randn(128, 13)
    items, item_offsets = bags(128, 20, 2000)
    tags, tag_offsets = bags(128, 5, 200)

    def step():
        with torch.no_grad():
            return model(dense, items, item_offsets, tags, tag_offsets)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
