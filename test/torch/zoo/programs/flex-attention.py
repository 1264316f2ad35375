"""flex_attention with a sliding-window score modification, inference."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch.nn.attention.flex_attention import flex_attention

WINDOW = 32


def sliding_window(score, batch, head, q_index, kv_index):
    """Causal attention over the last WINDOW tokens with a linear distance penalty."""
    distance = q_index - kv_index
    visible = (distance >= 0) & (distance < WINDOW)
    return torch.where(visible, score - 0.05 * distance, -float("inf"))

# In eager mode its attention is products and a softmax; torch.profiler knows no attention there.
EXPECT = {"parts": ()}


def make():
    torch.manual_seed(0)
    attention = torch.compile(flex_attention)
    q = torch.randn(1, 4, 128, 64)
    k = torch.randn(1, 4, 128, 64)
    v = torch.randn(1, 4, 128, 64)

    def step():
        with torch.no_grad():
            return attention(q, k, v, score_mod=sliding_window)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
