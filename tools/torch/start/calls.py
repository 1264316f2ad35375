#===- calls.py - what one call of each C++ kernel needs ---------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""`seamscope replay` runs a kernel outside of its program. For that, this module notes the first call of each of
Inductor's C++ kernels in a file of the run's folder: its code, its compiler's command, and the type, shape, strides
and memory of each argument. Contents of tensors are not noted, except the least and the greatest value of integers,
which may be indices.

Generated code looks up a kernel by its name in its module for each call. There this module puts a function that
notes the call and puts the kernel back, so later calls run as without it.

With `seamscope run --capture KERNEL[:N]`, the memory of the arguments of call N is written to files, before the
kernel runs.
"""

import ctypes
import fcntl
import json
import os
import shlex

from _seamscope_waiting import guarded, load, message

HERE = os.path.dirname(os.path.realpath(__file__))
LOST = "a kernel cannot be replayed"

# Values that are looked at for the least and the greatest: some ms at most.
MOST_VALUES = 65536

# Contents that are written for one call.
MOST_BYTES = 1 << 30

_INTEGERS = {"int8": ctypes.c_int8, "uint8": ctypes.c_uint8, "int16": ctypes.c_int16, "int32": ctypes.c_int32,
             "int64": ctypes.c_int64}


class _Kernel:
    def __init__(self, result, types, code, command):
        self.result = result  # held, so that no other object gets its id
        self.types = types
        self.code = code
        self.command = command


_made = {}  # by id of the function or future: _Kernel
_made_triton = {}  # the same: the object, which is held, and a Kernel of triton_calls.py
_captures = 0
_command = None  # of the kernel that is being made


def _wanted_capture(name):
    """The number of the call to capture, from 1 on; 0: none."""
    wanted, _, number = os.environ.get("SEAMSCOPE_CAPTURE", "").rpartition(":")
    return int(number) if wanted == name else 0


def _limits(tensor, kind):
    """The least and the greatest of the first values in a tensor's memory."""
    item = _INTEGERS.get(kind)
    count = min(MOST_VALUES, tensor.untyped_storage().nbytes() // ctypes.sizeof(item) - tensor.storage_offset()
                if item else 0)
    if count <= 0:
        return None
    # No operator of torch: it would be recorded as one of the program's.
    values = memoryview((item * count).from_address(tensor.data_ptr())).cast("B").cast(item._type_)
    return [min(values), max(values)]


def _storages(args):
    """By address, the sizes of the tensors' memory. Tensors that share memory have one entry."""
    storages = {}
    for value in args:
        if not isinstance(value, (bool, int, float)):
            storage = value.untyped_storage()
            storages.setdefault(storage.data_ptr(), storage.nbytes())
    return storages


def described(tensor, number):
    """A tensor, whose memory has this number."""
    return {"dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape),
            "strides": list(tensor.stride()), "offset": tensor.storage_offset() * tensor.element_size(),
            "bytes": tensor.untyped_storage().nbytes(), "storage": number}


def _arguments(types, args, storages):
    found = []
    numbers = {address: number for number, address in enumerate(storages)}
    for name, value in zip(types, args):
        entry = {"type": name}
        if isinstance(value, (bool, int, float)):
            entry["value"] = value
        else:
            entry.update(described(value, numbers[value.untyped_storage().data_ptr()]))
            if name.startswith("const"):
                entry["limits"] = _limits(value, entry["dtype"])
        found.append(entry)
    return found


def write(entry, path):
    """One line in one call, under a lock: all processes of a run have one file."""
    line = (json.dumps(entry) + "\n").encode()
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        end = os.fstat(file).st_size
        if os.write(file, line) != len(line):
            os.ftruncate(file, end)
            raise OSError("the file system is full")
    finally:
        os.close(file)


