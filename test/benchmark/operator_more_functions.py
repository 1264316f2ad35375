"""Functions whose fused loops were held out from an earlier model."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
import torch.nn.functional as F


def option_price(s, k, v):
    d = torch.log(s / k) / v + 0.5 * v
    return s * 0.5 * (1 + torch.erf(d * 0.7071)) - k * 0.5 * (1 + torch.erf((d - v) * 0.7071))


def lennard_jones(r):
    square = 1 / (r * r)
    sixth = square * square * square
    return 4 * (sixth * sixth - sixth)


def planck(x, y):
    return x * x * x / (torch.exp(x / y) - 1)


def great_circle(x, y, z):
    half = torch.sin((y - x) * 0.5)
    return 2 * torch.sqrt(half * half + torch.cos(x) * torch.cos(y) * z)


def min_max_scaled(x):
    least, most = x.amin(-1, keepdim=True), x.amax(-1, keepdim=True)
    return (x - least) / (most - least + 1e-6)


def entropy(x):
    p = x / x.sum(-1, keepdim=True)
    return -(p * torch.log(p)).sum(-1)


def hinge(x, y):
    return torch.relu(1 - x * y).mean(-1)


def masked_mean(x, y):
    mask = (y > 1).float()
    return (x * mask).sum(-1) / mask.sum(-1).clamp(min=1)


def poisson_loss(x, y):
    return F.poisson_nll_loss(x, y)


def gaussian_loss(x, y, v):
    return (0.5 * (torch.log(v) + (x - y) ** 2 / v)).mean()


def log_cosh(x, y):
    d = x - y
    return (d + F.softplus(-2 * d) - 0.6931).mean()


def fourier_features(x, weight, bias):
    return torch.cos(x * weight + bias) * 0.0442


def snake(x, a):
    return x + torch.sin(a * x) ** 2 / a


def tanh_shrink(x):
    return F.tanhshrink(x)


def sophia(p, m, h):
    return p * 0.9999 - 0.001 * torch.clamp(m / torch.clamp(h * 0.04, min=1e-12), -1, 1)


def half_sigmoid_gate(x, y):
    return x * torch.sigmoid(y)


def half_soft_cap(x):
    return torch.tanh(x / 30) * 30


def half_layer_scale(x, y, weight):
    return x + y * weight


def half_mean_scaled(x, weight):
    z = x.float()
    return (z / z.abs().mean(-1, keepdim=True)).to(x.dtype) * weight


def double_pendulum(x, y):
    return y - 0.01 * (9.81 * torch.sin(x) + 0.1 * y)


def double_interest(x, y):
    return y * torch.exp(30 * torch.log1p(x / 12))


def double_variance(x):
    return x.var(-1)


def bytes_by_channel(x, weight, bias):
    return (x.float() - bias.float()) * (weight.float() * 0.01)


def bytes_by_row(x):
    scale = x.abs().amax(-1, keepdim=True) / 127
    return torch.round(x / scale).to(torch.int8)


# Elements or shape, and element type. Arrays of 64 kB in f32, of 4 MB, of 29 MB, which the allocator keeps, and 134 MB
# with small results.
L2, L3, MEMORY = 1 << 14, 1 << 20, 7 << 20
ROWS, MANY_ROWS, DRAM_ROWS = (16, 1024), (1024, 1024), (32768, 1024)
HALF, BYTE, DOUBLE = torch.bfloat16, torch.int8, torch.float64
MORE = (
    (option_price, "L2", L2), (lennard_jones, "L3", L3), (planck, "L3", L3), (great_circle, "L2", L2),
    (min_max_scaled, "L2", ROWS), (entropy, "L3", MANY_ROWS), (hinge, "DRAM", DRAM_ROWS), (masked_mean, "L2", ROWS),
    (poisson_loss, "L2", L2), (gaussian_loss, "memory", MEMORY), (log_cosh, "L3", L3),
    (fourier_features, "L2", ROWS), (snake, "L2", L2), (tanh_shrink, "memory", MEMORY), (sophia, "memory", MEMORY),
    (half_sigmoid_gate, "L2", L2, HALF), (half_soft_cap, "L3", L3, HALF), (half_layer_scale, "L3", MANY_ROWS, HALF),
    (half_mean_scaled, "L2", ROWS, HALF), (double_pendulum, "L2", L2, DOUBLE),
    (double_interest, "memory", MEMORY // 2, DOUBLE), (double_variance, "L3", MANY_ROWS, DOUBLE),
    (bytes_by_channel, "L3", MANY_ROWS, BYTE), (bytes_by_row, "L3", MANY_ROWS))
