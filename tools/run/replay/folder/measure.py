"""Runs one operator of torch alone, nodes of a graph one after the other, or a kernel of Triton, and measures them.
Part of a folder that `seamscope replay` wrote; see README.md there. It needs torch.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import ast
import json
import math
import os
import resource
import sys
import time

import torch

# As torch names the type of a tensor in a trace.
TYPES = {"double": torch.float64, "float": torch.float32, "c10::Half": torch.float16, "c10::BFloat16": torch.bfloat16,
         "long int": torch.int64, "long": torch.int64, "int": torch.int32, "short int": torch.int16,
         "short": torch.int16, "signed char": torch.int8, "unsigned char": torch.uint8, "bool": torch.bool}

# As torch names it in a graph.
SHORT = {"f64": "double", "f32": "float", "f16": "c10::Half", "bf16": "c10::BFloat16", "i64": "long int", "i32": "int",
         "i16": "short int", "i8": "signed char", "u8": "unsigned char", "b8": "bool"}

STATES = {"hot": "called again and again on the same memory", "written": "inputs just written by all threads",
          "cold": "no tensor in a cache"}


class Unfit(Exception):
    """The inputs are not those of this overload."""


def literal(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise Unfit(f"'{text}' is no value") from None


class Inputs:
    def __init__(self, of):
        self.dims, self.types, self.strides, self.values = (of[key] for key in ("dims", "types", "strides", "values"))
        sizes = [size for dims, kind in zip(self.dims, self.types) if kind in TYPES for size in dims]
        # Integers may be indices along any dimension.
        self.highest = max(1, min(sizes, default=1))
        self.tensors = []

    def tensor(self, number):
        """Floating-point numbers are uniform in [0.1, 1), so that no logarithm, root or quotient is special."""
        kind = TYPES.get(self.types[number])
        if kind is None:
            raise Unfit(f"an input has type '{self.types[number]}'")
        shape, strides = self.dims[number], self.strides[number] or []
        if len(strides) != len(shape):
            strides = list(torch.empty(shape, device="meta").stride())
        size = 1 + sum((size - 1) * stride for size, stride in zip(shape, strides)) if math.prod(shape) else 0
        if kind.is_floating_point:
            data = torch.empty(size, dtype=torch.float32).uniform_(0.1, 1).to(kind)
        else:
            data = torch.randint(0, 2 if kind == torch.bool else self.highest, (size,)).to(kind)
        found = data.as_strided(shape, strides)
        self.tensors.append(found)
        return found

    def value(self, number, argument):
        kind = str(argument.type).removeprefix("Optional[").rstrip("]") if str(argument.type).startswith(
            "Optional[") else str(argument.type)
        text = self.values[number]
        if kind == "Tensor" and self.types[number] in TYPES:
            return self.tensor(number)
        if self.types[number] in TYPES:
            raise Unfit("a tensor is passed for something else")
        if text in ("", None):
            if str(argument.type).startswith("Optional["):
                return None
            if argument.has_default_value():
                return argument.default_value
            raise Unfit(f"the trace does not say what {argument.name} is")
        found = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}.get(text)
        found = literal(text) if found is None else found
        if kind.startswith("List[") != isinstance(found, (list, tuple)):
            raise Unfit(f"{argument.name} is no {argument.type}")
        return found


def prepare(call):
    """The function, its positional and its named arguments, the inputs, and the positions of arguments it changes."""
    space, _, name = call["operator"].partition("::")
    packet = getattr(getattr(torch.ops, space), name, None)
    if packet is None:
        sys.exit(f"replay: error: torch {torch.__version__} has no operator {call['operator']}")
    why = "no overload takes so many inputs"
    for overload in packet.overloads():
        function = getattr(packet, overload)
        arguments = function._schema.arguments
        if len(arguments) != len(call["dims"]):
            continue
        torch.manual_seed(1)
        inputs = Inputs(call)
        try:
            values = [inputs.value(number, argument) for number, argument in enumerate(arguments)]
            args = [value for value, argument in zip(values, arguments) if not argument.kwarg_only]
            more = {argument.name: value for value, argument in zip(values, arguments) if argument.kwarg_only}
            result = function(*args, **more)
        except (Unfit, RuntimeError, TypeError, IndexError, ValueError) as error:
            why = f"{function}: {str(error).splitlines()[0] if str(error) else type(error).__name__}"
            continue
        changed = [value for value, argument in zip(values, arguments)
                   if isinstance(value, torch.Tensor) and argument.alias_info and argument.alias_info.is_write]
        return function, args, more, inputs, changed, result
    sys.exit(f"replay: error: {call['operator']} cannot be called with these inputs: {why}")


def prepare_nodes(call):
    """The same for nodes of a graph."""
    import torch._inductor.inductor_prims  # noqa: F401 - operators that a graph of Inductor may have

    given = call["inputs"]
    inputs = Inputs({"dims": [each["dims"] for each in given], "strides": [each["strides"] for each in given],
                     "types": [SHORT.get(each["type"]) for each in given], "values": []})
    torch.manual_seed(1)
    try:
        args = [inputs.tensor(number) for number in range(len(given))]
    except Unfit as why:
        sys.exit(f"replay: error: the nodes cannot be called: {why}")
    lines = [f"def run({', '.join(each['name'] for each in given)}):", *(f"    {each}" for each in call["nodes"]),
             f"    return ({', '.join(call['outputs'])},)"]
    space = {"torch": torch, "device": torch.device, "inf": math.inf, "nan": math.nan}
    exec(compile("\n".join(lines), "nodes", "exec"), space)
    # A node that changes memory has a name such as copy_; any input may be that memory.
    changed = inputs.tensors if any("_.default(" in each or "_.Tensor(" in each for each in call["nodes"]) else []
    return space["run"], args, {}, inputs, changed, space["run"](*args)


def size_of(tensor):
    return tensor.numel() * tensor.element_size()


def bytes_of(result, inputs, changed):
    results = [each for each in (result if isinstance(result, (tuple, list)) else [result])
               if isinstance(each, torch.Tensor)]
    new = [each for each in results if all(each is not other for other in inputs.tensors)]
    read = [each for each in inputs.tensors if all(each is not other for other in changed)]
    return sum(map(size_of, read)), sum(map(size_of, new + changed))


def last_level():
    """Bytes of the largest cache, or 64 MB where the system does not say."""
    largest = 0
    folder = "/sys/devices/system/cpu/cpu0/cache"
    for entry in os.listdir(folder) if os.path.isdir(folder) else []:
        try:
            with open(os.path.join(folder, entry, "size"), encoding="ascii") as file:
                largest = max(largest, int(file.read().strip().rstrip("K")) * 1024)
        except (OSError, ValueError):
            pass
    return largest or 64 << 20


class Replay:
    def __init__(self, call):
        self.kernel = None
        if "symbol" in call:
            import triton_kernel

            its = self.kernel = triton_kernel.Kernel(call)
            self.function, self.args, self.more = its.function, its.args, {}
            tensors, changed = its.inputs, its.restored
            self.read, self.written = its.read, its.written
        else:
            how = prepare_nodes if "nodes" in call else prepare
            self.function, self.args, self.more, inputs, changed, result = how(call)
            tensors = inputs.tensors
            self.read, self.written = bytes_of(result, inputs, changed)
            del result
        self.copies = [(tensor, tensor.clone()) for tensor in tensors]
        # What the operator changes has the same contents before each call.
        self.restored = [(tensor, copy) for tensor, copy in self.copies if any(tensor is other for other in changed)]
        self.flush = None

    def _ready(self, state):
        for tensor, copy in self.copies if state == "written" else self.restored:
            self._write(tensor, copy)
        if state == "cold":
            if self.flush is None:
                largest = self.kernel and self.kernel.last_level() or last_level()
                self.flush = torch.zeros(max(4 * largest, 256 << 20) // 4,
                                         device=self.kernel.device if self.kernel else None)
            self.flush.add_(1)

    def call(self, state):
        self._ready(state)
        function, args, more = self.function, self.args, self.more
        begin = time.perf_counter_ns()
        result = function(*args, **more)
        end = time.perf_counter_ns()
        del result
        return end - begin

    def times(self, state):
        """Of one call, or of some on a GPU."""
        together = 20
        return (self.kernel and self.kernel.device_times(lambda: self.call(state), together)) or [self.call(state)]

    @staticmethod
    def _write(tensor, copy):
        try:
            tensor.copy_(copy)
        except RuntimeError:  # several elements have one place in memory
            pass

    def measure(self, state, seconds):
        """Calls until the median's 95 % interval is within 2 % of it, or for a while."""
        fewest, least, most = 6, 15, 100000
        for _ in range(3):
            self.call(state)
        times = []
        begin = time.perf_counter()
        check = least
        while len(times) < most:
            times += self.times(state)
            took = time.perf_counter() - begin
            if len(times) < fewest or ((len(times) < check or took < seconds / 20) and took < seconds):
                continue
            check = len(times) + len(times) // 4
            found = median_of(times)
            if took >= seconds or found["high_ns"] - found["low_ns"] <= 0.04 * found["median_ns"]:
                break
        return median_of(times)


