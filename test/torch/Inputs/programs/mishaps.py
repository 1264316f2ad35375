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
if kind == "fork":
    # libomp's threads do not live on in the child: one thread is enough for its calls.
    sys.stdout.flush()
    child = os.fork()
    if not child:
        torch.set_num_threads(1)
        compiled(x)
        os._exit(7)
    print("child left with", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    compiled(x)
print("worked", flush=True)
if kind == "fails":
    raise SystemExit(3)
if kind == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
