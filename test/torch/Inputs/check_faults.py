"""Runs 38 programs in which Inductor generates one operator as another, or a loop that ends too early, under
`seamscope run --check`, and wants each fault named: the operator that `seamscope check` finds must be that of the
fault. Of loops, only the kernel can be named.

usage: check_faults.py SEAMSCOPE [NUMBER...]; or --program NUMBER to be one of the programs
"""

import json
import os
import re
import shutil
import subprocess
import sys

SECONDS = 240
ANY = "any"


def programs():
    """(fault, operators of torch that have it, function or module)"""
    import torch
    import torch.nn.functional as F

    class Network(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.norm, self.last = torch.nn.Linear(32, 64), torch.nn.LayerNorm(64), torch.nn.Linear(64, 32)

        def forward(self, x):
            return F.silu(self.last(self.norm(F.gelu(self.first(x))))) - x

    return [
        ("exp", "exp", lambda x: torch.exp(x * 0.1)),
        ("exp", "exp", lambda x: F.softmax(x, -1)),
        ("exp", "exp", lambda x: torch.exp(-x * x).sum(0)),
        ("exp", "exp", lambda x: torch.logsumexp(x, 1)),
        ("exp", "exp", lambda x: (torch.exp(x * 0.1) + x).mean(0)),
        ("sub", "sub", lambda x: x - x.mean(0)),
        ("sub", "sub", lambda x: (x - 1) * x),
        ("sub", "sub", lambda x: F.mse_loss(x, x * 0.5)),
        ("sub", "sub var_mean", Network),
        ("sub", "sub", lambda x: torch.lerp(x, x * x, 0.3)),
        ("maximum", "maximum", lambda x: torch.maximum(x, x * 0.5)),
        ("maximum", "clamp_min", lambda x: x.clamp(min=0.1)),
        ("maximum", "maximum", lambda x: torch.maximum(x[1:], x[:-1]).sum(-1)),
        ("tanh", "tanh", lambda x: x.tanh()),
        ("tanh", "tanh", lambda x: F.gelu(x, approximate="tanh")),
        ("tanh", "tanh", lambda x: (x.tanh() ** 2).mean(-1)),
        ("sqrt", "sqrt", lambda x: (x * x + 1).sqrt()),
        ("sqrt", "sqrt", lambda x: (x.abs() + 1).sqrt().sum(0)),
        ("where", "where", lambda x: torch.where(x > 0, x, x * 0.1)),
        ("where", "where", lambda x: F.leaky_relu(x)),
        ("where", "where", lambda x: torch.where(x.abs() > 1, x, 0.0).sum(0)),
        ("lt", "lt", lambda x: x < 0.1),
        ("lt", "lt", lambda x: torch.where(x < 0, -x, x * 2)),
        ("abs", "abs", lambda x: x.abs() + 1),
        ("abs", "abs", lambda x: x.abs().amax(-1)),
        ("abs", "abs", lambda x: x.abs().sum()),
        ("fast-math", "isnan", lambda x: torch.nan_to_num(x.log())),
        ("fast-math", "isnan", lambda x: x.log().isnan()),
        ("fast-math", "isnan", lambda x: torch.where(x.log().isnan(), 0.0, x.log())),
        ("mul", "mul", Network),
        ("bound", ANY, lambda x: torch.exp(x * 0.1)),
        ("bound", ANY, lambda x: F.softmax(x, -1)),
        ("bound", ANY, lambda x: (x * x).sum(-1)),
        ("bound", ANY, lambda x: x.mean(0)),
        ("tail", ANY, lambda x: torch.exp(x * 0.1)),
        ("tail", ANY, lambda x: F.softmax(x, -1)),
        ("tail", ANY, lambda x: torch.where(x > 0, x, x * 0.1)),
        ("tail", ANY, lambda x: (x * x).sum(-1)),
    ]


def change_loops(fault):
    """`bound`: the first loop has one iteration less. `tail`: what remains after whole vectors is left out, so that
    results are memory that nothing was written to."""
    from torch._inductor import async_compile

    kinds = async_compile.AsyncCompile
    make = kinds.cpp_pybinding

    def changed(self, argtypes, source_code, *args, **kwargs):
        if fault == "tail":
            off = "#undef C10_UNLIKELY\n#define C10_UNLIKELY(x) false\n"
            source_code = source_code.replace('extern "C"', off + 'extern "C"', 1)
        else:
            loop = r"(; x0<static_cast<int64_t>\()(\d+)(L\); x0\+=static_cast<int64_t>\()(\d+)(L\))"
            source_code, count = re.subn(
                loop, lambda of: f"{of[1]}{int(of[2]) - int(of[4])}{of[3]}{of[4]}{of[5]}", source_code, count=1)
            assert count, source_code
        return make(self, argtypes, source_code, *args, **kwargs)

    kinds.cpp_pybinding = changed


def break_inductor(fault):
    from torch._inductor import cpp_builder
    from torch._inductor.codegen import cpp

    scalar, vector = cpp.CppOverrides, cpp.CppVecOverrides
    if fault in ("bound", "tail"):
        change_loops(fault)
        return
    if fault == "fast-math":
        cpp_builder._get_ffast_math_flags = lambda *ignored: ["ffast-math"]
        return
    where = scalar.where, vector.where
    others = {
        "exp": (lambda a: f"std::expm1({a})", lambda a: f"{a}.expm1()"),
        "sub": (lambda a, b: f"{a} + {b}", lambda a, b: f"{a} + {b}"),
        "mul": (lambda a, b: f"decltype({a})({a} + {b})", lambda a, b: f"{a} + {b}"),
        "maximum": (lambda a, b: f"min_propagate_nan({a}, {b})", lambda a, b: f"at::vec::minimum({a}, {b})"),
        "tanh": (lambda a: f"std::atan({a})", lambda a: f"{a}.atan()"),
        "sqrt": (lambda a: f"std::cbrt({a})", lambda a: f"{a}.rsqrt()"),
        "where": (lambda a, b, c: where[0](a, c, b), lambda a, b, c: where[1](a, c, b)),
        "lt": (scalar.gt, vector.gt),
        "abs": (lambda a: f"(-{a})", lambda a: f"{a}.neg()"),
    }[fault]
    for kind, other in zip((scalar, vector), others):
        setattr(kind, fault, staticmethod(other))


def run_program(number):
    import torch

    fault, _, function = programs()[number]
    break_inductor(fault)
    torch.manual_seed(1)
    if isinstance(function, type):
        torch.compile(function())(torch.randn(20, 32)).sum().backward()
    else:
        torch.compile(function)(torch.randn(37, 70))


def named(seamscope, number):
    """The operator that is named."""
    folder = f"fault-{number}"
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, os.path.realpath(__file__), "--program", str(number)]
    subprocess.run([seamscope, "run", "--check", "-o", folder, "--", *command], check=True, timeout=SECONDS,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    done = subprocess.run([seamscope, "check", folder, "--json"], timeout=SECONDS, stdout=subprocess.PIPE)
    return (json.loads(done.stdout)["check"]["first"]["operator"] or "nothing") if done.returncode == 3 else "no fault"


def main(seamscope, *numbers):
    found, wanted = 0, list(map(int, numbers)) or range(len(programs()))
    for number in wanted:
        fault, operators, _ = programs()[number]
        operator = named(seamscope, number)
        is_right = operator != "no fault" if operators == ANY else \
            operator.rstrip("0123456789").rstrip("_") in operators.split()
        found += is_right
        if not is_right:
            print(f"program {number}: {fault} is wrong, and {operator} is named")
    print(f"{found} of {len(wanted)} faults named")
    return found < len(wanted)


if __name__ == "__main__":
    if sys.argv[1] == "--program":
        run_program(int(sys.argv[2]))
    else:
        sys.exit(main(*sys.argv[1:]))