def median_of(times):
    """With its 95 % interval from order statistics."""
    times = sorted(times)
    count = len(times)
    half = 0.98 * math.sqrt(count)

    def at(rank):
        return times[int(min(max(0, rank), count - 1))]

    return {"median_ns": at(count / 2), "low_ns": at(math.floor(count / 2 - half) - 1),
            "high_ns": at(math.ceil(count / 2 + half)), "min_ns": times[0], "calls": count}


def positive(kind):
    def parse(text):
        value = kind(text)
        if not value > 0:
            raise ValueError
        return value
    return parse


def main():
    parser = argparse.ArgumentParser(prog="measure.py", description="Measures what call.json describes.")
    parser.add_argument("--threads", type=positive(int), metavar="N")
    parser.add_argument("--seconds", type=positive(float), default=2, metavar="N", help="of each measurement")
    parser.add_argument("--only", choices=STATES, metavar="STATE", help="measure only this state of the memory")
    parser.add_argument("--json", metavar="FILE", help="write the times to a file")
    parser.add_argument("--results", metavar="FILE", help="call a kernel of Triton once, and write the memory of its "
                        "tensors, one after the other")
    options = parser.parse_args()
    with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), "call.json"), encoding="utf-8") as file:
        call = json.load(file)
    if options.threads:
        torch.set_num_threads(options.threads)
    with torch.no_grad():
        replay = Replay(call)
        if options.results and replay.kernel:
            replay.call("hot")
            with open(options.results, "wb") as file:
                file.write(replay.kernel.contents())
            return
        begin = time.perf_counter()
        while time.perf_counter() - begin < options.seconds / 4:
            replay.call("hot")
        found = [{"name": state, **replay.measure(state, options.seconds)} for state in STATES
                 if options.only in (None, state)]
    threads = torch.get_num_threads()
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"threads": threads, "variants": found, "read": replay.read, "written": replay.written,
                       "preempted": resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw}, file)
        return
    print(f"{call.get('operator') or call.get('kernel') or 'nodes'}, {threads} threads, torch {torch.__version__}")
    print(f"{'':14} {'median us':>12} {'low':>12} {'high':>12} {'least':>12} {'calls':>8}")
    for each in found:
        times = " ".join(f"{each[key] / 1000:12.2f}" for key in ("median_ns", "low_ns", "high_ns", "min_ns"))
        print(f"{each['name']:14} {times} {each['calls']:8}  {STATES[each['name']]}")


if __name__ == "__main__":
    main()
