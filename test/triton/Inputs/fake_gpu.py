"""What Inductor and Dynamo ask of a GPU that is not there: an H100 as far as code generation sees it.

Tensors on it are fake: `with FakeTensorMode(): torch.empty(..., device=DEVICE)`.
"""

import contextlib
import types

import torch
import triton
from triton.backends.compiler import GPUTarget

TARGET = GPUTarget("cuda", 90, 32)
DEVICE = "cuda:0"
PROPERTIES = types.SimpleNamespace(
    major=9, minor=0, multi_processor_count=132, name="H100", total_memory=1 << 36, warp_size=32,
    max_threads_per_multi_processor=2048, regs_per_multiprocessor=65536, gcnArchName="",
    L2_cache_size=50 << 20, shared_memory_per_block_optin=232448)


class Driver:
    """As much of a driver as code generation asks."""

    def get_current_target(self):
        return TARGET

    def get_current_device(self):
        return 0

    def get_active_torch_device(self):
        return torch.device(DEVICE)


def install():
    """For code generation alone."""
    triton.runtime.driver.set_active(Driver())
    for name, answer in {"is_available": True, "device_count": 1, "current_device": 0,
                         "get_device_properties": PROPERTIES, "get_device_capability": (9, 0),
                         "_lazy_init": None, "synchronize": None, "set_device": None,
                         "get_device_name": "H100", "is_bf16_supported": True}.items():
        setattr(torch.cuda, name, lambda *_, answer=answer, **__: answer)
    torch.version.cuda = "13.0"

    from torch._inductor import config
    from torch._inductor.runtime import triton_helpers

    config.compile_threads = 1
    triton_helpers.set_driver_to_gpu = lambda: None


@contextlib.contextmanager
def unrecorded():
    """No observer sees the operators that only a tensor's being fake takes."""
    before = torch._C._record_function_enabled() if hasattr(torch._C, "_record_function_enabled") else True
    torch._C._autograd._enable_record_function(False)
    try:
        yield
    finally:
        torch._C._autograd._enable_record_function(before)


def unseen(function):
    def call(*arguments, **options):
        with unrecorded():
            return function(*arguments, **options)
    return call


def install_runtime(launch):
    """For torch.compile and what it made as well: launch(name) is called in place of each kernel of Triton."""
    install()
    state = torch.zeros(16, dtype=torch.uint8)
    for name, answer in {"_exchange_device": 0, "_maybe_exchange_device": 0, "get_rng_state": state,
                         "set_rng_state": None}.items():
        setattr(torch.cuda, name, lambda *_, answer=answer, **__: answer)

    from torch._inductor.fx_passes import joint_graph, post_grad
    from torch._inductor.runtime.triton_heuristics import CachingAutotuner

    guards = torch._C._dynamo.guards
    guards._empty_strided_cuda = unseen(
        lambda size, stride, dtype: torch.empty_strided(size, stride, dtype=dtype, device=DEVICE))
    guards._reinterpret_tensor = unseen(torch.as_strided)
    torch._C._cuda_getCurrentRawStream = lambda *_: 0
    # They compute examples of patterns on the device.
    joint_graph.lazy_init = post_grad.lazy_init = lambda *_: None
    CachingAutotuner.precompile = lambda self, *_, **__: None
    CachingAutotuner.run = lambda self, *_, **__: launch(self.fn.__name__)
