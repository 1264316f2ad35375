"""A Triton kernel with its arguments, and its times on a GPU. Part of a folder that `seamscope replay` wrote; see README.md
there. It needs torch and triton.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import importlib.util
import os
import sys

import torch

HERE = os.path.dirname(os.path.realpath(__file__))


class Kernel:
    """What measure.py needs: `function(*args)` runs it, `inputs` are the memory of the tensors that it reads, and
    `restored` that which it also writes; `read` and `written` are in bytes."""

    def __init__(self, call):
        self.symbol = call["symbol"]
        self.device = torch.device(call["device"])
        if self.device.type == "cuda" and not torch.cuda.is_available():
            sys.exit("replay: error: torch finds no GPU here")
        torch.manual_seed(1)
        self.memory = {}  # by number
        self.args = [self._value(each, call) for each in call["arguments"]]
        self.read = self.written = 0
        reads, writes = set(), set()  # numbers of memory
        for each in call["arguments"]:
            if "value" in each:
                continue
            # The names that Inductor gives.
            changes = each["name"].startswith("in_out_ptr") or each["name"] in call["changed"]
            is_result = each["name"].startswith("out_ptr")
            size = min(torch.Size(each["shape"]).numel() * getattr(torch, each["dtype"]).itemsize, each["bytes"])
            if changes or not is_result:
                reads.add(each["storage"])
                self.read += size
            if changes or is_result:
                writes.add(each["storage"])
                self.written += size
        self.inputs = [self.memory[number] for number in reads]
        self.restored = [self.memory[number] for number in reads & writes]
        self._load(call)

    def _load(self, call):
        spec = importlib.util.spec_from_file_location("kernel", os.path.join(HERE, "kernel.py"))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        self.tuner = getattr(module, call["function"])
        # The configuration that the program chose is the only one to try.
        chosen = call["config"]
        configs = getattr(self.tuner, "configs", None)
        if chosen and configs:
            its = {"num_warps": chosen["num_warps"], "num_stages": chosen["num_stages"]}
            self.tuner.configs = [each for each in configs if each.kwargs == chosen["kwargs"]
                                  and all(getattr(each, name) == value for name, value in its.items())][:1] or [
                                      type(configs[0])(chosen["kwargs"], **its)]

    def _value(self, each, call):
        if "value" in each:
            return each["value"]
        kind, number = getattr(torch, each["dtype"]), each["storage"]
        if number not in self.memory:
            self.memory[number] = self._contents(each, kind, call["captured"])
        memory = self.memory[number]
        return memory[:memory.numel() // kind.itemsize * kind.itemsize].view(kind).as_strided(
            each["shape"], each["strides"], each["offset"] // kind.itemsize)

    def _contents(self, each, kind, captured):
        """Floating-point numbers are uniform in [0.1, 1), so that no logarithm, root or quotient is special; integers
        are uniform in the range that the program's had."""
        if captured:
            with open(os.path.join(HERE, "data", f"{each['storage']}.bin"), "rb") as file:
                return torch.frombuffer(bytearray(file.read()), dtype=torch.uint8).to(self.device)
        count = each["bytes"] // kind.itemsize
        if kind.is_floating_point:
            data = torch.empty(count, device=self.device).uniform_(0.1, 1).to(kind)
        else:
            low, high = (0, 1) if kind == torch.bool else each["limits"] or (0, 0)
            data = torch.randint(low, high + 1, (count,), device=self.device).to(kind)
        memory = torch.zeros(each["bytes"], dtype=torch.uint8, device=self.device)
        memory[:count * kind.itemsize] = data.view(torch.uint8)
        return memory

    def function(self, *args):
        stream = torch._C._cuda_getCurrentRawStream(self.device.index or 0) if self.device.type == "cuda" else 0
        self.tuner.run(*args, stream=stream)

    def contents(self):
        """The bytes of all tensors' memory."""
        return b"".join(bytes(self.memory[number].cpu().untyped_storage()) for number in sorted(self.memory))

    def last_level(self):
        """Bytes of the GPU's L2 cache; None: it is no GPU."""
        return torch.cuda.get_device_properties(self.device).L2_cache_size if self.device.type == "cuda" else None

    def device_times(self, call, count):
        """The times of `count` calls as the GPU ran them, by the profiler that also made the program's trace; None: it
        is no GPU."""
        if self.device.type != "cuda":
            return None
        from torch.profiler import ProfilerActivity, profile

        torch.cuda.synchronize()
        with profile(activities=[ProfilerActivity.CUDA]) as recorded:
            for _ in range(count):
                call()
            torch.cuda.synchronize()
        times = [event.duration_ns() for event in recorded.profiler.kineto_results.events()
                 if event.name() == self.symbol and event.device_type() != torch.autograd.DeviceType.CPU]
        if len(times) != count:
            sys.exit(f"replay: error: torch's profiler saw {len(times)} of {count} calls of {self.symbol}: "
                     "another profiler may use the GPU")
        return times
