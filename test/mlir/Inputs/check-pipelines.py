"""Runs upstream MLIR pipelines over the programs of programs.py, with and without Seamscope's passes.

Checks that everything that lowers without the passes lowers with them, that capture alone does not change
machine code, and that results have the same bits. With groups marked, the trace has their operators.

usage: like check-programs.py, with a pipeline's name as WAY
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import importlib.util
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
spec = importlib.util.spec_from_file_location("checks", os.path.join(HERE, "check-programs.py"))
checks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(checks)

BUFFERS = checks.BUFFERS
TO_LLVM = checks.TO_LLVM.format(more="")
VECTORS = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match interface{LinalgOp} in %m
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %ops tile_sizes [8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %m
        : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.vectorize_children_and_apply_patterns %f
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""
# The program; the passes before seamscope-instrument, its level, and the passes after it.
PIPELINES = {
    "deallocation": ("attention", f"{BUFFERS},buffer-deallocation-pipeline", "linalg",
                     f"convert-linalg-to-loops,{TO_LLVM}"),
    "affine-fusion": ("softmax", f"{BUFFERS},convert-linalg-to-affine-loops,"
                      "func.func(affine-loop-fusion,affine-scalrep)", "loops", TO_LLVM),
    "affine-vectoriser": ("chain", f"linalg-fuse-elementwise-ops,{BUFFERS},convert-linalg-to-affine-loops,"
                          "func.func(affine-super-vectorize{virtual-vector-size=8})", "loops",
                          f"convert-vector-to-scf,lower-affine,convert-vector-to-llvm,{TO_LLVM}"),
    "affine-tiling": ("mlp", f"{BUFFERS},convert-linalg-to-affine-loops,"
                      "func.func(affine-loop-tile{tile-size=16},affine-loop-unroll{unroll-factor=4})", "loops",
                      TO_LLVM),
    "affine-parallel": ("conv", f"{BUFFERS},convert-linalg-to-affine-loops,func.func(affine-parallelize)",
                        "loops", f"lower-affine,{TO_LLVM}"),
    "vector-dialect": ("chain", "transform-preload-library{transform-library-paths=SCRIPT},"
                       f"transform-interpreter,{BUFFERS},canonicalize", "linalg",
                       f"convert-vector-to-scf{{full-unroll=true}},convert-vector-to-llvm,{TO_LLVM}"),
    "tiling-by-transform": ("layer_norm", "linalg-fuse-elementwise-ops,"
                            "transform-preload-library{transform-library-paths=SCRIPT},transform-interpreter,"
                            f"{BUFFERS},canonicalize,cse", "linalg", f"convert-linalg-to-loops,{TO_LLVM}"),
    "parallel-loop-fusion": ("chain", f"{BUFFERS},convert-linalg-to-parallel-loops,"
                             "func.func(scf-parallel-loop-fusion,scf-parallel-loop-tiling{parallel-loop-tile-sizes=8,8})",
                             "loops", TO_LLVM),
    "sparsifier": ("mlp", "sparsification-and-bufferization", "linalg",
                   f"convert-linalg-to-loops,{TO_LLVM}"),
    "async": ("chain", f"{BUFFERS},convert-linalg-to-parallel-loops", "loops",
              "async-parallel-for{num-workers=2 min-task-size=256},async-to-async-runtime,"
              "async-runtime-ref-counting,async-runtime-ref-counting-opt,arith-expand,"
              "convert-async-to-llvm,convert-scf-to-cf,expand-strided-metadata,lower-affine,"
              "convert-arith-to-llvm,convert-math-to-libm,finalize-memref-to-llvm,convert-func-to-llvm,"
              "convert-cf-to-llvm,reconcile-unrealized-casts"),
    "clean-ups": ("attention", "inline,canonicalize,cse,loop-invariant-code-motion,sccp,symbol-dce,"
                  f"{BUFFERS},func.func(buffer-hoisting,buffer-loop-hoisting),mem2reg,canonicalize,cse", "linalg",
                  f"convert-linalg-to-loops,{TO_LLVM}"),
    "out-params": ("mlp", "empty-tensor-to-alloc-tensor,one-shot-bufferize{bufferize-function-boundaries "
                   "function-boundary-type-conversion=identity-layout-map},"
                   "func.func(promote-buffers-to-stack),fold-memref-alias-ops,expand-realloc", "linalg",
                   f"convert-linalg-to-loops,{TO_LLVM}"),
}


class Pipelines(checks.Checker):
    def lower(self, program, stem, script, steps):
        """Returns the object file's bytes, and the library."""
        tool = lambda name: os.path.join(self.options.tools, name)
        with open(stem + ".in.mlir", "w", encoding="utf-8") as file:
            file.write(program.text)
        checks.run([tool("mlir-opt"), f"--load-pass-plugin={self.options.mlir_plugin}", stem + ".in.mlir",
                    f"--pass-pipeline=builtin.module({','.join(steps)})".replace("SCRIPT", os.path.basename(script)),
                    "--mlir-print-debuginfo", "-o", stem + ".mlir"], cwd=self.options.out)
        checks.run([tool("mlir-translate"), "--mlir-to-llvmir", stem + ".mlir", "-o", stem + ".ll"])
        plugin = [f"-fpass-plugin={self.options.pass_plugin}"] if stem.endswith("both") else []
        checks.run([tool("clang"), "-O2", "-march=native", "-fPIC", "-Wno-override-module", *plugin, "-c",
                    stem + ".ll", "-o", stem + ".o"])
        libraries = os.path.join(os.path.realpath(self.options.tools), "..", "lib")
        checks.run([tool("clang"), "-shared", stem + ".o", "-o", stem + ".so", "-lm", "-L" + libraries,
                    "-lmlir_c_runner_utils", "-lmlir_async_runtime", "-Wl,-rpath," + libraries,
                    f"-L{self.options.runtime}", "-lseamscope", f"-Wl,-rpath,{self.options.runtime}"])
        with open(stem + ".o", "rb") as file:
            return file.read(), stem + ".so"

    def check_pipeline(self, name):
        which, before, level, after = PIPELINES[name]
        program = getattr(checks.programs, which)(False)
        stem = os.path.join(self.options.out, name)
        script = stem + ".transform.mlir"
        with open(script, "w", encoding="utf-8") as file:
            file.write(VECTORS if name == "vector-dialect" else checks.TILES)
        generalize = "linalg-generalize-named-ops"
        plain, library = self.lower(program, stem + ".plain", script, [generalize, before, after])
        captured, _ = self.lower(program, stem + ".captured", script,
                                 ["seamscope-capture", generalize, before, after])
        # Neither contains file names.
        if plain != captured:
            checks.fail(f"{name}: capture changed the machine code")
        _, observed = self.lower(program, stem + ".both", script,
                                 ["seamscope-capture", generalize, before,
                                  f"seamscope-instrument{{level={level}}}", after])
        trace = stem + ".json"
        if self.execute(library, program, "static") != self.execute(observed, program, "static", trace):
            checks.fail(f"{name}: another result with the passes")
        kernels = self.report(trace)["kernels"]
        found = {op["name"] for kernel in kernels if "group" in kernel for op in kernel["ops"]}
        wanted = {op.name for op in program.ops if op.flops}
        if not wanted <= found:
            checks.fail(f"{name}: {sorted(wanted - found)} are in no group of the trace")
        print(f"{name}: {which}, {sum('group' in kernel for kernel in kernels)} groups")


def main():
    options = checks.parse(sorted(PIPELINES) + ["all"])
    checker = Pipelines(options)
    for name in PIPELINES:
        if options.way in (name, "all"):
            checker.check_pipeline(name)


main()
