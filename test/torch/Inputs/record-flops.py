"""record-flops.py TRACE FLOPS: models of many operators, forward and backward.

Records them with torch.profiler and counts the same step with torch's FlopCounterMode. On a CPU
FlopCounterMode knows attention only as the products that it is made of: the fused kernels are
counted beside it, by the formula that it has for the same operator of a GPU.
"""

import json
import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.profiler import ProfilerActivity, profile
from torch.utils.flop_counter import FlopCounterMode, sdpa_backward_flop, sdpa_flop

torch.manual_seed(0)
torch.set_num_threads(1)
F = torch.nn.functional

cnn = torch.nn.Sequential(
    torch.nn.Conv2d(3, 8, 3, stride=2, padding=1),
    torch.nn.BatchNorm2d(8),
    torch.nn.ReLU(),
    torch.nn.Conv2d(8, 16, 3, padding=2, dilation=2, groups=2, bias=False),
    torch.nn.GELU(),
    torch.nn.ConvTranspose2d(16, 8, 4, stride=2, padding=1),
    torch.nn.MaxPool2d(2),
    torch.nn.Flatten(),
    torch.nn.Linear(8 * 16 * 16, 10),
)
signal = torch.nn.Sequential(
    torch.nn.Conv1d(4, 8, 5, padding="same"), torch.nn.SiLU(), torch.nn.Conv1d(8, 4, 1)
)
volume = torch.nn.Conv3d(2, 4, 3, padding=1)
block = torch.nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True)
image, label = torch.randn(4, 3, 32, 32), torch.randint(10, (4,))
tokens = torch.randn(2, 16, 32)
wave = torch.randn(2, 4, 50)
cube = torch.randn(1, 2, 6, 6, 6)
table = torch.nn.Embedding(100, 32)
ids = torch.randint(100, (2, 16))
shape = (2, 4, 16, 8)
q, k, v = (torch.randn(shape, requires_grad=True) for _ in range(3))
left, right = torch.randn(3, 5, 7, requires_grad=True), torch.randn(3, 7, 2, requires_grad=True)
bias = torch.randn(3, 5, 2, requires_grad=True)


def step():
    F.cross_entropy(cnn(image), label).backward()
    signal(wave).mean().backward()
    volume(cube).sum().backward()
    block(table(ids) + tokens).square().mean().backward()
    torch.baddbmm(bias, left, right).sum().backward()
    torch.einsum("bij,bjk->bik", left, right).sum().backward()
    (left[0] @ right[0, :, 0]).sum().backward()
    with torch.no_grad():
        torch.addmm(bias[0], left[0], right[0])


def fused_attention():
    F.scaled_dot_product_attention(q, k, v, is_causal=True).sum().backward()


def all_steps():
    with sdpa_kernel(SDPBackend.MATH):
        step()
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        fused_attention()


all_steps()
with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as recorded:
    all_steps()
recorded.export_chrome_trace(sys.argv[1])
with FlopCounterMode(display=False) as counter, sdpa_kernel(SDPBackend.MATH):
    step()
flops = {str(op).split(".")[-1]: n for op, n in counter.get_flop_counts()["Global"].items()}
flops["_scaled_dot_product_flash_attention_for_cpu"] = sdpa_flop(shape, shape, shape)
flops["_scaled_dot_product_flash_attention_for_cpu_backward"] = sdpa_backward_flop(
    shape, shape, shape, shape
)
with open(sys.argv[2], "w") as file:
    json.dump(flops, file)