def capture(name, number, sizes, contents):
    """Writes the memory of the tensors, whose sizes are known first. Returns the folder, or None."""
    limit = os.environ.get("SEAMSCOPE_CAPTURE_LIMIT", "")
    most = int(limit) if limit.isdigit() else MOST_BYTES
    if sum(sizes) > most:
        message(f"call {number} of {name} is not captured: its tensors have {sum(sizes)} bytes, and "
                f"at most {most} are kept (SEAMSCOPE_CAPTURE_LIMIT)")
        return None
    global _captures
    _captures += 1
    folder = f"{os.getpid()}-{_captures}"
    whole = os.path.join(os.path.dirname(os.environ["SEAMSCOPE_CALLS"]), "captured", folder)
    os.makedirs(whole, 0o700)
    for index, content in enumerate(contents):
        with open(os.path.join(whole, f"{index}.bin"), "wb") as file:
            file.write(content)
    return folder


@guarded(LOST)
def note(name, kernel, number, args, captures, copies={}):
    """Writes what one call needs. `copies`: by address of memory that changed since the call began, that of a copy."""
    import torch

    storages = _storages(args)
    contents = (memoryview((ctypes.c_char * size).from_address(copies.get(address, address)))
                for address, size in storages.items())
    folder = capture(name, number, storages.values(), contents) if captures else None
    place = getattr(getattr(kernel.result, "__self__", None), "__file__", "") or ""
    write({"kernel": name, "call": number, "library": place, "code": kernel.code, "command": kernel.command,
            "torch": str(torch.__version__), "threads": torch.get_num_threads(), "captured": folder,
            "arguments": _arguments(kernel.types, args, storages)}, os.environ["SEAMSCOPE_CALLS"])


def _first_call(scope, name, kernel):
    wanted = _wanted_capture(name)
    count = 0

    def call(*args):
        nonlocal count
        count += 1
        if count >= wanted and scope.get(name) is call:
            scope[name] = kernel.result
        if count == 1 or count == wanted:
            note(name, kernel, count, args, count == wanted)
        return kernel.result(*args)

    return call


def _checked(name, kernel):
    if load(HERE, "check_operators").is_compiling:
        return kernel.result
    return load(HERE, "check").Kernel(name, kernel)


def watch_async_compile(async_compile):
    """Call with torch._inductor.async_compile, after cpp_builder. A second call does nothing."""
    from torch._inductor import cpp_builder

    kinds = async_compile.AsyncCompile
    make, make_triton, wait = kinds.cpp_pybinding, kinds.triton, kinds.wait
    checks = os.environ.get("SEAMSCOPE_CHECKS")
    if getattr(make, "_of_seamscope", False):
        return
    command_of = cpp_builder.CppBuilder.get_command_line

    def get_command_line(self):
        global _command
        line = command_of(self)
        _command = _command or line  # the first one is that of the kernel
        return line

    def cpp_pybinding(self, argtypes, source_code, *args, **kwargs):
        global _command
        _command = None
        result = make(self, argtypes, source_code, *args, **kwargs)
        try:
            command = shlex.split(_command or "")
        except ValueError:
            command = []
        _made[id(result)] = _Kernel(result, list(argtypes), source_code, command)
        return result

    def triton(self, kernel_name, source_code, *args, **kwargs):
        result = make_triton(self, kernel_name, source_code, *args, **kwargs)
        _made_triton[id(result)] = (result, load(HERE, "triton_calls").Kernel(kernel_name, source_code))
        return result

    def wait_for_all(self, scope, *args, **kwargs):
        names = {name: _made.pop(id(value)) for name, value in list(scope.items()) if id(value) in _made}
        of_triton = {name: _made_triton.pop(id(value))[1] for name, value in list(scope.items())
                     if id(value) in _made_triton}
        result = wait(self, scope, *args, **kwargs)
        for name, kernel in of_triton.items():
            kernel.watch(name, scope[name], _wanted_capture(name))
        for name, kernel in names.items():
            kernel.result = scope[name]
            if callable(kernel.result):
                scope[name] = _checked(name, kernel) if checks else _first_call(scope, name, kernel)
        return result

    cpp_pybinding._of_seamscope = True
    kinds.cpp_pybinding, kinds.wait = cpp_pybinding, wait_for_all
    if not checks:
        kinds.triton = triton
    cpp_builder.CppBuilder.get_command_line = get_command_line
