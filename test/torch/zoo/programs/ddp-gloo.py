"""DistributedDataParallel with one process and the gloo backend, one training step."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel

# The calls that the reducer makes in the eager backward pass belong to no call of the compiled one for sure.
EXPECT = {"unknown": ("unattributed",)}


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))

    def forward(self, x):
        return self.layers(x)


def make():
    torch.manual_seed(0)
    if not dist.is_initialized():
        path = os.path.join(tempfile.mkdtemp(), "rendezvous")
        dist.init_process_group("gloo", init_method=f"file://{path}", rank=0, world_size=1)
    model = DistributedDataParallel(Network())
    compiled = torch.compile(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    x = torch.randn(64, 64)
    labels = torch.randint(0, 10, (64,))

    def step():
        optimizer.zero_grad()
        loss = F.cross_entropy(compiled(x), labels)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
    dist.destroy_process_group()
