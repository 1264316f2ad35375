"""Layers that are alike, of a library's modules, with and without torch.compile around the whole."""

import torch


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(64)
        self.mlp = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.GELU())

    def forward(self, x):
        return x + self.mlp(self.norm(x))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(Block() for _ in range(3))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def step(model, x):
    return model(x)


model, x = torch.compile(Model().eval()), torch.randn(256, 64)
with torch.no_grad():
    for _ in range(4):
        step(model, x)
    gelu = torch.compile(torch.nn.GELU())  # no line but those of torch
    for _ in range(4):
        step(gelu, x)
