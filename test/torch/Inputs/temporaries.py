"""A chain of operators whose temporaries of 2 MB lie at the heap's top: whether malloc gives them back
after each call depends on what else was allocated. Prints the page faults of a call, their median.

usage: temporaries.py BYTES   how large the blocks are that the heap begins with"""
import resource
import sys

blocks = [bytes(int(sys.argv[1]) + 64 * i) for i in range(20)]

import torch


def chain(a, b, c, d):
    return torch.nn.functional.silu(((a + b) * c).tanh() - d).sum(-1)


def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


torch.manual_seed(0)
inputs = [torch.randn(1024, 512) for _ in range(4)]
found = []
for _ in range(30):
    before = faults()
    chain(*inputs)
    found.append(faults() - before)
print(f"{sorted(found)[15]} page faults a call")
