"""Runs a program of the zoo and writes down what torch itself says of it, with no code of Seamscope's.

usage: observe.py PROGRAM FILE [--plain]

FILE gets JSON. With --plain only the time and the page faults of each steady step: the same command
runs with and without Seamscope around it. Else what torch.profiler saw of PROFILED steps, compiled
and in eager mode, with the compiled kernels by torch's own RECORD_FUNCTION in them; the number of
graphs and of graph breaks by dynamo's counters; and whether both modes computed the same.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import importlib.util
import json
import re
import resource
import sys
import time

import torch

WARM_UP, PROFILED, PLAIN = 6, 12, 40

GEMM = {"aten::linear", "aten::addmm", "aten::mm", "aten::bmm", "aten::baddbmm", "aten::matmul",
        "aten::conv1d", "aten::conv2d", "aten::conv3d", "aten::convolution", "aten::conv_transpose2d",
        "aten::convolution_backward", "aten::mkldnn_rnn_layer", "mkldnn::_linear_pointwise",
        "mkldnn::_convolution_pointwise", "aten::einsum", "aten::_addmm_activation"}
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


def profile(step):
    """Per step: time of outermost operators by part, calls of compiled kernels by name."""
    for _ in range(WARM_UP):
        step()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
        for _ in range(PROFILED):
            with torch.profiler.record_function("zoo step"):
                step()
    events = [event for event in profiler.events() if event.time_range.elapsed_us() >= 0]
    steps = [event for event in events if event.name == "zoo step"]
    parts, kernels = {"gemm": 0.0, "attention": 0.0}, {}
    for event in events:
        part, above = part_of(event.name), event.cpu_parent
        while part and above is not None:
            if part_of(above.name):
                part = None
            above = above.cpu_parent
        if part:
            parts[part] += event.time_range.elapsed_us() / PROFILED
        if "cpp_fused" in event.name:
            name = re.sub(r"^(graph_\d+_)+", "", event.name)
            kernels[name] = kernels.get(name, 0) + 1
    return {"step_us": sorted(event.time_range.elapsed_us() for event in steps),
            "parts_us": parts, "kernels": kernels}


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
    program = load(path)
    if "--plain" in sys.argv[3:]:
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
                 "expected": getattr(program, "EXPECT", {})}
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
