"""Functions whose fused loops were held out from an earlier model; the fourth such set."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch


def squared_relu_gate(x, y):
    return torch.relu(x - 1) ** 2 * y


def clamped_swiglu(x, y):
    x = torch.clamp(x, max=3)
    return x * torch.sigmoid(1.702 * x) * (torch.clamp(y, -3, 3) + 1)


def gaussian(x):
    return torch.exp(-x * x / 2) * 0.3989


def smooth_step(x):
    t = torch.clamp((x - 0.5) / 2.5, 0, 1)
    return t * t * (3 - 2 * t)


def silu_backward(x, g):
    s = torch.sigmoid(x)
    return g * s * (1 + x * (1 - s))


def linear_light(x):
    x = x * 0.25
    return torch.where(x <= 0.04045, x / 12.92, torch.pow((x + 0.055) / 1.055, 2.4))


def luma(r, g, b):
    return torch.clamp(0.2126 * r + 0.7152 * g + 0.0722 * b, 0, 1)


def tone_map(x):
    return x * (1 + x / 9) / (1 + x)


def mu_law(x):
    return torch.sign(x) * torch.log1p(255 * torch.abs(x)) / 5.545


def ring_modulated(x, t):
    return x * (1 + 0.5 * torch.sin(6.2832 * t)) * 0.7


def buckingham(r):
    square = r * r
    return 12 * torch.exp(-1.6 * r) - 3 / (square * square * square)


def gravity(x, y, z):
    square = x * x + y * y + z * z + 0.01
    return x / (square * torch.sqrt(square))


def vapour_pressure(t, h):
    return 6.112 * torch.exp(17.67 * t / (t + 243.5)) * h


def adagrad(p, g, s):
    s = s + g * g
    return p - 0.01 * g / (torch.sqrt(s) + 1e-10), s


def adamax(p, g, m, u):
    m = 0.9 * m + 0.1 * g
    u = torch.maximum(0.999 * u, torch.abs(g) + 1e-8)
    return p - 0.002 * m / u, m, u


def bernoulli_divergence(x, y):
    p, q = x * 0.25, y * 0.25
    return p * torch.log(p / q) + (1 - p) * torch.log((1 - p) / (1 - q))


def smooth_distance(x, y):
    d = torch.abs(x - y)
    return torch.where(d < 1, 0.5 * d * d, d - 0.5).mean(-1)


def weighted_mean(x, w):
    return (x * w).sum(-1) / w.sum(-1)


def soft_max_backward(y, g):
    return y * (g - (y * g).sum(-1, keepdim=True))


def biased_soft_max(x, bias):
    return torch.softmax(x * 0.125 + bias, -1)


def clipped_rows(x):
    return x * torch.clamp(5 * torch.rsqrt((x * x).sum(-1, keepdim=True)), max=1)


def half_rotary(x, y, c, s):
    return x * c - y * s, x * s + y * c


def half_square_error(x, y):
    return ((x.float() - y.float()) ** 2).sum(-1)


def float16_tanh_gate(x, y):
    return torch.tanh(x) * y


def bytes_added(x, y):
    return torch.clamp(torch.round(x.float() * 0.6 + y.float() * 0.4), -128, 127).to(torch.int8)


def hashed(x):
    x = (x ^ (x >> 16)) * 73244475
    x = (x ^ (x >> 16)) * 73244475
    return x ^ (x >> 16)


def double_arrhenius(a, e, t):
    return a * torch.exp(-e / (t + 0.3))


def double_direction(x, y, z):
    return x / torch.sqrt(x * x + y * y + z * z)


# Elements or shape, and element type. Arrays of 8 and 64 kB in f32, of 4 MB, of 29 MB, which the allocator keeps, and
# of 134 MB with small results.
L1, L2, L3, MEMORY = 1 << 11, 1 << 14, 1 << 20, 7 << 20
ROWS, MANY_ROWS, DRAM_ROWS = (16, 1024), (1024, 1024), (32768, 1024)
BRAIN, HALF, BYTE, DOUBLE = torch.bfloat16, torch.float16, torch.int8, torch.float64
FOURTH = (
    (squared_relu_gate, "L3", L3), (clamped_swiglu, "memory", MEMORY), (gaussian, "L1", L1), (smooth_step, "L1", L1),
    (silu_backward, "memory", MEMORY), (linear_light, "L2", L2), (luma, "memory", MEMORY), (tone_map, "L3", L3),
    (mu_law, "L2", L2), (ring_modulated, "L3", L3), (buckingham, "L2", L2), (gravity, "L3", L3),
    (vapour_pressure, "memory", MEMORY), (adagrad, "L3", L3), (adamax, "memory", MEMORY),
    (bernoulli_divergence, "L2", L2), (smooth_distance, "DRAM", DRAM_ROWS), (weighted_mean, "L2", ROWS),
    (soft_max_backward, "L3", MANY_ROWS), (biased_soft_max, "L2", ROWS), (clipped_rows, "L3", MANY_ROWS),
    (half_rotary, "L2", L2, BRAIN), (half_square_error, "L3", MANY_ROWS, BRAIN), (float16_tanh_gate, "L2", L2, HALF),
    (bytes_added, "L2", L2, BYTE), (hashed, "L2", L2, torch.int32), (double_arrhenius, "memory", MEMORY // 2, DOUBLE),
    (double_direction, "L3", L3, DOUBLE))
