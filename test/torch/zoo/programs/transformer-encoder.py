"""nn.TransformerEncoder with two layers and a padding mask, forward and backward."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.nn import functional as F


class Classifier(nn.Module):
    def __init__(self, dim=64, classes=5):
        super().__init__()
        layer = nn.TransformerEncoderLayer(
            dim, nhead=4, dim_feedforward=128, dropout=0.0, batch_first=True, norm_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, num_layers=2, enable_nested_tensor=False)
        self.head = nn.Linear(dim, classes)

    def forward(self, x, padding):
        hidden = self.encoder(x, src_key_padding_mask=padding)
        keep = (~padding).unsqueeze(-1).to(hidden.dtype)
        pooled = (hidden * keep).sum(dim=1) / keep.sum(dim=1)
        return self.head(pooled)


def make():
    torch.manual_seed(0)
    model = Classifier().train()
    compiled = torch.compile(model)
    x = torch.randn(4, 32, 64)
    lengths = torch.tensor([32, 20, 27, 9])
    padding = torch.arange(32)[None, :] >= lengths[:, None]
    labels = torch.randint(0, 5, (4,))

    def step():
        model.zero_grad()
        loss = F.cross_entropy(compiled(x, padding), labels)
        loss.backward()
        return loss.detach(), model.head.weight.grad.clone()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
