"""A DataLoader with a worker process feeds the compiled model."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Waves(Dataset):
    """Synthetic sine waves; the index determines the sample."""

    def __init__(self, samples=256, length=128):
        self.samples = samples
        self.time = torch.linspace(0, 1, length)

    def __len__(self):
        return self.samples

    def __getitem__(self, index):
        frequency = 1 + index % 8
        return torch.sin(2 * torch.pi * frequency * self.time), frequency - 1


class WaveClassifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 16, 9, padding=4)
        self.out = nn.Linear(16, 8)

    def forward(self, x):
        hidden = torch.relu(self.conv(x.unsqueeze(1)))
        return self.out(hidden.amax(dim=-1))


class Batches:
    """An endless stream of batches; the worker process starts with the first one."""

    def __init__(self, loader):
        self.loader = loader
        self.iterator = None

    def take(self):
        if self.iterator is None:
            self.iterator = iter(self.loader)
        try:
            return next(self.iterator)
        except StopIteration:
            self.iterator = iter(self.loader)
            return next(self.iterator)

    def close(self):
        self.iterator = None


def make():
    torch.manual_seed(0)
    model = torch.compile(WaveClassifier().eval())
    loader = DataLoader(Waves(), batch_size=16, num_workers=1)
    batches = Batches(loader)

    def step():
        waves, _ = batches.take()
        with torch.no_grad():
            return model(waves)

    step.close = batches.close
    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
    step.close()
