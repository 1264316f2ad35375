#===- kernels.py - kernels of Triton, compiled ahead of time ---------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Kernels of the shapes that people write, and what compiles them without a GPU."""

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.language.extra import libdevice


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


@triton.jit
def softmax(x, out, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * stride + at, mask=at < n, other=-float("inf"))
    top = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * stride + at, top / tl.sum(top, axis=0), mask=at < n)


@triton.jit
def matmul(a, b, c, m, n, k, lda, ldb, ldc, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    left = a + rows[:, None] * lda + inner[None, :]
    right = b + inner[:, None] * ldb + columns[None, :]
    total = tl.zeros((M, N), dtype=tl.float32)
    for i in range(0, tl.cdiv(k, K)):
        x = tl.load(left, mask=inner[None, :] < k - i * K, other=0.0)
        y = tl.load(right, mask=inner[:, None] < k - i * K, other=0.0)
        total = tl.dot(x, y, total)
        left += K
        right += K * ldb
    mask = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * ldc + columns[None, :], total.to(tl.float16), mask=mask)


@triton.jit
def attention(q, k, v, out, scale, n, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    depth = tl.arange(0, D)
    query = tl.load(q + rows[:, None] * D + depth[None, :])
    most = tl.full((M,), -float("inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    result = tl.zeros((M, D), tl.float32)
    for begin in range(0, n, N):
        columns = begin + tl.arange(0, N)
        key = tl.load(k + columns[None, :] * D + depth[:, None])
        score = tl.dot(query, key) * scale
        above = tl.maximum(most, tl.max(score, 1))
        weight = tl.exp2(score - above[:, None])
        shrink = tl.exp2(most - above)
        total = total * shrink + tl.sum(weight, 1)
        value = tl.load(v + columns[:, None] * D + depth[None, :])
        result = tl.dot(weight.to(tl.float16), value, result * shrink[:, None])
        most = above
    tl.store(out + rows[:, None] * D + depth[None, :], (result / total[:, None]).to(tl.float16))


@triton.jit
def library_math(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    value = tl.load(x + at)
    value = libdevice.tanh(value) + libdevice.erf(value) + libdevice.pow(value, 2.3)
    value += libdevice.lgamma(value) + libdevice.sin(value) + libdevice.log1p(value)
    tl.store(out + at, value)


@triton.jit
def atomics(x, f, h, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.atomic_add(f + at % 8, 0.1)
    tl.atomic_max(f + at % 8, 0.7)
    tl.atomic_add(x + at % 8, 1, sem="relaxed")
    tl.atomic_cas(x, 0, 1)
    tl.atomic_xchg(x + at, at)
    tl.atomic_add(h + at, tl.full((BLOCK,), 0.1, tl.float16))


@triton.jit
def _more(a, b):
    return a * 0.3 + b


@triton.jit
def scan(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    value = tl.associative_scan(tl.load(x + at), 0, _more)
    tl.store(out + at, tl.cumsum(value, 0) + tl.sort(value))


@triton.jit
def casts(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    value = tl.load(x + at)
    value += (value.to(tl.bfloat16) * 0.1).to(tl.float32)
    value += (value.to(tl.float16) * 0.1).to(tl.float32)
    value += (value.to(tl.float64) * 0.1).to(tl.float32)
    value += value.to(tl.float8e4nv).to(tl.float32) + value.to(tl.float8e5).to(tl.float32)
    tl.store(out + at, tl.where(value > 3.3, float("nan"), tl.where(value < 0, -float("inf"), value)))


@triton.jit
def tf32(a, b, c, M: tl.constexpr):
    at = tl.arange(0, M)[:, None] * M + tl.arange(0, M)[None, :]
    tl.store(c + at, tl.dot(tl.load(a + at), tl.load(b + at), input_precision="tf32x3") * 0.1)


@triton.jit
def tma(a, b, c, n, M: tl.constexpr):
    left = tl.make_tensor_descriptor(a, shape=[n, n], strides=[n, 1], block_shape=[M, M])
    right = tl.make_tensor_descriptor(b, shape=[n, n], strides=[n, 1], block_shape=[M, M])
    to = tl.make_tensor_descriptor(c, shape=[n, n], strides=[n, 1], block_shape=[M, M])
    total = tl.zeros((M, M), tl.float32)
    for k in range(0, n, M):
        total = tl.dot(left.load([tl.program_id(0) * M, k]), right.load([k, tl.program_id(1) * M]), total)
    to.store([tl.program_id(0) * M, tl.program_id(1) * M], total.to(tl.float16))


@triton.jit
def checked(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    value = tl.load(x + at)
    tl.device_assert(value > 0.1, "too small")
    tl.device_print("value", value)
    tl.store(out + at, tl.rand(7, at) + tl.inline_asm_elementwise(
        "add.f32 $0, $1, 0f3DCCCCCD; // 0.1", "=f,f", [value], dtype=tl.float32, is_pure=True, pack=1))


F32, F16, INT = "*fp32", "*fp16", "i32"
# The types of the arguments, constants, and warps.
KERNELS = {
    "add": (add, [F32, F32, F32, INT], [1024], 4),
    "softmax": (softmax, [F32, F32, INT, INT], [2048], 8),
    "matmul": (matmul, [F16, F16, F16, INT, INT, INT, INT, INT, INT], [128, 128, 64], 8),
    "attention": (attention, [F16, F16, F16, F16, "fp32", INT], [128, 64, 64], 4),
    "library_math": (library_math, [F32, F32], [512], 4),
    "atomics": (atomics, ["*i32", F32, F16], [256], 4),
    "scan": (scan, [F32, F32], [256], 4),
    "casts": (casts, [F32, F32], [512], 4),
    "tf32": (tf32, [F32, F32, F32], [64], 4),
    "tma": (tma, [F16, F16, F16, INT], [64], 4),
    "checked": (checked, [F32, F32], [256], 4),
}


def compiled(name, target=90):
    fn, types, constants, warps = KERNELS[name]
    names = fn.arg_names
    signature = {each: types[i] if i < len(types) else "constexpr" for i, each in enumerate(names)}
    attributes = {(i,): [["tt.divisibility", 16]] for i, each in enumerate(types) if each != "fp32"}
    source = ASTSource(fn=fn, signature=signature, attrs=attributes, constexprs={
        (len(types) + i,): value for i, value in enumerate(constants)})
    return triton.compile(source, target=GPUTarget("cuda", target, 32),
                          options={"num_warps": warps, "debug": name == "checked"})
