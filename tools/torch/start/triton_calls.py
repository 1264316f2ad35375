#===- triton_calls.py - what one call of each Triton kernel needs -----------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""The counterpart of calls.py for the kernels that Inductor generates for GPUs, or takes from the program: notes the
source of each, the type, shape and strides of its arguments, and the configuration that runs, in the same file.

Generated code calls `KERNEL.run(...)`. The object gets a `run` of its own, which notes the call and is then removed.
"""

import os

from _seamscope_waiting import guarded, load

HERE = os.path.dirname(os.path.realpath(__file__))
LOST = "a Triton kernel cannot be replayed"


class _Unrecorded:
    """Torch's operators in it are in no trace."""

    def __enter__(self):
        import torch

        self.before = torch._C._record_function_enabled() if hasattr(torch._C, "_record_function_enabled") else True
        torch._C._autograd._enable_record_function(False)

    def __exit__(self, *_):
        import torch

        torch._C._autograd._enable_record_function(self.before)


def _is_number(value):
    return value is None or isinstance(value, (bool, int, float))


def _limits(tensor, most):
    """The least and the greatest of the first elements of integers, which may be indices."""
    import torch

    if tensor.is_floating_point() or tensor.is_complex() or tensor.dtype == torch.bool or not tensor.numel():
        return None
    size = tensor.untyped_storage().nbytes() // tensor.element_size() - tensor.storage_offset()
    first = tensor.as_strided((min(most, size),), (1,)).cpu()
    return [int(first.min()), int(first.max())]


def _described(calls, names, args):
    """The arguments, and the memory that they share."""
    storages = {}
    found = []
    for name, value in zip(names, args):
        if _is_number(value):
            found.append({"name": name, "value": value})
            continue
        # Fake tensors have no address.
        key = value.untyped_storage()._cdata
        storages.setdefault(key, value.untyped_storage())
        entry = {"name": name, **calls.described(value, list(storages).index(key))}
        entry["limits"] = _limits(value, calls.MOST_VALUES)
        found.append(entry)
    return found, list(storages.values())


def _contents(storages):
    """The bytes of tensors' memory, on a device or not."""
    import torch

    for storage in storages:
        yield torch.empty(0, dtype=torch.uint8, device=storage.device).set_(storage).cpu().numpy().data


def _configuration(tuner):
    """That which was chosen, or None."""
    launchers = getattr(tuner, "launchers", ())
    if len(launchers) != 1:
        return None
    config = launchers[0].config
    return {"kwargs": dict(config.kwargs), "num_warps": config.num_warps, "num_stages": config.num_stages}


class _Call:
    """What is known before a call; `write` adds what is known after it."""

    @guarded(LOST)
    def __init__(self, kernel, number, args, options, captures):
        self.entry = None
        calls = load(HERE, "calls")
        import torch

        others = sorted(set(options) - {"stream"})
        if others:
            calls.write({"kernel": kernel.name, "call": number, "refused":
                         f"it is called with {', '.join(others)}"}, os.environ["SEAMSCOPE_CALLS"])
            return
        with _Unrecorded():
            described, storages = _described(calls, kernel.tuner.fn.arg_names, args)
            folder = None
            if captures:
                sizes = [storage.nbytes() for storage in storages]
                folder = calls.capture(kernel.name, number, sizes, _contents(storages))
        device = next((value.device for value in args if not _is_number(value)), None)
        self.entry = {"kernel": kernel.name, "call": number, "triton": kernel.source, "function": kernel.function,
                      "symbol": kernel.tuner.fn.__name__, "device": str(device),
                      "changed": sorted(set(kernel.tuner.inductor_meta.get("mutated_arg_names") or ())),
                      "torch": str(torch.__version__), "captured": folder, "arguments": described}

    @guarded(LOST)
    def write(self, tuner):
        if self.entry:
            load(HERE, "calls").write({**self.entry, "config": _configuration(tuner)}, os.environ["SEAMSCOPE_CALLS"])


class Kernel:
    """A kernel of Triton by its name in generated code."""

    def __init__(self, function, source):
        self.function = function
        self.source = source
        self.name = None
        self.tuner = None

    def watch(self, name, tuner, wanted):
        """`tuner` will run the kernel. `wanted`: the number of the call to capture, from 1 on, or 0."""
        if not hasattr(tuner, "fn") or not hasattr(type(tuner), "run"):
            return  # of a kind that this module does not know
        self.name, self.tuner = name, tuner
        count = 0

        def run(*args, **options):
            nonlocal count
            count += 1
            if count >= wanted:
                vars(tuner).pop("run", None)
            call = _Call(self, count, args, options, count == wanted) if count in (1, wanted) else None
            result = type(tuner).run(tuner, *args, **options)
            if call:
                call.write(tuner)
            return result

        tuner.run = run
