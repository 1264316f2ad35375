"""Builds gpu-road.mlir for the stand-in CUDA, as docs/howto-mlir-gpu.md describes, and for the CPU, runs both
programs, and compares results, stamps, CUPTI's records, and the report.

usage: check-gpu-road.py --tools DIR --mlir-plugin SO --pass-plugin SO --runtime DIR --seamscope EXE --clang EXE
                         --standin DIR --out DIR [--reload]
--reload: the program loads, runs and unloads a library with the functions and their kernels twice.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import json
import os
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
SOURCE = os.path.join(HERE, "gpu-road.mlir")
PROGRAM = os.path.join(HERE, "gpu-road.c")
STANDIN_SOURCES = os.path.join(HERE, "..", "..", "gpu", "standin")
SCRIPT = os.path.join(HERE, "..", "..", "..", "tools", "mlir", "seamscope-mlir-gpu.py")
FUSED = ("func.func(linalg-generalize-named-ops,linalg-fuse-elementwise-ops),eliminate-empty-tensors,"
         "one-shot-bufferize{bufferize-function-boundaries},canonicalize,cse,")
GPU = ("seamscope-capture," + FUSED +
       "func.func(convert-linalg-to-parallel-loops,scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,16},"
       "gpu-map-parallel-loops,convert-parallel-loops-to-gpu),lower-affine,"
       "gpu-kernel-outlining,seamscope-instrument{level=launch},"
       "convert-scf-to-cf,expand-strided-metadata,lower-affine,nvvm-attach-target{chip=sm_80 features=+ptx80},"
       "gpu.module(convert-gpu-to-nvvm,reconcile-unrealized-casts),"
       "gpu-to-llvm,convert-cf-to-llvm,convert-arith-to-llvm,reconcile-unrealized-casts,"
       "ensure-debug-info-scope-on-llvm-func{emission-kind=LineTablesOnly},gpu-module-to-binary{format=llvm}")
CPU = (FUSED + "convert-linalg-to-loops,convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-arith-to-llvm,"
       "finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts")
# A program that loads its argument twice.
LOADS = """#include <dlfcn.h>
int main(int Count, char **Arguments) {
  for (int Times = 0; Times < 2; ++Times) {
    void *Part = dlopen(Arguments[1], RTLD_NOW | RTLD_LOCAL);
    int (*Run)(void) = Part ? (int (*)(void))dlsym(Part, "part") : 0;
    if (!Run || Run() || dlclose(Part))
      return 1;
    if (dlopen(Arguments[1], RTLD_NOW | RTLD_NOLOAD))
      return 2; // it was not unloaded
  }
  return 0;
}
"""
CALLS = 3
# By kernel: its operators, the line of their group, the line of the kernel and its launch, the FLOPs of a call.
POINTS = 32 * 64
KERNELS = {
    "chain_kernel": (["linalg.add", "linalg.add", "linalg.mul", "linalg.add"], "first add", "last add", 4 * POINTS),
    "mlp_kernel": (["linalg.matmul"], "matmul", "matmul", 2 * 16 * POINTS),
    "mlp_kernel_0": (["linalg.generic(addf)", "linalg.generic(maximumf)"], "bias", "relu", 2 * POINTS),
}


def run(command, **more):
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **more)
    if ran.returncode:
        sys.exit(f"failed with {ran.returncode}: {shlex.join(command)}\n{ran.stdout[-2000:]}{ran.stderr[-4000:]}")
    return ran.stdout


class Road:
    def __init__(self, options):
        self.options = options
        os.makedirs(options.out, exist_ok=True)

    def path(self, name):
        return os.path.join(self.options.out, name)

    def tool(self, name):
        return os.path.join(self.options.tools, name)

    def lower(self, pipeline, target, *more):
        run([self.tool("mlir-opt"), *more, SOURCE, "--mlir-print-debuginfo",
             f"--pass-pipeline=builtin.module({pipeline})", "-o", self.path(target)])

    def translate(self, source, target):
        run([self.tool("mlir-translate"), "--mlir-to-llvmir", self.path(source), "-o", self.path(target)])

    def build(self):
        options = self.options
        self.lower(CPU, "cpu.mlir")
        self.translate("cpu.mlir", "cpu.ll")
        run([options.clang, "-w", "-O1", self.path("cpu.ll"), PROGRAM, "-o", self.path("cpu")])
        self.lower(GPU, "binary.mlir", "--load-pass-plugin=" + options.mlir_plugin)
        llc = self.path("llc")
        with open(llc, "w", encoding="utf-8") as file:
            words = [sys.executable, os.path.join(STANDIN_SOURCES, "standin-llc.py"), options.clang, options.standin]
            file.write(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        os.chmod(llc, 0o755)
        run([sys.executable, SCRIPT, options.pass_plugin, self.path("binary.mlir"), self.path("device.mlir"),
             "--opt=" + self.tool("opt"), "--llc=" + llc])
        self.translate("device.mlir", "host.ll")
        libraries = ["-L" + options.runtime, "-lseamscope", "-lseamscope-mlir-cuda", "-Wl,-rpath," + options.runtime]
        whole = [options.clang, "-w", "-O2", "-DON_GPU", "-fpass-plugin=" + options.pass_plugin, self.path("host.ll"),
                 PROGRAM, *libraries, "-o"]
        if not options.reload:
            return run([*whole, self.path("program")])
        run([*whole, self.path("part.so"), "-shared", "-fPIC", "-Dmain=part"])
        with open(self.path("loads.c"), "w", encoding="utf-8") as file:
            file.write(LOADS)
        return run([options.clang, self.path("loads.c"), "-o", self.path("program")])

    def run(self, *variables):
        return run([sys.executable, os.path.join(STANDIN_SOURCES, "run.py"), self.options.standin,
                    self.options.runtime, self.options.out, "SEAMSCOPE_GPU_LANES=1", *variables, "--",
                    *([self.path("part.so")] if self.options.reload else [])])

    def check_stamps(self, rounds=1):
        lines = [kernel[2] for kernel in KERNELS.values()]
        run([sys.executable, os.path.join(STANDIN_SOURCES, "check.py"), self.options.out, *lines])
        with open(self.path("log.json"), encoding="utf-8") as file:
            log = [each for each in json.load(file)["activities"] if each["kind"] == "kernel"]
        # check.py treats a kernel without warps as not instrumented.
        expect([len(each["warps"]) for each in log], [64] * CALLS * len(KERNELS) * rounds, "warps with stamps")

    def check_report(self):
        report = json.loads(run([self.options.seamscope, "report", "--json", self.path("trace.json")]))
        rows = {row["name"]: row for row in report["kernels"] if row["device"] is not None}
        groups = {tuple(op["name"] for op in row["ops"]): row for row in report["kernels"] if "group" in row}
        expect(sorted(rows), sorted(KERNELS), "kernels of the GPU")
        for name, (ops, group_line, kernel_line, flops) in KERNELS.items():
            row, group = rows[name], groups[tuple(ops)]
            expect(group["name"], "+".join(ops), "name of a group")
            expect(place(group["source"]), (SOURCE, line_of(group_line)), f"place of {group['name']}")
            expect(place(row["source"]), (SOURCE, line_of(kernel_line)), f"place of {name}")
            launches = [(*place(each["source"]), each["calls"]) for each in row["launches"]]
            expect(launches, [(SOURCE, line_of(kernel_line), CALLS)], f"launches of {name}")
            expect([row["calls"], group["calls"], row["inside"]["launches"], row["inside"]["blocks"]],
                   [CALLS, CALLS, CALLS, 32], f"calls of {name}")
            # The FLOPs equal those of the group that contains the launch.
            expect([row["flop"], row["flop_calls"]], [CALLS * flops, CALLS], f"FLOPs of {name}")


def expect(found, wanted, what):
    if found != wanted:
        sys.exit(f"{what}: {found} in place of {wanted}")


def place(source):
    return os.path.realpath(source["file"]), source["line"]


def line_of(end):
    with open(SOURCE, encoding="utf-8") as file:
        (number,) = (number for number, line in enumerate(file, 1) if line.rstrip().endswith("// " + end))
    return number


def main():
    parser = argparse.ArgumentParser()
    for name in ("tools", "mlir-plugin", "pass-plugin", "runtime", "seamscope", "clang", "standin", "out"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--reload", action="store_true")
    options = parser.parse_args()
    road = Road(options)
    road.build()
    wanted = run([road.path("cpu")])
    expect(len(wanted.split()), CALLS * 2 * POINTS, "numbers")
    if options.reload:
        for what, variables in (("injected", []), ("found", ["CUDA_INJECTION64_PATH="])):
            expect(road.run(*variables) == wanted * 2, True, f"reloaded, {what}: results as on the CPU")
            road.check_stamps(rounds=2)
            print(f"reloaded, {what}: stamps of both times, results as on the CPU")
        return
    # The driver loads libseamscope-cuda; a recording program loads it; nobody loads it without recording.
    for what, variables in (("injected", []), ("on one SM", ["STANDIN_SMS=1", "STANDIN_BLOCKS=1"]),
                            ("found", ["CUDA_INJECTION64_PATH="])):
        expect(road.run(*variables) == wanted, True, f"{what}: results as on the CPU")
        road.check_stamps()
        road.check_report()
        print(f"{what}: {len(KERNELS)} kernels as the stand-in ran them, results as on the CPU")
    expect(road.run("SEAMSCOPE=", "CUDA_INJECTION64_PATH=") == wanted, True, "not recorded: results as on the CPU")
    expect(os.path.exists(road.path("trace.json")), False, "not recorded: a trace")
    with open(road.path("log.json"), encoding="utf-8") as file:
        expect(any(each.get("warps") for each in json.load(file)["activities"]), False, "not recorded: stamps")
    return print("not recorded: no stamps, results as on the CPU")


if __name__ == "__main__":
    main()
