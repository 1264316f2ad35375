"""Gather, scatter, index_select, where and masked_fill in one function."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch


@torch.compile
def shuffle_table(table, rows, columns, slots, mask):
    picked = table.index_select(0, rows)
    gathered = torch.gather(picked, 1, columns)
    filled = gathered.masked_fill(mask, 0.0)
    scattered = torch.zeros_like(picked).scatter_add(1, columns, filled)
    counts = torch.zeros(16).index_add(0, slots, filled.sum(dim=1))
    updated = table.index_put((rows,), picked * 0.5)
    chosen = torch.where(scattered > 0, scattered, picked[:, :1])
    return chosen, counts, updated[rows.flip(0), :4]


def make():
    torch.manual_seed(0)
    table = torch.randn(512, 128)
    rows = torch.randperm(512)[:256]
    columns = torch.randint(0, 128, (256, 128))
    slots = torch.randint(0, 16, (256,))
    mask = torch.rand(256, 128) > 0.7

    def step():
        return shuffle_table(table, rows, columns, slots, mask)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
