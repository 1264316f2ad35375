"""Sums, means, variances, extrema, a cumulative sum and a sort."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch


@torch.compile
def summarise(x):
    rows = x.sum(dim=1)
    columns = x.mean(dim=0)
    spread = x.var(dim=1)
    largest = x.amax(dim=1)
    where = x.argmax(dim=1)
    running = x.cumsum(dim=1)
    ordered, order = torch.sort(x[:, :64], dim=1)
    total = (rows * spread).sum() + columns.abs().max()
    return rows, columns, spread, largest, where, running, ordered, order, total


def make():
    torch.manual_seed(0)
    x = torch.randn(256, 256)

    def step():
        return summarise(x)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
