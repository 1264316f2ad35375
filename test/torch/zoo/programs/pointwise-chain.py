"""A chain of pointwise operations that ends in a sum over rows."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch.nn import functional as F


@torch.compile
def chain(a, b, c, d):
    return F.silu(((a + b) * c).tanh() - d).sum(-1)


def make():
    torch.manual_seed(0)
    a, b, c, d = (torch.randn(1024, 512) for _ in range(4))

    def step():
        return chain(a, b, c, d)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
