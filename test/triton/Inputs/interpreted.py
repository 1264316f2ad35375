"""interpreted.py FOLDER: Inductor's Triton kernels on a machine without a GPU: Triton's interpreter runs them on the CPU
(TRITON_INTERPRET=1). Writes what the program computes to FOLDER/NAME.bin."""

import os
import sys

import torch
import triton

from fake_gpu import Driver

triton.runtime.driver.set_active(Driver())

from torch._inductor import config

config.cpu_backend = "triton"
config.compile_threads = 1
folder = sys.argv[1]


@torch.compile
def rows(x, index):
    """A reduction, whose input is looked up."""
    return torch.relu(x[index] * 3 + 1.5).sum(-1)


@torch.compile
def changed(x, y):
    x.mul_(y).add_(1)


@torch.compile(dynamic=True)
def sized(x, scale):
    return torch.where(x > 0.5, x * scale, 0).to(torch.bfloat16)


def keep(name, *tensors):
    with open(os.path.join(folder, name + ".bin"), "wb") as file:
        for each in tensors:
            file.write(bytes(each.contiguous().untyped_storage()))


torch.manual_seed(3)
index, x = torch.randint(0, 64, (10,)), torch.rand(64, 96)
for call in range(3):
    result = rows(x + call, index)
    assert torch.allclose(result, torch.relu((x + call)[index] * 3 + 1.5).sum(-1))
keep("rows", result)  # of the third call
y, before = torch.rand(96)[1:90], torch.rand(50, 89)
z = before.clone()
changed(z, y)
assert torch.allclose(z, before * y + 1)
keep("changed", z)
keep("sized", sized(torch.rand(7, 11), 2.0))
