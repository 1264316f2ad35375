"""Programs whose speedup is known by their own timers.

usage: speedup_programs.py NAME [eager|compiled]

With a mode it runs without Seamscope and prints the times of its steps in ns, as JSON.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import sys
import time

import torch
from torch import nn
from torch.nn import functional

WARM_UP = 8


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.inputs, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.hidden = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def mix(self, q, k, v):
        return functional.scaled_dot_product_attention(q, k, v)

    def forward(self, x):
        batch, length, width = x.shape
        split = self.inputs(self.first(x)).view(batch, length, 3, self.heads, width // self.heads)
        mixed = self.mix(*split.permute(2, 0, 3, 1, 4)).transpose(1, 2).reshape(batch, length, width)
        x = x + self.output(mixed)
        return x + self.hidden(self.second(x))


class Causal(Attention):
    """Attention written out, as in many implementations of GPT-2."""

    def mix(self, q, k, v):
        scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        return scores.masked_fill(mask, float("-inf")).softmax(-1) @ v


class Vit(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 128, 16, 16)
        self.blocks = nn.Sequential(*[Attention(128, 4) for _ in range(3)])
        self.head = nn.Sequential(nn.LayerNorm(128), nn.Linear(128, 10))

    def forward(self, x):
        return self.head(self.blocks(self.patches(x).flatten(2).transpose(1, 2)).mean(1))


def inference(model, x):
    def step(function, _):
        with torch.no_grad():
            function(x)

    return model.eval(), step, 300


def vit():
    return inference(Vit(), torch.randn(4, 3, 160, 160))


def gpt2():
    return inference(Causal(192, 6), torch.randn(4, 96, 192))


def chain():
    x, y = torch.randn(512, 1024), torch.randn(512, 1024)

    def function(x, y):
        for _ in range(4):
            x = torch.relu(x * y + 1.0) - x
        return x.sum(0)

    return function, lambda function, _: function(x, y), 1500


def training():
    model = nn.Sequential(nn.Linear(256, 512), nn.GELU(), nn.LayerNorm(512), nn.Linear(512, 512),
                          nn.GELU(), nn.Linear(512, 64))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    x, target = torch.rand(256, 256), torch.rand(256, 64)

    def step(function, _):
        optimizer.zero_grad()
        functional.mse_loss(function(x), target).backward()
        optimizer.step()

    return model, step, 300


def sizes():
    big, small = torch.rand(512, 512), torch.rand(64, 64)
    return (lambda x: torch.sin(x) * torch.exp(-x),
            lambda function, number: function(small if number % 2 else big), 6000)


def scatter():
    x, to = torch.randn(10000, 32), torch.randint(0, 1000, (10000,))

    def function(x, to):
        return torch.zeros(1000, 32).scatter_add(0, to.unsqueeze(1).expand(-1, 32), x.relu()).tanh()

    return function, lambda function, _: function(x, to), 6000


PROGRAMS = {"vit": vit, "gpt2": gpt2, "chain": chain, "training": training, "sizes": sizes,
            "scatter": scatter}


def main():
    name, mode = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    torch.manual_seed(0)
    function, step, steps = PROGRAMS[name]()
    if mode != "eager":
        function = torch.compile(function, dynamic=True if name == "sizes" else None)
    times = []
    for number in range(steps):
        begin = time.perf_counter_ns()
        step(function, number)
        times.append(time.perf_counter_ns() - begin)
    if mode:
        print(json.dumps(times[WARM_UP:]))


if __name__ == "__main__":
    main()
