"""Runs a program of the zoo and writes down what torch itself says of it, with no code of Seamscope's.

usage: observe.py PROGRAM FILE [--plain]

FILE gets JSON. With --plain only the time and the page faults of each steady step: the same command
runs with and without Seamscope around it. Else what torch.profiler saw of PROFILED steps, compiled
and in eager mode: the time of each outermost call of a compiled function, and of each whole step, and of
the operators in them; over the steps the compiled kernels, by torch's own RECORD_FUNCTION in them; the
number of graphs and of graph breaks by dynamo's counters; and whether both modes computed the same.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import bisect
import functools
import importlib.util
import json
import re
import resource
import sys
import time

import torch

WARM_UP, PROFILED, PLAIN = 6, 12, 40
CALL, STEP = "zoo: a compiled function is called", "zoo: a step"

GEMM = {"aten::linear", "aten::addmm", "aten::mm", "aten::bmm", "aten::baddbmm", "aten::matmul",
        "aten::conv1d", "aten::conv2d", "aten::conv3d", "aten::convolution", "aten::conv_transpose2d",
        "aten::convolution_backward", "mkldnn::_linear_pointwise",
        "mkldnn::_convolution_pointwise", "aten::einsum", "aten::_addmm_activation",
        "mkl::_mkl_linear", "aten::_grouped_mm", "transformers::grouped_mm_fallback"}
# Whole layers, whatever they call: "other operators" on both sides.
LAYERS = {"aten::gru", "aten::lstm", "aten::rnn_tanh", "aten::rnn_relu", "aten::gru_cell",
          "aten::lstm_cell", "aten::rnn_tanh_cell", "aten::rnn_relu_cell",
          "aten::_transformer_encoder_layer_fwd"}
ATTENTION = {"aten::scaled_dot_product_attention",
             "aten::_scaled_dot_product_flash_attention_for_cpu",
             "aten::_scaled_dot_product_flash_attention_for_cpu_backward"}


def load(path):
    spec = importlib.util.spec_from_file_location("zoo_program", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def part_of(name):
    return "gemm" if name in GEMM else "attention" if name in ATTENTION else None


def mark_calls():
    """Has outermost calls of compiled functions and modules leave an event, in eager mode too."""
    compile, depth = torch.compile, 0

    def marked(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            nonlocal depth
            depth += 1
            try:
                if depth > 1 or torch.compiler.is_compiling():
                    return function(*args, **kwargs)
                with torch.profiler.record_function(CALL):
                    return function(*args, **kwargs)
            finally:
                depth -= 1

        return call

    def marked_compile(model=None, **options):
        if model is None:
            return lambda function: marked_compile(function, **options)
        made = compile(model, **options)
        return made if isinstance(made, torch.nn.Module) else marked(made)

    torch.compile = marked_compile
    module = torch._dynamo.eval_frame.OptimizedModule
    module.__call__ = marked(module.__call__)


def outermost_part(event):
    part, above = part_of(event.name), event.cpu_parent
    while part and above is not None:
        if part_of(above.name) or above.name in LAYERS:
            return None
        above = above.cpu_parent
    return part


def times_in(seen, name):
    """The time of each event of this name, and that of outermost operators in them by part, in the mean,
    in us."""
    spans = sorted((event.time_range.start, event.time_range.end)
                 for event in seen["events"] if event.name == name)
    # A call that something else held up says nothing of shares.
    slowest = sorted(end - begin for begin, end in spans)[:-max(1, len(spans) // 20)][-1:]
    kept = [each for each in spans if each[1] - each[0] <= (slowest or [0])[0]] or spans
    parts = {"gemm": 0.0, "attention": 0.0}
    for part, time in seen["operators"]:
        before = bisect.bisect_right(kept, (time.start, float("inf")))
        if before and time.end <= kept[before - 1][1]:
            parts[part] += time.elapsed_us() / len(kept)
    return {"us": sorted(end - begin for begin, end in kept), "parts_us": parts}


def profile(step):
    """The time of calls of a compiled function, of steps, and of their parts; per step the calls of
    compiled kernels by name."""
    for _ in range(WARM_UP):
        step()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
        for _ in range(PROFILED):
            with torch.profiler.record_function(STEP):
                step()
    events = [event for event in profiler.events() if event.time_range.elapsed_us() >= 0]
    seen = {"events": events, "operators": [(part, event.time_range) for event in events
                                             if (part := outermost_part(event))]}
    kernels = {}
    for event in events:
        if "cpp_fused" in event.name:
            name = re.sub(r"^(graph_\d+_)+", "", event.name)
            kernels[name] = kernels.get(name, 0) + 1
    return {"calls": times_in(seen, CALL), "turns": times_in(seen, STEP),
            "kernels": {name: count / PROFILED for name, count in kernels.items()}}


def plain(step):
    for _ in range(WARM_UP):
        step()
    rows = []
    for _ in range(PLAIN):
        faults, begin = resource.getrusage(resource.RUSAGE_SELF).ru_minflt, time.perf_counter_ns()
        step()
        end = time.perf_counter_ns()
        rows.append([end - begin, resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults])
    return rows


def flat(result):
    if isinstance(result, torch.Tensor):
        return [result.detach().to_dense() if result.is_sparse else result.detach()]
    if isinstance(result, dict):
        result = result.values()
    return [each for part in result for each in flat(part)] \
        if isinstance(result, (tuple, list)) or hasattr(result, "__iter__") else []


def main():
    path, target = sys.argv[1:3]
    is_plain = "--plain" in sys.argv[3:]
    if not is_plain:
        mark_calls()  # before the program, which may compile as it is loaded
    program = load(path)
    if is_plain:
        step = program.make()
        found = {"plain": plain(step)}
    else:
        import torch._inductor.config as config
        from torch._dynamo.utils import counters

        config.cpp.enable_kernel_profile = True
        step = program.make()
        first = [each.clone() for each in flat(step())]
        found = {"compiled": profile(step),
                 "graphs": counters["stats"]["unique_graphs"],
                 "breaks": sum(counters["graph_break"].values()),
                 "expected": getattr(program, "EXPECT", {}), "products": sorted(GEMM)}
        with torch.compiler.set_stance("force_eager"):
            step = program.make()
            second = flat(step())
            found["eager"] = profile(step)
        found["same"] = len(first) == len(second) and all(
            a.shape == b.shape and torch.allclose(a.double() if not a.is_complex() else a,
                                                  b.double() if not b.is_complex() else b,
                                                  rtol=2e-2, atol=2e-2, equal_nan=True)
            for a, b in zip(first, second))
    with open(target, "w", encoding="utf-8") as file:
        json.dump(found, file)
    if hasattr(step, "close"):
        step.close()


main()
