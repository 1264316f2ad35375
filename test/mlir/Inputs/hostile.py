# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Valid and invalid input that front ends do not produce. mlir-opt may refuse it, in time, with
a message; it must not crash or hang.

hostile.py MLIR-OPT PLUGIN CASE: cases are the functions below."""

import random
import subprocess
import sys

opt, plugin, case = sys.argv[1:4]
both = "builtin.module(seamscope-capture,seamscope-instrument)"
capture = "builtin.module(seamscope-capture)"

exp = """func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) LOC
  return
}
"""


def run(text, passes=both, *options):
    """Returns standard output and error; fails on a signal or the time limit."""
    if isinstance(text, str):
        text = text.encode()
    done = subprocess.run(
        [opt, f"--load-pass-plugin={plugin}", f"--pass-pipeline={passes}", *options, "-"],
        input=text, capture_output=True, timeout=60)
    output, errors = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    assert done.returncode in (0, 1), (done.returncode, text[:2000], errors[-2000:])
    assert done.returncode == 0 or "error:" in errors, (text[:2000], errors[-2000:])
    return done.returncode, output, errors


def accepted(*arguments):
    code, output, errors = run(*arguments)
    assert code == 0, errors[-2000:]
    return output


def names():
    """A megabyte, NUL, quotes, line breaks, invalid UTF-8: the table has a bounded text."""
    for text in ("x" * (1 << 20), r"a\00b", r"\22;\27", r"a\0Ab", r"\FF\FE\C3"):
        output = accepted(exp.replace("LOC", f'loc("{text}"("m.py":1:1))'))
        assert "__seamscope_group_enter_v1(%" in output
        assert len(output) < 20000, len(output)


def nesting():
    """Locations deeper than any front end's."""
    for depth in (63, 64, 65, 200, 1000):
        accepted(exp.replace("LOC", "loc(" + "fused[" * depth + '"m.py":1:1'
                             + "]" * depth + ")"))
        accepted(exp.replace("LOC", "loc(" + "callsite(" * depth + '"m.py":1:1'
                             + ' at "c.py":2:2)' * depth + ")"))


def cycles():
    """Cyclic views, where the order of operations is free."""
    accepted("""module {
  %a = tensor.cast %b : tensor<?xf32> to tensor<4xf32>
  %b = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %e = tensor.empty() : tensor<4xf32>
  %c = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
}""", capture)


def views():
    """Casts of several values each, with 2 to the 40 paths."""
    t = "tensor<4xf32>"
    lines = [f"func.func @f(%a: {t}, %e: {t}) {{",
             f"%r = linalg.exp ins(%a : {t}) outs(%e : {t}) -> {t}",
             f"%c0:2 = builtin.unrealized_conversion_cast %r, %r : {t}, {t} to {t}, {t}"]
    for i in range(40):
        lines.append(f"%c{i + 1}:2 = builtin.unrealized_conversion_cast %c{i}#0, %c{i}#1 : "
                     f"{t}, {t} to {t}, {t}")
    accepted("\n".join([*lines, "return", "}"]), capture)


def sizes():
    """Sizes whose product has thousands of terms."""
    t = "tensor<" + "?x" * 8 + "f32>"
    lines = [f"func.func @f(%t: {t}) -> {t} {{"]
    for i in range(8):
        lines += [f"%i{i} = arith.constant {i} : index", f"%d{i} = tensor.dim %t, %i{i} : {t}"]
    lines.append("%s0 = arith.addi %d0, %d1 : index")
    for i in range(2, 8):
        lines.append(f"%s{i - 1} = arith.addi %s{i - 2}, %d{i} : index")
    lines += [f"%e = tensor.empty({', '.join(['%s6'] * 8)}) : {t}",
              f"%r = linalg.exp ins(%e : {t}) outs(%e : {t}) -> {t}", f"return %r : {t}", "}"]
    accepted("\n".join(lines), capture)


def symbols():
    """Other symbols with the markers' names cause an error."""
    for taken in ("func.func private @__seamscope_group_enter_v1(i32)",
                  "llvm.func @__seamscope_group_exit_v1(i32, i32)",
                  "memref.global @__seamscope_group_exit_v1 : memref<4xf32>"):
        code, _, errors = run(taken + "\n" + exp.replace("LOC", ""))
        assert code == 1 and "is reserved for Seamscope's runtime" in errors, errors


