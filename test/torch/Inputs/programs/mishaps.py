"""mishaps.py KIND: compiles one function and runs it, with something in the way."""
import os
import signal
import sys

import torch

kind = sys.argv[1]
if kind == "g++":
    torch._inductor.config.cpp.cxx = ("g++",)
if kind == "workers":
    torch._inductor.config.worker_start_method = "subprocess"
    torch._inductor.config.compile_threads = 2


def work(x):
    return torch.relu(x) * 3 + 1  # work


def more(x):
    return torch.sin(x) - 2  # more


torch.manual_seed(0)
torch.set_num_threads(2)
x = torch.rand(256, 64)
compiled = torch.compile(work)
for _ in range(3):
    torch.testing.assert_close(compiled(x), work(x))
torch.compile(more)(x)
print("worked", flush=True)
if kind == "fails":
    raise SystemExit(3)
if kind == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
