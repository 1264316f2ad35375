"""Times the programs of programs.py with and without groups, for the benchmark: a line `off|trace NAME RATIO`.

Calls both libraries alternating, in one process per mode; RATIO is the ratio of the medians. The environment
variable ROUNDS is the number of calls.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import ctypes
import importlib.util
import os
import random
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
spec = importlib.util.spec_from_file_location("checks", os.path.join(HERE, "check-programs.py"))
checks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(checks)

# Sizes with which a call takes about a millisecond.
SIZES = {"n": 1024, "m": 1024, "k": 128, "b": 32, "q": 256, "s": 256}


def large(make):
    original = checks.programs.Writer.__init__

    def enlarged(self, name, sizes, dynamic, inputs):
        original(self, name, {key: SIZES[key] if name != "mlp" else 128 for key in sizes}, dynamic, inputs)

    checks.programs.Writer.__init__ = enlarged
    try:
        return make(False)
    finally:
        checks.programs.Writer.__init__ = original


def arguments_of(program):
    numbers = random.Random(1)
    made = []
    for shape in program.inputs:
        count = 1
        for size in shape:
            count *= size
        values = (ctypes.c_float * count)(*(numbers.uniform(-1, 1) for _ in range(min(count, 4096))))
        made.append(checks.memref(values, shape))
    return made


def time_both(name, libraries):
    program = large(getattr(checks.programs, name))
    functions = [ctypes.CDLL(path)[f"_mlir_ciface_{name}"] for path in libraries]
    arguments = arguments_of(program)
    free = ctypes.CDLL(None).free
    free.argtypes = [ctypes.c_void_p]
    pointers = [ctypes.byref(each) for each in arguments]

    def once(function):
        result = checks.descriptor(len(program.result))()
        begin = time.perf_counter_ns()
        function(ctypes.byref(result), *pointers)
        taken = time.perf_counter_ns() - begin
        free(result.base)
        return taken

    for function in functions:
        once(function)
    taken = [[], []]
    for round_ in range(int(os.environ["ROUNDS"]) * 10):
        for which in ((0, 1) if round_ % 2 else (1, 0)):
            taken[which].append(once(functions[which]))
    print(name, statistics.median(taken[1]) / statistics.median(taken[0]))


def main():
    if sys.argv[1:2] == ["--time"]:
        return time_both(sys.argv[2], sys.argv[3:5])
    options = checks.parse(["fused"])
    checker = checks.Checker(options)
    built = {}
    for make in checks.programs.ALL:
        program = large(make)
        built[program.name] = [checker.build(program, "fused", observed, "large")[0]
                               for observed in (False, True)]
    for mode in ("off", "trace"):
        for name, libraries in built.items():
            environment = dict(os.environ, SEAMSCOPE=mode, SEAMSCOPE_OUT=os.path.join(options.out, "k.json"))
            done = subprocess.run([sys.executable, __file__, "--time", name, *libraries], check=True,
                                  capture_output=True, text=True, timeout=300, env=environment)
            print(mode, done.stdout.strip())


main()
