"""Functions whose fused loops are held out: they were written before any estimate of them was seen, and measured once."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
import torch.nn.functional as F


def square_plus(x):
    return (x + torch.sqrt(x * x + 4)) * 0.5


def receptance_decay(w, s, k, v):
    return s * torch.exp(-torch.exp(w * 0.5 - 2)) + k * v


def selective_step(t, a, h, x):
    d = F.softplus(t)
    return h * torch.exp(-d * a) + d * x


def recurrent_gate(r, i, h, x):
    a = torch.exp(-0.8 * torch.sigmoid(r))
    return a * h + torch.sqrt(1 - a * a) * (torch.sigmoid(i) * x)


def resilient_step(g, h, s):
    same = (g - 2) * (h - 2)
    return torch.where(same > 0, torch.clamp(s * 1.2, max=50), torch.where(same < 0, torch.clamp(s * 0.5, min=1e-6), s))


def oscillation_weights(a, b, c):
    p, q, r = 0.1 / (a + 1e-6) ** 2, 0.6 / (b + 1e-6) ** 2, 0.3 / (c + 1e-6) ** 2
    s = p + q + r
    return p / s, q / s


def roe_velocity(p, q, u, v):
    left, right = torch.sqrt(p), torch.sqrt(q)
    return (left * u + right * v) / (left + right)


def hill(x, k):
    power = torch.pow(x, 2.8)
    return power / (torch.pow(k, 2.8) + power)


def spiking(v, u, i):
    moved = v + 0.5 * (0.04 * v * v + 5 * v + 140 - u + i)
    fired = moved > 30
    return torch.where(fired, -65, moved), torch.where(fired, u + 8, u + 0.01 * (0.2 * v - u))


def microfacet(n, a):
    square = a * a
    d = n * n * (square - 1) + 1
    return square / (3.1416 * d * d) * n / (n * (1 - square * 0.5) + square * 0.5)


def to_rgb(y, u, v):
    u, v = u - 2, v - 2
    return y + 1.402 * v, y - 0.344 * u - 0.714 * v, y + 1.772 * u


def half_life(x, t):
    return x * torch.exp2(-t / 1.7)


def von_mises(x, m, k):
    return torch.exp(k * (torch.cos(x - m) - 1)) * torch.sqrt(k) * 0.4


def bicubic_weight(x):
    return torch.where(x < 1, (1.5 * x - 2.5) * x * x + 1, torch.where(x < 2, ((2.5 - 0.5 * x) * x - 4) * x + 2, 0))


def wing_loss(x, y):
    d = torch.abs(x - y)
    return torch.where(d < 1.5, 1.5 * torch.log1p(d * 2), d + 0.58).mean()


def correlation(x, y):
    x, y = x - x.mean(-1, keepdim=True), y - y.mean(-1, keepdim=True)
    return (x * y).sum(-1) * torch.rsqrt((x * x).sum(-1) * (y * y).sum(-1))


def normalized_backward(g, x, weight):
    g = g * weight
    return g - g.mean(-1, keepdim=True) - x * (g * x).mean(-1, keepdim=True)


def hellinger(x, y):
    return torch.sqrt(((torch.sqrt(x) - torch.sqrt(y)) ** 2).sum(-1)) * 0.7071


def pinball(x, y):
    d = x - y
    return torch.maximum(0.9 * d, -0.1 * d).mean(-1)


def gumbel_soft_max(x, u):
    return torch.softmax(x - torch.log(-torch.log(u * 0.25)), -1)


def half_modulated(x, weight, bias):
    return x * (1 + weight) + bias


def half_swiglu_backward(x, y, g):
    s = torch.sigmoid(x)
    return g * y * s * (1 + x * (1 - s)), g * x * s


def float16_dropout(x, m):
    return torch.where(m > 0.6, x / 0.9, 0)


def double_redlich_kwong(t, v):
    v = v + 0.1
    return 8.314 * t / (v - 0.2) - 1.5 / (torch.sqrt(t) * v * (v + 0.2))


def double_equilibrium(r, u, v):
    e = 3 * (u + v)
    return 0.0278 * r * (1 + e + 0.5 * e * e - 1.5 * (u * u + v * v))


def xor_shift(x):
    x = x ^ (x << 13)
    x = x ^ (x >> 17)
    return x ^ (x << 5)


def interleaved_bits(x, y):
    def spread(v):
        v = (v | (v << 8)) & 0x00FF00FF
        v = (v | (v << 4)) & 0x0F0F0F0F
        v = (v | (v << 2)) & 0x33333333
        return (v | (v << 1)) & 0x55555555

    return spread(x) | (spread(y) << 1)


def bytes_blended(x, y, a):
    a = a.to(torch.int32)
    return ((x.to(torch.int32) * a + y.to(torch.int32) * (64 - a)) >> 6).to(torch.int8)


# Elements or shape, and element type. Arrays of 8 and 64 kB in f32, of 4 MB, of 29 MB, which the allocator keeps, and
# of 134 MB with small results.
L1, L2, L3, MEMORY = 1 << 11, 1 << 14, 1 << 20, 7 << 20
ROWS, MANY_ROWS, DRAM_ROWS = (16, 1024), (1024, 1024), (32768, 1024)
BRAIN, HALF, BYTE, DOUBLE, WORD = torch.bfloat16, torch.float16, torch.int8, torch.float64, torch.int32
HELD_OUT = (
    (square_plus, "L1", L1), (receptance_decay, "memory", MEMORY), (selective_step, "L3", L3),
    (recurrent_gate, "L2", L2), (resilient_step, "memory", MEMORY), (oscillation_weights, "L2", L2),
    (roe_velocity, "L3", L3), (hill, "L2", L2), (spiking, "L3", L3), (microfacet, "memory", MEMORY),
    (to_rgb, "L3", L3), (half_life, "L2", L2), (von_mises, "L2", L2), (bicubic_weight, "L1", L1),
    (wing_loss, "L3", L3), (correlation, "L2", ROWS), (normalized_backward, "L3", MANY_ROWS),
    (hellinger, "L3", MANY_ROWS), (pinball, "DRAM", DRAM_ROWS), (gumbel_soft_max, "L2", ROWS),
    (half_modulated, "L2", ROWS, BRAIN), (half_swiglu_backward, "L3", L3, BRAIN),
    (float16_dropout, "memory", MEMORY, HALF), (double_redlich_kwong, "L2", L2, DOUBLE),
    (double_equilibrium, "memory", MEMORY // 2, DOUBLE), (xor_shift, "L3", L3, WORD),
    (interleaved_bits, "L2", L2, WORD), (bytes_blended, "memory", MEMORY, BYTE))
