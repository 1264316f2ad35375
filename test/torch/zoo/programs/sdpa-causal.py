"""Causal self-attention with scaled_dot_product_attention, forward and backward."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.nn import functional as F


class CausalSelfAttention(nn.Module):
    def __init__(self, dim=128, heads=4):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.out = nn.Linear(dim, dim, bias=False)

    def forward(self, x):
        batch, tokens, dim = x.shape
        qkv = self.qkv(x).view(batch, tokens, 3, self.heads, dim // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.out(y.transpose(1, 2).reshape(batch, tokens, dim))


def make():
    torch.manual_seed(0)
    model = CausalSelfAttention()
    compiled = torch.compile(model)
    x = torch.randn(4, 64, 128)

    def step():
        model.zero_grad()
        y = compiled(x)
        y.square().mean().backward()
        return y.detach(), model.qkv.weight.grad.clone()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
