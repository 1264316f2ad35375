"""A module that adds and multiplies tensors of two sizes, a run of it, and checks of its report.

usage: two-sizes.py module | run LIBRARY | check FUSED UNFUSED REPORT

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import ctypes
import json
import sys
from statistics import mean

LARGE, SMALL = 512, 8


def function(name, size):
    of = f"tensor<{size}x{size}xf32>"
    return f"""func.func @{name}(%x: {of}) -> {of} attributes {{llvm.emit_c_interface}} {{
  %e = tensor.empty() : {of}
  %a = linalg.add ins(%x, %x : {of}, {of}) outs(%e : {of}) -> {of}
  %b = linalg.mul ins(%a, %x : {of}, {of}) outs(%e : {of}) -> {of}
  return %b : {of}
}}
"""


class MemRef(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("data", ctypes.c_void_p), ("offset", ctypes.c_int64),
                ("sizes", ctypes.c_int64 * 2), ("strides", ctypes.c_int64 * 2)]


def run(path):
    library = ctypes.CDLL(path)
    for name, size in (("large", LARGE), ("small", SMALL)):
        data = (ctypes.c_float * (size * size))(*[2.0] * (size * size))
        at = ctypes.addressof(data)
        x = MemRef(at, at, 0, (ctypes.c_int64 * 2)(size, size), (ctypes.c_int64 * 2)(size, 1))
        result = MemRef()
        for _ in range(20):
            getattr(library, "_mlir_ciface_" + name)(ctypes.byref(result), ctypes.byref(x))
        assert ctypes.cast(result.data, ctypes.POINTER(ctypes.c_float))[size] == 8.0


def check(fused, unfused, report):
    def means(path):
        """Mean ns, by the lines of a kernel's operators."""
        trace = json.load(open(path, encoding="utf-8"))
        return {tuple(op["line"] for op in json.loads(group["ops"])["ops"]): mean(
                    1000 * event["dur"] for event in trace["traceEvents"]
                    if event.get("ph") == "X" and event["name"] == group["name"]) for group in trace["seamscope"]["groups"]}

    eager, groups = means(unfused), means(fused)
    assert len(groups) == 2 and all(len(lines) == 2 for lines in groups), groups
    pairs = json.load(open(report, encoding="utf-8"))["baseline"]["pairs"]
    assert len(pairs) == 2, pairs
    for lines, fused_ns in groups.items():
        wanted = sum(eager[line,] for line in lines)
        (pair,) = [pair for pair in pairs if abs(pair["fused_mean_ns"] - fused_ns) <= 1]
        assert abs(pair["eager_mean_ns"] - wanted) <= 2, (pair, wanted)
        assert abs(pair["speedup"] - wanted / fused_ns) < 0.02 * wanted / fused_ns, (pair, wanted, fused_ns)
        assert not pair["approximate"], pair
    print("2 groups beside their own operators")


if sys.argv[1] == "module":
    print(function("large", LARGE) + function("small", SMALL))
elif sys.argv[1] == "run":
    run(sys.argv[2])
else:
    check(*sys.argv[2:])
