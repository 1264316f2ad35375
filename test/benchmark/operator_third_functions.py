"""Functions whose fused loops were held out from an earlier model; the third such set."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
import torch.nn.functional as F


def celu(x):
    return F.celu(x - 2, 1.3)


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def hard_sigmoid_gate(x, y):
    return F.hardsigmoid(x) * y


def soft_threshold(x, y):
    return torch.sign(x) * torch.relu(torch.abs(x) - 0.5) + y


def student(x, y):
    return 2 * torch.log(1 + (x - y) ** 2 / 3)


def coulomb(x, y, z):
    return 2.3 / torch.sqrt(x * x + y * y + z * z + 0.01)


def morse(r):
    return (1 - torch.exp(-1.2 * (r - 1))) ** 2


def pressure(t, v):
    return 8 * t / (3 * v - 0.5) - 3 / (v * v)


def heading(x, y):
    return torch.atan2(x, y) * 57.2958


def decibels(x, y):
    return 10 * torch.log10(x * x + y * y + 1e-9)


def charbonnier(x, y):
    return torch.sqrt((x - y) ** 2 + 1e-6).mean()


def gaussian_divergence(x, y):
    return -0.5 * (1 + y - x * x - torch.exp(y)).sum(-1)


def dice(x, y):
    return 1 - 2 * (x * y).sum(-1) / (x.sum(-1) + y.sum(-1) + 1)


def margin(x, y, z):
    return torch.relu(0.3 + (x - y).pow(2).sum(-1) - (x - z).pow(2).sum(-1))


def sum_scaled(x):
    return x / x.abs().sum(-1, keepdim=True)


def instance_norm(x):
    v, m = torch.var_mean(x, -1, keepdim=True)
    return (x - m) * torch.rsqrt(v + 1e-5)


def fake_quantize(x):
    return (torch.clamp(torch.round(x * 10) + 3, 0, 255) - 3) * 0.1


def bytes_product(x, y):
    return x.float() * y.float() * 0.0004


def integers(x, y):
    return torch.where(x > y, x * 3, x + y)


def half_mish(x):
    return F.mish(x)


def half_soft_max(x):
    return torch.softmax(x, -1)


def float16_silu(x, y):
    return F.silu(x + y)


def double_kepler(x, y):
    return x - (x - 0.3 * torch.sin(x) - y) / (1 - 0.3 * torch.cos(x))


def double_root_mean(x):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-8)


# Elements or shape, and element type. Arrays of 64 kB in f32, of 4 MB, and of 29 MB, which the allocator keeps.
L2, L3, MEMORY = 1 << 14, 1 << 20, 7 << 20
ROWS, MANY_ROWS = (16, 1024), (1024, 1024)
BRAIN, HALF, BYTE, DOUBLE = torch.bfloat16, torch.float16, torch.int8, torch.float64
THIRD = (
    (celu, "L2", L2), (quick_gelu, "memory", MEMORY), (hard_sigmoid_gate, "L3", L3), (soft_threshold, "L2", L2),
    (student, "L2", L2), (coulomb, "L3", L3), (morse, "L3", L3), (pressure, "memory", MEMORY), (heading, "L3", L3),
    (decibels, "L2", L2), (charbonnier, "L3", L3), (gaussian_divergence, "L2", ROWS), (dice, "L2", ROWS),
    (margin, "L3", MANY_ROWS), (sum_scaled, "L3", MANY_ROWS), (instance_norm, "L2", ROWS), (fake_quantize, "L2", L2),
    (bytes_product, "L3", L3, BYTE), (integers, "L2", L2, torch.int32), (half_mish, "L2", L2, BRAIN),
    (half_soft_max, "L2", ROWS, BRAIN), (float16_silu, "L3", L3, HALF), (double_kepler, "L2", L2, DOUBLE),
    (double_root_mean, "L3", MANY_ROWS, DOUBLE))
