"""inductor.py [--timed] FOLDER: kernels that Inductor generates for a GPU that is not there, compiled ahead of
time; LLVM IR, PTX and cubin in the folder."""

import importlib.util
import os
import re
import sys

timed = sys.argv[1] == "--timed"
folder = sys.argv[1 + timed]
if timed:
    import seamscope.triton
import torch
import triton
from triton.compiler import ASTSource

from fake_gpu import TARGET, install

install()
from torch._inductor.debug import DebugContext
from torch._inductor.decomposition import select_decomp_table
from torch._inductor.graph import GraphLowering
from torch._inductor.virtualized import V
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx


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
        for kind, how in (("llir", "w"), ("ptx", "w"), ("cubin", "wb")):
            with open(os.path.join(folder, f"{function.__name__}-{name}.{kind}"), how) as file:
                file.write(kernel.asm[kind])
        print(name, "has stamps" if "__seamscope_gpu_control_v1" in kernel.asm["ptx"] else "has no stamps")
