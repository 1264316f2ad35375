# Operators of many kinds, on three threads, while the library named by the first argument watches malloc.
import ctypes
import sys
import threading

import torch

watch = ctypes.CDLL(sys.argv[1]).watch


def chain(rows):
    a, b, c, d = (torch.ones(rows, 64, requires_grad=True) for _ in range(4))
    out = torch.nn.functional.silu(((a + b) * c).tanh() - d).sum(-1)
    torch.cat([a, b, c]).reshape(-1).split(64 * rows)
    torch.nn.functional.pad(a, (1, 2), value=rows + 0.123456789012345)
    torch.einsum("ij,kj->ik", a, b)
    torch.full((3,), complex(rows, 1))
    out.sum().backward()


watch(1)
for rows in range(1, 20):
    chain(rows)
thread = threading.Thread(target=lambda: [chain(rows) for rows in range(10, 30)])
thread.start()
thread.join()
watch(0)
