"""The cost of the MLIR passes to mlir-opt, and of groups to kernels."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import statistics
import subprocess
import sys

import measure

TOOLS = "/usr/lib/llvm-22/bin"
PLUGIN = os.path.join(measure.build, "lib", "SeamscopeMLIR-22.so")
INPUTS = os.path.join(measure.root, "test", "mlir", "Inputs")
BUFFERS = ("one-shot-bufferize{bufferize-function-boundaries "
           "function-boundary-type-conversion=identity-layout-map}")
TO_LLVM = ("convert-linalg-to-loops,convert-scf-to-cf,expand-strided-metadata,lower-affine,"
           "convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,"
           "reconcile-unrealized-casts")


def module_of(operators, each):
    """Functions with `each` pointwise operators in a chain."""
    lines = ["#m = affine_map<(i) -> (i)>"]
    tensor = "tensor<64xf32>"
    for function in range(operators // each):
        lines.append(f"func.func @f{function}(%a: {tensor}, %b: {tensor}) -> {tensor} {{\n"
                     f"  %e = tensor.empty() : {tensor}")
        last = "%a"
        for i in range(each):
            lines.append(
                f"  %v{i} = linalg.generic {{indexing_maps = [#m, #m, #m], iterator_types = "
                f"[\"parallel\"]}} ins({last}, %b : {tensor}, {tensor}) outs(%e : {tensor}) {{\n"
                f"  ^bb0(%x: f32, %y: f32, %o: f32):\n    %s = arith.addf %x, %y : f32\n"
                f"    linalg.yield %s : f32\n  }} -> {tensor} loc(\"aten.add\"(\"model.py\":{i + 1}:5))")
            last = f"%v{i}"
        lines.append(f"  return {last} : {tensor}\n}}")
    return "\n".join(lines)


def measure_compile_time(folder, count, quiet):
    source = os.path.join(folder, "big.mlir")
    with open(source, "w", encoding="utf-8") as file:
        file.write(module_of(10000, 50))
    for name, fusion in (("each a group", []), ("fused by 50", ["linalg-fuse-elementwise-ops"])):
        steps = {"without": [*fusion, BUFFERS, TO_LLVM],
                 "with": ["seamscope-capture", *fusion, BUFFERS, "seamscope-instrument", TO_LLVM]}
        seconds = {key: [] for key in steps}
        for _ in range(count):
            for key, pipeline in steps.items():
                quiet.wait()
                seconds[key].append(measure.seconds(
                    [os.path.join(TOOLS, "mlir-opt"), f"--load-pass-plugin={PLUGIN}", source,
                     f"--pass-pipeline=builtin.module({','.join(pipeline)})", "-o", os.devnull]))
        with_, without = (statistics.median(seconds[key]) for key in ("with", "without"))
        measure.bar(f"mlir-opt, 10,000 operators, {name}", with_ / without, 1.10, "x",
                    f"{with_:.2f} s, without {without:.2f} s")


def measure_kernels(folder, count, quiet):
    """Measures six programs by their own calls. One process alternates between both libraries."""
    done = subprocess.run(
        [sys.executable, os.path.join(INPUTS, "time-programs.py"), "--tools", TOOLS, "--mlir-plugin",
         PLUGIN, "--pass-plugin", measure.plugin, "--runtime", os.path.join(measure.build, "lib"),
         "--seamscope", os.path.join(measure.build, "bin", "seamscope"), "--out", folder, "fused"],
        capture_output=True, text=True, timeout=1800, check=False,
        env={**measure.clean, "ROUNDS": str(4 * count + 1)})
    if done.returncode:
        measure.fail(done.stderr.strip()[-500:])
    quiet.wait()
    ratios = {}
    for line in done.stdout.splitlines():
        mode, name, ratio = line.split()
        ratios.setdefault(mode, {})[name] = float(ratio)
    for mode, each in ratios.items():
        measure.bar(f"groups of MLIR, {mode}", statistics.geometric_mean(each.values()), 1.01, "x",
                    ", ".join(f"{name} {ratio:.3f}" for name, ratio in each.items()))


def measure_mlir(folder, count, quiet):
    if not os.path.exists(PLUGIN):
        measure.fail(f"{PLUGIN} is not there: install libmlir-22-dev and mlir-22-tools, and build")
    measure_compile_time(folder, count, quiet)
    measure_kernels(folder, count, quiet)
