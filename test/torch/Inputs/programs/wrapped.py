"""What dynamo calls through a function of its own: torch's modules and functions, and an object that is called."""
import functools

import torch


class Scale:
    def __call__(self, x):
        return x.cos() * 2


x = torch.rand(64, 64)
layers = torch.compile(torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.GELU()))
gelu = torch.compile(torch.nn.functional.gelu)
scale = torch.compile(Scale())
partial = torch.compile(functools.partial(lambda k, x: x * k + 1, 2.0))
for _ in range(3):
    layers(x), gelu(x), scale(x), partial(x)
