"""gpu-model.py FOLDER [kernels]: twelve calls of a model through torch.compile, on a GPU that is not there, or of
functions whose kernels read and write memory in different ways. The stand-in writes to FOLDER/eager.json or
FOLDER/compiled.json what it did.

Its tensors are fake, but all else is real: Dynamo and Inductor compile it, the operators are dispatched, and each
computes by one launch of the CUDA driver (the stand-in's): "eager_NAME" for a library's, and Triton's kernels under
the names that Inductor gave them.
"""

import ctypes
import os
import sys

import torch
from torch._subclasses import FakeTensorMode
from torch.nn import functional

from fake_gpu import DEVICE, install_runtime, unrecorded

side = "eager" if os.environ.get("SEAMSCOPE_BASELINE") == "eager" else "compiled"
os.environ["STANDIN_LOG"] = os.path.join(sys.argv[1], side + ".json")
cuda = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    failed = getattr(cuda, name)(*arguments)
    assert not failed, (name, failed)


call("cuInit", 0)
context, module = ctypes.c_void_p(), ctypes.c_void_p()
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
call("cuCtxSetCurrent", context)
call("cuModuleLoadData", ctypes.byref(module), b"")
functions = {}
# How often a kernel reads the clock: a read takes some 9 ns.
READS = {"eager_addmm": 20000, "eager_mm": 18000, "eager__softmax": 9000, "eager_native_layer_norm": 7000}


def launch(name):
    if name not in functions:
        function = functions[name] = ctypes.c_void_p()
        call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
    reads = ctypes.c_uint(READS.get(name, 6000 if name.startswith("triton_") else 4000))
    arguments = (ctypes.c_void_p * 1)(ctypes.addressof(reads))
    call("cuLaunchKernel", functions[name], 1, 1, 1, 1, 1, 1, 0, None, arguments, None)


class Device(FakeTensorMode):
    """Launches what each operator computes with; views and empty memory need no kernel."""

    inside = 0

    def dispatch(self, function, kinds, arguments=(), options=None):
        self.inside += 1
        try:
            with unrecorded():
                return super().dispatch(function, kinds, arguments, options)
        finally:
            self.inside -= 1
            compiling = torch._guards.TracingContext.try_get() is not None
            name = function.overloadpacket.__name__
            if not self.inside and not compiling and function.namespace == "aten" and not function.is_view \
                    and not name.startswith("empty"):
                launch("eager_" + name)


def empty(*shape):
    return torch.nn.Parameter(torch.empty(*shape, device=DEVICE), requires_grad=False)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.first_bias = empty(512, 256), empty(512)
        self.second, self.second_bias = empty(128, 512), empty(128)
        self.scale, self.shift = empty(512), empty(512)

    def forward(self, x):
        y = functional.linear(x, self.first, self.first_bias)
        y = functional.gelu(y)  # gelu
        z = functional.layer_norm(y, (512,), self.scale, self.shift)  # norm
        z = z + y  # residual
        logits = functional.linear(z, self.second, self.second_bias)
        return torch.softmax(logits / 8, -1)  # attention


def double(x):
    return torch.sigmoid(x) * 2  # double


def triple(x):
    return torch.sigmoid(x) * 3  # triple


def residual(x, y, w):
    z = x + y
    return z, functional.layer_norm(z * 2, (256,), w) + z


def joined(x, y):
    return torch.cat([x.sin(), y.cos()], 1) * 2


def in_place(x, w, b):
    return functional.relu(functional.linear(x, w, b)) * 2


def columns_and_rows(x):
    return x.sum(0), x.amax(1)


def converted(x, w):
    return (x.float() * w).bfloat16()


def kernels():
    half = torch.bfloat16
    for function, shapes in ((residual, ((64, 256), (64, 256), (256,))), (joined, ((64, 32), (64, 48))),
                             (in_place, ((64, 256), (512, 256), (512,))), (columns_and_rows, ((512, 256),)),
                             (converted, ((64, 256), (256,)))):
        arguments = [torch.empty(*shape, device=DEVICE) for shape in shapes]
        if function is converted:
            arguments[0] = torch.empty(*shapes[0], device=DEVICE, dtype=half)
        compiled = torch.compile(function)
        for _ in range(3):
            compiled(*arguments)
        call("cuCtxSynchronize")


install_runtime(launch)
with Device(allow_non_fake_inputs=True), torch.no_grad():
    if sys.argv[2:] == ["kernels"]:
        kernels()
        sys.exit()
    # Inductor has one name for the kernels of both functions.
    model, twice, thrice = (torch.compile(each) for each in (Model().eval(), double, triple))
    x = torch.empty(64, 256, device=DEVICE)
    for _ in range(12):
        y = thrice(twice(model(x)))
        call("cuCtxSynchronize")
    print(tuple(y.shape))
