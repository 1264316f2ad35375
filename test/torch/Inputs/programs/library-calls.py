"""A compiled model whose operators are mostly calls of libraries."""
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 8, 3, padding=1)
        self.linear = nn.Linear(64, 32)
        self.wide = nn.Linear(64, 64)

    def forward(self, image, rows, query, index):
        first = torch.relu(self.conv(image)).sum()
        second = torch.tanh(self.linear(torch.relu(self.wide(rows))))
        kept = nn.functional.scaled_dot_product_attention(query, query, query)
        total = torch.zeros(20, 64).index_put_((index,), rows, accumulate=True)
        return first, second @ second.T, kept, torch.sort(rows, -1)[0], total


torch.manual_seed(0)
model = torch.compile(Model())
args = torch.rand(2, 4, 32, 32), torch.rand(128, 64), torch.rand(2, 2, 64, 16), torch.randint(0, 20, (128,))
with torch.no_grad():
    for _ in range(7):
        model(*args)
