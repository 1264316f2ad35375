"""The functions whose fused loops are measured, by set: LOOPS. The arguments have the shape and type that the set
says; those named weight and bias have the length of a row."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
import torch.nn.functional as F

from operator_fourth_functions import FOURTH
from operator_held_out import HELD_OUT
from operator_more_functions import MORE
from operator_third_functions import THIRD

# Elements. The allocator keeps arrays below 32 MB for the next call with the settings of HEAP; memory from the system
# would take page faults in the kernel, which are not the time of operators.
L1, L2, MEMORY = 1 << 11, 1 << 16, 7 << 20
HEAP = {"MALLOC_MMAP_THRESHOLD_": "33000000", "MALLOC_TRIM_THRESHOLD_": "4000000000"}


def chain(x, y):
    a = x + y
    b = a * 0.5
    c = torch.sqrt(b * b + 1)
    d = c / (a + 2)
    return d - b


def gelu(x):
    return F.gelu(x)


def gelu_tanh(x):
    return F.gelu(x, approximate="tanh")


def swiglu(x, y):
    return F.silu(x) * y


def exponential(x, y):
    return torch.exp(x) * y + 1


def multiply_add(x, y, z):
    return x * y + z


def relu(x, y):
    return torch.relu(x + y) * 2


def logarithm(x, y):
    return torch.log(x) + torch.sqrt(y)


def waves(x, y):
    return torch.sin(x) + torch.cos(y) * 0.25 + x * y


def power(x, y):
    return torch.pow(x, 1.7) + y / (x + 1)


def root(x, y):
    return torch.rsqrt(x + 1e-5) * y


def quotients(x, y, z):
    return (x / y + z) / (x + 3) * 2


def gate(x, y):
    return torch.sigmoid(x) * torch.tanh(y)


def mish(x):
    return x * torch.tanh(torch.log1p(torch.exp(x)))


def polynomial(x):
    result = x * 0.1 + 1
    for k in range(2, 9):
        result = result * x + 1 / k
    return result / (x + 4)


def hard_swish(x):
    return x * torch.clamp(x + 3, 0, 6) / 6


def distance(x, y):
    return torch.sqrt(x * x + y * y)


def soft_sign(x):
    return x / (1 + torch.abs(x))


def double(x, y):
    return (torch.exp(x.double()) / (y.double() + 2)).float()


def masked(x, y):
    return torch.where(x > 1, x * y, torch.sqrt(y))


def elu(x, y):
    return F.elu(x - 2) * y


def soft_plus(x):
    return F.softplus(x)


def normalized(x, y, z):
    return (x - y) / torch.sqrt(z + 1e-5) * 0.5 + 1


def step(p, g, m, v):
    m = m * 0.9 + g * 0.1
    v = v * 0.999 + g * g * 0.001
    return p - 0.01 * m / (torch.sqrt(v) + 1e-8)


def rotation(x, y, z):
    return x * torch.cos(z) - y * 0.5 + z


def products(x, y, z):
    return ((x * x + y) * z - x) * y


def logit(x):
    return torch.log(x / (4 - x))


def double_root(x, y):
    return torch.sqrt(x.double() * y.double()).float()


def cube(x, y):
    return x.pow(3) * torch.rsqrt(y)


def reciprocals(x, y):
    return 1 / x + y / 3


def error(x, y):
    return torch.erf(x) * torch.exp(-y)


def log_sigmoid(x):
    return F.logsigmoid(x)


def soft_max(x):
    return torch.softmax(x * 0.5, -1)


def log_soft_max(x):
    return F.log_softmax(x, -1)


def layer_norm(x, y, weight, bias):
    return F.layer_norm(x + y, weight.shape, weight, bias)


def rms_norm(x, weight):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * weight


def unit(x):
    return x / torch.sqrt((x * x).sum(-1, keepdim=True))


def dot_product(x, y):
    return (x * y).sum()


def largest_difference(x, y):
    return torch.abs(x - y).amax()


def mean_square(x, y):
    return (x / y).pow(2).mean()


def exponential_sum(x):
    return torch.exp(x * 0.25 - 1).sum()


def half_gelu(x):
    return F.gelu(x, approximate="tanh")


def half_swiglu(x, y):
    return F.silu(x) * y


def half_relu(x, y):
    return torch.relu(x - y) * 0.5 + y


def half_root(x, y):
    return x / torch.sqrt(y + 1)


def byte_clamp(x, y):
    return torch.clamp(x + y, 0, 100)


def dequantize(x):
    return torch.sigmoid((x.float() - 3) * 0.1)


def quantize(x):
    return torch.clamp(torch.round(x / 0.05), -128, 127).to(torch.int8)


def double_logarithm(x, y):
    return torch.log(x) * y


def double_quotient(x, y):
    return x / y + x


def double_error(x, y):
    return torch.erf(x) * 0.5 + y


def limits(x, y):
    return torch.where(x > y, torch.clamp(x, 1, 2), y * 3)


def binary_power(x, y):
    return torch.pow(x, y) + torch.sqrt(x)


def reciprocal_root(x, y):
    return torch.rsqrt(x) + torch.reciprocal(y)


def larger(x, y):
    return torch.where(x > y, x, y) * 2 + 1


def growth(x, y):
    return torch.expm1(x) / (y + 1)


def some_tanh(x, y):
    return torch.where(y > 1, torch.tanh(x), x)


def in_place(x, y):
    return x.copy_(torch.sqrt(x) + y)


def floor_rest(x, y):
    return x - torch.floor(x / y) * y


def linear_blend(x, y, z):
    return x * z + y * (1 - z)


def adam(p, g, m, v):
    m = m * 0.9 + g * 0.1
    v = v * 0.999 + g * g * 0.001
    return p * 0.999 - 0.001 * (m / 0.1) / (torch.sqrt(v / 0.001) + 1e-8), m, v


def momentum(p, g, m):
    m = m * 0.9 + g + p * 0.01
    return p - m * 0.1, m


def lion(p, g, m):
    return p - (torch.sign(m * 0.9 + g * 0.1) + p * 0.1) * 0.01


def gelu_gate(x, y):
    return F.gelu(x) * y


def gelu_bias(x, bias):
    return F.gelu(x + bias, approximate="tanh")


def silu_residual(x, y):
    return F.silu(x) + y


def mish_scaled(x):
    return F.mish(x - 2) * 0.5


def soft_plus_gate(x, y):
    return F.softplus(x) * y


def hard_swish_residual(x, y):
    return F.hardswish(x - 1) + y


def selu(x, y):
    return F.selu(x - 2) + y


def rms_norm_residual(x, y, weight):
    z = x + y
    return z * torch.rsqrt((z * z).mean(-1, keepdim=True) + 1e-6) * weight


def layer_norm_gelu(x, weight, bias):
    return F.gelu(F.layer_norm(x, weight.shape, weight, bias))


def standardized(x):
    z = x - x.mean(-1, keepdim=True)
    return z / torch.sqrt((z * z).mean(-1, keepdim=True) + 1e-5)


def masked_soft_max(x, y):
    return torch.softmax(torch.where(y > 1, x, -1e9), -1)


def rotary(x, y, z):
    c, s = torch.cos(z), torch.sin(z)
    return x * c - y * s, x * s + y * c


def rotary_cached(x, y, c, s):
    return x * c - y * s, x * s + y * c


def complex_quotient(a, b, c, d):
    square = c * c + d * d
    return (a * c + b * d) / square, (b * c - a * d) / square


def complex_exponential(x, y):
    size = torch.exp(x)
    return size * torch.cos(y), size * torch.sin(y)


def huber(x, y):
    return F.huber_loss(x, y)


def cross_entropy_of_two(x, y):
    return F.binary_cross_entropy_with_logits(x, y)


def divergence(x, y):
    return (y * (torch.log(y) - x)).sum(-1)


def log_sum(x):
    return torch.logsumexp(x, -1)


def square_error(x, y):
    return ((x - y) ** 2).mean(-1)


def cosine(x, y):
    return (x * y).sum(-1) / torch.sqrt((x * x).sum(-1) * (y * y).sum(-1))


def manhattan(x, y):
    return torch.abs(x - y).sum(-1)


def clamps(x, y):
    return torch.clamp(torch.clamp(x, 0.5, 3) * 2 - y, -1, 4)


def limited(x, y):
    return F.relu6(x * y + 0.5) / 6


def choices(x, y):
    return torch.where(x > 2, x * 0.5, torch.where(y > 1, y, x + y))


def without_nan(x, y):
    return torch.where(torch.isnan(x), 0, x) / (y + 1)


def half_gelu_gate(x, y):
    return F.gelu(x) * y


def half_rms_norm(x, weight):
    z = x.float()
    return (z * torch.rsqrt(z.pow(2).mean(-1, keepdim=True) + 1e-5)).to(x.dtype) * weight


def half_residual(x, y):
    return x + y * 0.5


def dequantized_gelu(x):
    return F.gelu(x.float() * 0.05 - 1)


def dequantized(x):
    return (x.float() - 3) * 0.1


def requantized(x):
    return torch.clamp(torch.round(x * 20), -128, 127).to(torch.int8)


def double_gaussian(x, y):
    return torch.exp(-x * x / 2) * y


def double_distance(x, y):
    return torch.sqrt(x * x + y * y) + 1 / x


def focal(x):
    p = torch.sigmoid(x)
    return -((1 - p) ** 2) * torch.log(p)


# The first three sets are those with which the model was made. The next four were held out, and their errors led to
# changes of the model. Those of the last one were measured after that.
ROWS, MANY_ROWS, L3, DRAM = (64, 1024), (1024, 1024), 1 << 20, 1 << 26
HALF, BYTE, DOUBLE = torch.bfloat16, torch.int8, torch.float64
LOOPS = {part: {f"{function.__name__} {where}": (function, size, *dtype) for function, where, size, *dtype in loops}
         for part, loops in {"made with": (
    (chain, "L1", L1), (chain, "L2", L2), (chain, "memory", MEMORY), (gelu, "L2", L2), (gelu_tanh, "L1", L1),
    (swiglu, "L2", L2), (swiglu, "memory", MEMORY), (exponential, "L1", L1), (exponential, "memory", MEMORY),
    (multiply_add, "L1", L1), (multiply_add, "memory", MEMORY), (relu, "L2", L2), (logarithm, "L1", L1),
    (waves, "L2", L2), (power, "L1", L1), (root, "L1", L1), (quotients, "L2", L2), (quotients, "memory", MEMORY),
    (gate, "L1", L1), (gate, "memory", MEMORY), (mish, "L2", L2), (polynomial, "L1", L1), (hard_swish, "L2", L2),
    (distance, "memory", MEMORY), (soft_sign, "L2", L2), (soft_sign, "memory", MEMORY), (double, "L1", L1),
    (masked, "L1", L1)), "seen, pointwise": (
    (elu, "L2", L2), (soft_plus, "L1", L1), (normalized, "L2", L2), (step, "L2", L2), (step, "memory", MEMORY),
    (rotation, "L1", L1), (products, "L1", L1), (products, "memory", MEMORY), (logit, "L1", L1),
    (double_root, "L1", L1), (cube, "L2", L2), (reciprocals, "L1", L1), (error, "L2", L2), (log_sigmoid, "L1", L1)),
    "seen, other kinds": (
    (soft_max, "L2", ROWS), (log_soft_max, "L3", MANY_ROWS), (layer_norm, "L2", ROWS), (rms_norm, "L3", MANY_ROWS),
    (unit, "L2", ROWS), (dot_product, "DRAM", DRAM), (dot_product, "L1", L1), (largest_difference, "L2", L2),
    (mean_square, "L2", L2), (exponential_sum, "L3", L3), (half_gelu, "L2", L2, HALF), (half_swiglu, "L3", L3, HALF),
    (half_relu, "L1", L1, HALF), (half_root, "L2", L2, HALF), (byte_clamp, "L2", L2, BYTE),
    (dequantize, "L3", L3, BYTE), (quantize, "L2", L2), (double_logarithm, "L2", L2, DOUBLE),
    (double_quotient, "memory", MEMORY // 2, DOUBLE), (double_error, "L1", L1, DOUBLE), (limits, "L1", L1),
    (binary_power, "L3", L3), (reciprocal_root, "L1", L1), (larger, "memory", MEMORY), (growth, "L2", L2),
    (some_tanh, "L2", L2), (in_place, "DRAM", DRAM), (floor_rest, "L1", L1), (linear_blend, "L3", L3)), "seen, held out first": (
    (adam, "L2", L2), (adam, "memory", MEMORY), (momentum, "L3", L3), (lion, "L2", L2), (gelu_gate, "L3", L3),
    (gelu_bias, "L3", MANY_ROWS), (silu_residual, "memory", MEMORY), (mish_scaled, "L3", L3),
    (soft_plus_gate, "L2", L2), (hard_swish_residual, "memory", MEMORY), (selu, "L2", L2),
    (rms_norm_residual, "L2", ROWS), (layer_norm_gelu, "L2", ROWS), (standardized, "L3", MANY_ROWS),
    (masked_soft_max, "L3", MANY_ROWS), (rotary, "L2", L2), (rotary_cached, "L3", L3), (complex_quotient, "L2", L2),
    (complex_exponential, "L2", L2), (huber, "L3", L3), (cross_entropy_of_two, "L2", L2),
    (divergence, "L3", MANY_ROWS), (log_sum, "L2", ROWS), (square_error, "L3", MANY_ROWS), (cosine, "L2", ROWS),
    (manhattan, "L3", MANY_ROWS), (clamps, "L2", L2), (limited, "memory", MEMORY), (choices, "L3", L3),
    (without_nan, "L2", L2), (half_gelu_gate, "L2", L2, HALF), (half_rms_norm, "L2", ROWS, HALF),
    (half_residual, "memory", MEMORY, HALF), (dequantized_gelu, "L3", L3, BYTE), (dequantized, "memory", MEMORY, BYTE),
    (requantized, "L3", L3), (double_gaussian, "L2", L2, DOUBLE), (double_distance, "L3", L3, DOUBLE),
    (focal, "DRAM", 1 << 25)), "seen, held out second": MORE,
    "seen, held out third": THIRD, "seen, held out fourth": FOURTH, "held out": HELD_OUT}.items()}
