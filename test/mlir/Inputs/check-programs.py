"""Lowers the programs of programs.py in several ways, with and without Seamscope's passes, runs both,
and checks the bits of the result, the vectorised loops, and each group in the report.

usage: check-programs.py --tools DIR --mlir-plugin SO --pass-plugin SO --runtime DIR --seamscope EXE
                         --out DIR WAY [PROGRAM...]
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import collections
import ctypes
import json
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
import programs

BUFFERS = ("one-shot-bufferize{bufferize-function-boundaries "
           "function-boundary-type-conversion=identity-layout-map}")
TO_LLVM = ("lower-affine,convert-scf-to-cf,math-expand-ops{{ops=rsqrt}},convert-math-to-libm,expand-strided-metadata,lower-affine,"
           "convert-arith-to-llvm,convert-index-to-llvm,finalize-memref-to-llvm,{more}"
           "convert-func-to-llvm,convert-ub-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts")
TILES = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match interface{LinalgOp} in %m
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %ops tile_sizes [8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
"""
# Passes up to bufferization, and from there to LLVM.
WAYS = {
    "fused": ("linalg-generalize-named-ops,linalg-fuse-elementwise-ops", "convert-linalg-to-loops,", ""),
    "tiled": ("linalg-generalize-named-ops,linalg-fuse-elementwise-ops,"
              "transform-preload-library{transform-library-paths=TILES},transform-interpreter",
              "canonicalize,convert-linalg-to-loops,", ""),
    "parallel": ("linalg-generalize-named-ops,linalg-fuse-elementwise-ops",
                 "convert-linalg-to-parallel-loops,convert-scf-to-openmp,canonicalize,",
                 "convert-openmp-to-llvm,"),
    "unfused": ("linalg-generalize-named-ops", "convert-linalg-to-loops,", ""),
}
LIMIT = 120  # seconds, of each program