def table():
    """Malformed tables and entries."""
    texts = '["linalg.exp", "n", "4", "9223372036854775807*9223372036854775807", "++**-", 3, unit]'
    most = 9223372036854775807
    # Length, op, name, result, function, file, line, column, part_of, flops, number of reads; the reads.
    records = ["", "0", "-1", f"{most}", "1, 2, 3", "10, 0, 1, -1, -1, -1, 0, 0, -1, 8, 0",
               "99, 0, 1", f"10, {most}, -7, 5, 6, 99, -5, {most}, {most}, {most}, {most}",
               "10, 0, 1, -1, -1, -1, 3, 4, 7, 5, 0", "10, 0, 1, -1, -1, -1, 3, 4, -9, 7, 0",
               "10, 0, 1, -1, -1, -1, 3, 4, -1, 9, -4",
               f"14, 0, 1, -1, -1, -1, 3, 4, -1, 5, {most}, {-most - 1}, 7, {most}, 9",
               f"18, 0, 1, -1, -1, -1, 3, 4, -1, 5, 0, 0, 8, 0, {most}, -1, 99, {most}, 0",
               ", ".join(["0"] * 1000)]
    entries = ["1", '"text"', "unit", "[]", "[1, unit]", "{}", "dense<1> : tensor<4xi8>",
               "{records = 1, texts = 1, version = 1 : i64}",
               f"{{records = array<i64: 0>, texts = {texts}, version = 99999999999999999999 : i256}}",
               *(f"{{records = array<i64{': ' if record else ''}{record}>, texts = {texts}, "
                 "version = 1 : i64}" for record in records)]
    for entry in entries:
        for number in ("0", "1", "-1", "4294967296", "9223372036854775807"):
            place = f'loc(fused<{{seamscope.op = {number} : i64}}>["m.py":1:1])'
            text = f"module attributes {{seamscope.ops = {entry}}} {{\n{exp.replace('LOC', place)}}}"
            for passes in (both, "builtin.module(seamscope-instrument)"):
                accepted(text, passes)


def odd():
    """Modules with few or unknown operations, and passes in unusual orders."""
    plain = exp.replace("LOC", "")
    for text in ("", "module {}", "func.func private @g()", "module { module {} }",
                 "func.func @g() { return }", "%c = arith.constant 1 : i32\n%d = arith.addi %c, %c : i32",
                 "gpu.module @m { gpu.func @k(%a: f32) kernel { %b = arith.addf %a, %a : f32\n"
                 "gpu.return } }", plain):
        for passes in (both, capture, "builtin.module(seamscope-instrument)",
                       "builtin.module(seamscope-instrument,seamscope-capture)",
                       "builtin.module(seamscope-instrument{level=launch})"):
            accepted(text, passes)
    accepted('func.func @f(%a: tensor<4xf32>) { %b = "my.op"(%a) ({ "my.end"() : () -> () }) : '
             '(tensor<4xf32>) -> tensor<4xf32>\nreturn }', capture, "--allow-unregistered-dialect")
    once = accepted(plain, both, "--mlir-print-debuginfo")
    again = accepted(once, both, "--mlir-print-debuginfo")
    assert again.count("call @__seamscope_group_enter_v1") == 1
    assert run('func.func @f(%a: f32) { %b = arith.addf %a, %a : i32\nreturn }')[0] == 1


def fuzz():
    """Modules with a few changed characters, the same in each run."""
    source = accepted(exp.replace("LOC", 'loc("aten::exp"("m.py":1:1))'), capture,
                      "--mlir-print-debuginfo")
    dice = random.Random(22)
    parts = ["0", "-1", "4294967295", '"', "{", "]", "f32", "index", "memref", "fused<", "loc(", "?"]
    for _ in range(int(sys.argv[4])):
        text = source
        for _ in range(dice.randrange(1, 4)):
            at = dice.randrange(len(text))
            text = text[:at] + dice.choice(parts) + text[at + dice.randrange(0, 6):]
        run(text, both)


globals()[case]()
