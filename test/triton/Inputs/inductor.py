"""inductor.py [--timed] FOLDER: kernels that Inductor generates for a GPU that is not there, compiled ahead of
time; PTX and cubin in the folder."""

import importlib.util
import os
import re
import sys
import types

timed = sys.argv[1] == "--timed"
folder = sys.argv[1 + timed]
if timed:
    import seamscope.triton
import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

TARGET = GPUTarget("cuda", 90, 32)


class Driver:
    """As much of a driver as code generation asks."""

    def get_current_target(self):
        return TARGET

    def get_current_device(self):
        return 0

    def get_active_torch_device(self):
        return torch.device("cuda", 0)


triton.runtime.driver.set_active(Driver())
PROPERTIES = types.SimpleNamespace(
    major=9, minor=0, multi_processor_count=132, name="H100", total_memory=1 << 36, warp_size=32,
    max_threads_per_multi_processor=2048, regs_per_multiprocessor=65536, gcnArchName="",
    L2_cache_size=50 << 20, shared_memory_per_block_optin=232448)
for name, answer in {"is_available": True, "device_count": 1, "current_device": 0,
                     "get_device_properties": PROPERTIES, "get_device_capability": (9, 0),
                     "_lazy_init": None, "synchronize": None, "set_device": None,
                     "get_device_name": "H100", "is_bf16_supported": True}.items():
    setattr(torch.cuda, name, lambda *_, answer=answer, **__: answer)
torch.version.cuda = "13.0"

from torch._inductor import config
from torch._inductor.debug import DebugContext
from torch._inductor.decomposition import select_decomp_table
from torch._inductor.graph import GraphLowering
from torch._inductor.runtime import triton_helpers
from torch._inductor.virtualized import V
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

config.compile_threads = 1
triton_helpers.set_driver_to_gpu = lambda: None


def pointwise(x, y):
    return torch.nn.functional.gelu(x * y + 1.5)


def rows(x, y):
    return torch.softmax(x + y * 0.1, -1)


def total(x, y):
    return (x * y).sum()


def generated(function):
    """The source of each kernel."""
    with FakeTensorMode() as mode:
        inputs = [torch.empty(4096, 3072, device="cuda") for _ in range(2)]
        graph = make_fx(function, decomposition_table=select_decomp_table(), tracing_mode="fake")(*inputs)
        lowered = GraphLowering(graph)
        with V.set_graph_handler(lowered), V.set_fake_mode(mode), V.set_debug_handler(DebugContext()):
            lowered.run(*inputs)
            code = lowered.codegen()[0]
    return re.findall(r"async_compile\.triton\('(\w+)', '''\n(.*?)'''", getattr(code, "value", code), re.S)


os.makedirs(folder, exist_ok=True)
for function in (pointwise, rows, total):
    for name, source in generated(function):
        path = os.path.join(os.path.dirname(os.path.abspath(folder)), f"{function.__name__}-{name}.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        tuner = getattr(module, name)
        arguments = tuner.fn.arg_names
        signature = dict(tuner.triton_meta["signature"])
        # Constants that the configuration chooses, and those of the kernel.
        constants = {**tuner.triton_meta["constants"], **tuner.configs[0].kwargs}
        for each in arguments:
            if each not in signature or each in constants:
                signature[each] = "constexpr"
        kernel = triton.compile(
            ASTSource(fn=tuner.fn, signature=signature, attrs=tuner.triton_meta["configs"][0],
                      constexprs={(arguments.index(each),): value for each, value in constants.items()}),
            target=TARGET, options={"num_warps": tuner.configs[0].num_warps})
        for kind, how in (("ptx", "w"), ("cubin", "wb")):
            with open(os.path.join(folder, f"{function.__name__}-{name}.{kind}"), how) as file:
                file.write(kernel.asm[kind])
        print(name, "has stamps" if "__seamscope_gpu_control_v1" in kernel.asm["ptx"] else "has no stamps")