def fail(text):
    sys.exit(f"check-programs: {text}")


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False, **more)
    if done.returncode:
        fail(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def descriptor(rank):
    return type(f"MemRef{rank}", (ctypes.Structure,),
                {"_fields_": [("base", ctypes.c_void_p), ("data", ctypes.c_void_p),
                              ("offset", ctypes.c_int64), ("sizes", ctypes.c_int64 * rank),
                              ("strides", ctypes.c_int64 * rank)]})


def memref(data, shape):
    strides, step = [], 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= size
    rank = len(shape)
    address = ctypes.cast(data, ctypes.c_void_p)
    return descriptor(rank)(address, address, 0, (ctypes.c_int64 * rank)(*shape),
                            (ctypes.c_int64 * rank)(*strides))


def call(library, program, calls):
    """Runs the library in this process and prints the bits of the result."""
    function = ctypes.CDLL(library)[f"_mlir_ciface_{program.name}"]
    numbers = random.Random(1)
    arguments = []
    for shape in program.inputs:
        count = 1
        for size in shape:
            count *= size
        arguments.append(memref((ctypes.c_float * count)(*(numbers.uniform(-1, 1) for _ in range(count))),
                                shape))
    for _ in range(calls):
        result = descriptor(len(program.result))()
        function(ctypes.byref(result), *map(ctypes.byref, arguments))
    if tuple(result.sizes) != program.result:
        fail(f"{program.name}: shape {tuple(result.sizes)} in place of {program.result}")
    count = 1
    for size in program.result:
        count *= size
    print(ctypes.string_at(result.data, 4 * count).hex())


class Checker:
    def __init__(self, options):
        self.options = options
        os.makedirs(options.out, exist_ok=True)

    def build(self, program, way, observed, kind):
        """Returns the library and the number of loops that clang reports as vectorised."""
        options = self.options
        before, after, more = WAYS[way]
        stem = os.path.join(options.out, f"{program.name}-{kind}-{way}-{'with' if observed else 'without'}")
        tiles = os.path.join(options.out, "tiles.mlir")
        with open(tiles, "w", encoding="utf-8") as file:
            file.write(TILES)
        with open(stem + ".in.mlir", "w", encoding="utf-8") as file:
            file.write(program.text)
        # A pipeline cannot contain blanks in a path, so the path is relative.
        steps = [before.replace("TILES", os.path.basename(tiles)), BUFFERS]
        if observed:
            steps = ["seamscope-capture", *steps, "seamscope-instrument"]
        pipeline = f"builtin.module({','.join(steps)},{after}{TO_LLVM.format(more=more)})"
        tool = lambda name: os.path.join(options.tools, name)
        run([tool("mlir-opt"), f"--load-pass-plugin={options.mlir_plugin}", stem + ".in.mlir",
             f"--pass-pipeline={pipeline}", "--mlir-print-debuginfo", "-o", stem + ".mlir"],
            cwd=options.out)
        run([tool("mlir-translate"), "--mlir-to-llvmir", stem + ".mlir", "-o", stem + ".ll"])
        plugin = [f"-fpass-plugin={options.pass_plugin}"] if observed else []
        run([tool("clang"), "-O2", "-march=native", "-fPIC", "-Wno-override-module",
             "-foptimization-record-passes=loop-vectorize",
             f"-foptimization-record-file={stem}.yaml", *plugin, "-c", stem + ".ll", "-o", stem + ".o"])
        with open(stem + ".yaml", encoding="utf-8") as file:
            records = file.read().split("--- ")
        # The C wrapper may contain an inlined copy of the function.
        of = re.compile(rf"^Function: +{program.name}(\.\.omp_par[.\d]*)?$", re.MULTILINE)
        vectorised = sum(r.startswith("!Passed") and bool(of.search(r)) for r in records)
        libraries = os.path.join(os.path.realpath(options.tools), "..", "lib")
        link = [f"-L{options.runtime}", "-lseamscope", f"-Wl,-rpath,{options.runtime}"] if observed else []
        run([tool("clang"), "-shared", stem + ".o", "-o", stem + ".so", "-lm", "-fopenmp",
             "-L" + libraries, "-lmlir_c_runner_utils", "-Wl,-rpath," + libraries, *link])
        return stem + ".so", vectorised

    def execute(self, library, program, kind, trace=None):
        environment = dict(os.environ, OMP_NUM_THREADS="2")
        if trace:
            environment.update(SEAMSCOPE="trace", SEAMSCOPE_OUT=trace)
        else:
            environment.pop("SEAMSCOPE", None)
        return run([sys.executable, __file__, "--call", library, kind, program.name],
                   env=environment).stdout

    def report(self, trace):
        return json.loads(run([self.options.seamscope, "report", "--json", trace]).stdout)

    def check(self, make, kind, way):
        program = make(kind == "dynamic")
        title = f"{program.name}, {kind}, {way}"
        plain, plain_loops = self.build(program, way, False, kind)
        library, loops = self.build(program, way, True, kind)
        trace = library[:-3] + ".json"
        if self.execute(plain, program, kind) != self.execute(library, program, kind, trace):
            fail(f"{title}: another result with the passes")
        if loops != plain_loops:
            fail(f"{title}: {loops} vectorised loops with the passes, {plain_loops} without")
        kernels = [k for k in self.report(trace)["kernels"] if "group" in k]
        found = collections.Counter()
        flops, unknown = 0, 0
        for kernel in kernels:
            if kernel["calls"] != CALLS:
                fail(f"{title}: {kernel['name']}: {kernel['calls']} calls")
            lines = [op["source"]["line"] for op in kernel["ops"]]
            if lines != sorted(lines):
                fail(f"{title}: {kernel['name']}: operators are not in the module's order: {lines}")
            for op in kernel["ops"]:
                source = op["source"]
                if (source["file"], source["column"]) != ("model.py", 5):
                    fail(f"{title}: {op['name']} is at {source}")
                found[op["name"], source["line"]] += 1
            if kernel["name"].split("#")[0] != "+".join(op["name"] for op in kernel["ops"]):
                fail(f"{title}: {kernel['name']} has {[op['name'] for op in kernel['ops']]}")
            if way == "parallel" and [r["threads"] for r in kernel["regions"]] == []:
                fail(f"{title}: {kernel['name']} has no parallel region")
            value = kernel["group"]["flops"]
            if kind == "static" and isinstance(value, int):
                flops += value
                if kernel["flop"] != CALLS * value:
                    fail(f"{title}: {kernel['name']}: {kernel['flop']} FLOPs in all")
            elif kind == "dynamic" and isinstance(value, str):
                flops += evaluate(value, program)
            elif value is None:
                unknown += 1
            else:
                flops += value
        wanted = {(op.name, op.line) for op in program.ops}
        if set(found) != wanted:
            fail(f"{title}: missing {sorted(wanted - set(found))}, unexpected "
                 f"{sorted(set(found) - wanted)}")
        # An operator that several groups compute does not have a figure.
        shared = any(count > 1 for count in found.values())
        if bool(unknown) != shared:
            fail(f"{title}: {unknown} groups without FLOPs; operators by groups: {found}")
        if not shared and flops != program.flops:
            fail(f"{title}: {flops} FLOPs, by formula {program.flops}")
        print(f"{title}: {len(kernels)} groups, {len(program.ops)} operators, {loops} vectorised loops"
              + (", FLOPs by formula" if not shared else ", shared operators"))


def evaluate(expression, program):
    total = 0
    for term in expression.split("+"):
        product = 1
        for factor in term.split("*"):
            if factor.startswith("arg"):
                argument, dim = map(int, factor[3:].split("."))
                product *= program.inputs[argument][dim]
            else:
                product *= int(factor)
        total += product
    return total


CALLS = 3


def parse(ways):
    parser = argparse.ArgumentParser()
    for name in ("tools", "mlir-plugin", "pass-plugin", "runtime", "seamscope", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("way", choices=ways)
    parser.add_argument("program", nargs="*")
    return parser.parse_args()


def main():
    if sys.argv[1:2] == ["--call"]:
        library, kind, name = sys.argv[2:]
        return call(library, getattr(programs, name)(kind == "dynamic"), CALLS)
    options = parse(list(WAYS))
    checker = Checker(options)
    for make in programs.ALL:
        if options.program and make.__name__ not in options.program:
            continue
        for kind in ("static", "dynamic"):
            checker.check(make, kind, options.way)


if __name__ == "__main__":
    main()
