"""Kernels of several kinds, each called a few times; prints what call 3 of `apart` gave."""

import torch

torch.manual_seed(0)


def apart(x, i, table):
    return torch.softmax(torch.exp(table[i]) * x, -1)


def sums(x):
    return x.double().sum(0)


def in_place(x):
    x.mul_(1.5).add_(1)
    return x


def half(x):
    return (x * 2).bfloat16() + 1


def whole(x):
    return ((x.float() - 3) * 0.5).round().clamp(-128, 127).to(torch.int8)


def sized(x):
    return x * x.shape[0] + 1


def small(x):
    return x + 1


def large(x):
    return x + 1  # a kernel of the same name


with torch.no_grad():
    table, i, x = torch.randn(100, 64), torch.randint(0, 100, (300,)), torch.randn(300, 64)
    compiled = {f: torch.compile(f) for f in (apart, sums, in_place, half, whole)}
    for turn in range(5):
        result = compiled[apart](x + turn, i, table)
        compiled[sums](x)
        compiled[in_place](x.clone())
        compiled[half](x)
        compiled[whole](torch.randint(-128, 127, (300, 64), dtype=torch.int8))
    first, second = torch.compile(small), torch.compile(large)
    for turn in range(3):
        first(torch.randn(10, 10))
        second(torch.randn(2000, 500))
    dynamic = torch.compile(sized, dynamic=True)
    for size in (30, 40, 50):
        dynamic(torch.randn(size, 7))
