"""workers.py [--timed] METHOD: a kernel of Triton's that a process of Inductor's pool compiles, by the function
that torch.compile has called there, for a GPU that is not there; says what its PTX has."""

import functools
import os
import sys

method = sys.argv[-1]
os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "2"
os.environ["TORCHINDUCTOR_WORKER_START"] = method
if sys.argv[1] == "--timed":
    import seamscope.triton
from torch._inductor import config
from torch._inductor.async_compile import (
    AsyncCompile, _load_triton_kernel_from_source, _worker_compile_triton)

assert (config.compile_threads, config.worker_start_method) == (2, method)

SOURCE = '''
import os
import types
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def shifted(out, x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) + 1.5, mask=at < n)


class Tuner:
    """As much of Inductor's as a worker asks: the rest needs a GPU."""

    def precompile(self, warm_cache_only):
        assert warm_cache_only
        kernel = triton.compile(
            ASTSource(fn=shifted, constexprs={(3,): 1024},
                      signature={"out": "*fp32", "x": "*fp32", "n": "i32", "BLOCK": "constexpr"}),
            target=GPUTarget("cuda", 90, 32), options={"num_warps": 4})
        self.stamps = "__seamscope_gpu_control_v1" in kernel.asm["ptx"]
        self.process = os.getpid()

    def prepare_for_pickle(self):
        pass

    def __reduce__(self):
        return types.SimpleNamespace, (), {"stamps": self.stamps, "process": self.process}


tuner = Tuner()
'''


def main():
    AsyncCompile.wait_pool_ready()
    job = AsyncCompile.process_pool().submit(
        _worker_compile_triton, functools.partial(_load_triton_kernel_from_source, "tuner", SOURCE), {}, {})
    tuner, _ = job.result(timeout=120)
    print(method, "in another process:", tuner.process != os.getpid())
    print(method, "has stamps" if tuner.stamps else "has no stamps", flush=True)


if __name__ == "__main__":
    main()
