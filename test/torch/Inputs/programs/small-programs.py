"""small-programs.py SHA256.txt: twenty programs of a few lines, each compiled and run twice.

Writes a line a program, its name and a digest of all that it gave, to be compared with those of
another run; `--check FOLDER REPORT.json` looks at what a report says of the kernels.
"""
import hashlib
import sys

import torch
from found import Found
from torch import nn
from torch.nn import functional as F

PROGRAMS = []


def program(*shapes, **more):
    def add(function):
        PROGRAMS.append((function, shapes, more))
        return function
    return add


@program((64, 64), (64, 64))
def pointwise(x, y):
    return torch.sin(x) * y + torch.exp(-x)  # pointwise


@program((64, 1), (1, 48))
def broadcast(x, y):
    return torch.where(x > y, x - y, x * y).clamp(-0.5, 0.5)  # broadcast


@program((40, 50))
def mixed_types(x):
    return (x.double() * 3).to(torch.float16).float() + (x > 0).int()  # mixed_types


@program((64, 65))
def sums(x):
    return x.sum(0), x.mean(1), x.amax(), x.var(1)  # sums


@program((33, 77))
def arguments(x):
    return x.argmax(1), x.abs().argmin(0)  # arguments


@program((16, 100))
def running(x):
    return torch.cumsum(x * 2, 1)  # running


@program((32, 64))
def softmax(x):
    return torch.softmax(x, 1), torch.log_softmax(x * 2, 0)  # softmax


@program((32, 64))
def layer_norm(x):
    return F.layer_norm(x + 1, (64,))  # layer_norm


@program((8, 32, 9, 9))
def group_norm(x):
    return F.relu(F.group_norm(x, 4))  # group_norm


@program((8, 16, 10, 10))
def batch_norm(x):
    zero, one = torch.zeros(16), torch.ones(16)  # batch_norm
    return F.batch_norm(x, zero, one, training=True) * 2  # batch_norm


@program((64, 32), (32,))
def rms_norm(x, weight):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weight  # rms_norm


@program((2, 3, 16, 16), (4, 3, 3, 3))
def convolution(x, weight):
    return F.gelu(F.conv2d(x, weight, padding=1)) + 1  # convolution


@program((2, 4, 16, 16))
def pooling(x):
    return F.avg_pool2d(F.max_pool2d(x, 2), 2)  # pooling


@program((32, 16), (16, 24), (24,))
def matrix(x, w, b):
    return torch.tanh(x @ w + b) @ w.t()  # matrix


@program((5, 2, 8), module=lambda: nn.LSTMCell(8, 8))
def lstm(module, x):
    h = c = torch.zeros(2, 8)  # lstm
    for step in x:
        h, c = module(step, (h, c))  # lstm
    return h, c


@program(module=lambda: nn.Embedding(20, 16))
def embedding(module):
    words = torch.arange(30).reshape(3, 10) % 20  # embedding
    return module(words).mean(1) * 4  # embedding


@program((2, 4, 12, 8))
def attention(x):
    scores = x @ x.transpose(-1, -2) / 8**0.5  # attention
    return torch.softmax(scores + torch.ones(12, 12).triu(1) * -9, -1) @ x  # attention


@program((2, 3, 8, 8))
def layout(x):
    y = F.pad(x, (1, 1, 1, 1)).permute(0, 2, 3, 1).flip(1)  # layout
    return torch.cat([y, y * 2], -1).contiguous()  # layout


@program((16, 10), backward=True)
def loss(x):
    wanted = torch.arange(16) % 10  # loss
    return F.cross_entropy(x, wanted) + F.smooth_l1_loss(x, x.flip(0))  # loss


@program((16, 8), (16, 8), (16, 8), (16, 8))
def optimizer(weight, slope, mean, square):
    mean = mean.lerp(slope, 0.1)  # optimizer
    square = torch.addcmul(square.abs() * 0.999, slope, slope, value=0.001)  # optimizer
    return weight - 0.01 * mean / (square.sqrt() + 1e-8), mean, square  # optimizer


def bytes_of(result):
    if isinstance(result, torch.Tensor):
        yield str((result.dtype, tuple(result.shape))).encode()
        yield bytes(result.detach().contiguous().view(torch.uint8).flatten().tolist()
                    if result.dim() else result.detach().reshape(1).view(torch.uint8).tolist())
    else:
        for part in result:
            yield from bytes_of(part)


def main(path):
    torch.set_num_threads(2)
    with open(path, "w") as file:
        for function, shapes, more in PROGRAMS:
            torch.manual_seed(0)
            modules = [more["module"]()] if "module" in more else []
            backward = "backward" in more
            given = [torch.randn(shape, requires_grad=backward) for shape in shapes]
            compiled = torch.compile(function, fullgraph=True)
            digest = hashlib.sha256()
            for _ in range(2):
                result = compiled(*modules, *given)
                if backward:
                    result.backward()
                    result = [result, *(each.grad for each in given)]
                for part in bytes_of(result):
                    digest.update(part)
            print(function.__name__, digest.hexdigest(), file=file)


def check(folder, report):
    found = Found(folder, report, sys.argv[0])
    number = found.check_kernels()
    tags = set()
    for kernel in found.report["kernels"]:
        tags |= found.tags(kernel["python"])
        for use in kernel["uses"]:
            assert use["direction"] == "backward" or use["eager_ops"], (kernel["name"], use)
    missing = {function.__name__ for function, _, _ in PROGRAMS} - tags
    assert not missing, missing
    assert len(PROGRAMS) == 20
    print(f"{len(PROGRAMS)} programs, {number} kernels with names and lines")


if sys.argv[1] == "--check":
    check(*sys.argv[2:])
else:
    main(sys.argv[1])
