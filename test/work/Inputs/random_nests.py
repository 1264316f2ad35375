#!/usr/bin/env python3
"""Compares the counts of random loop nests with those of count_ir.py.

usage: random_nests.py --clang CLANG --plugin PLUGIN --library FOLDER --seeds FROM-TO [-o FOLDER] [-- FLAG...]

Each seed is a program of several kernels, compiled with random options. Loops have constant, run-time,
triangular and data-dependent bounds, go up and down by several steps, with counters of several types, and
contain conditions, breaks, continues, jumps, calls, reductions and local arrays; some run in OpenMP teams.
A kernel that differs is reduced and printed, with its options. Exits with 1 if one differs.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import concurrent.futures
import copy
import os
import random
import shlex
import sys
import tempfile

sys.dont_write_bytecode = True
import count_ir  # noqa: E402
import exact  # noqa: E402
import ir_text  # noqa: E402

KERNELS = 10
SCHEDULES = ["", "schedule(static)", "schedule(static, 3)", "schedule(dynamic)", "schedule(dynamic, 4)"]
# Several threads race for the sizes of chunks.
SCHEDULES_OF_ONE = ["schedule(guided)", "schedule(guided, 2)"]
EXTRAS = ["", "", "", "-ffast-math", "-ffast-math", "-fno-unroll-loops", "-fno-vectorize", "-fwrapv",
          "-fno-math-errno", "-ffp-contract=off", "-fno-strict-aliasing"]

PROLOGUE = r"""
#include <math.h>
#include <stdint.h>
#include <string.h>
#define KERNEL __attribute__((noinline, annotate("seamscope.kernel"))) void
#define HELPER __attribute__((noinline)) static
// Has no hooks, so that its kernel has its work.
#define HIDDEN __attribute__((noinline, annotate("seamscope.off"))) static
static _Alignas(4096) float f0[8192], f1[8192], of[8192];
static _Alignas(4096) double d0[8192], od[8192];
static _Alignas(4096) int w0[8192];
// The optimiser does not know what kernels are called with.
static volatile int zero;
static float *volatile unknown0 = f0, *volatile unknown1 = f1;
static void fill(void) {
  for (int i = 0; i < 8192; ++i) {
    f0[i] = i * 7 % 64 / 64.0f;
    f1[i] = i * 11 % 32 / 32.0f;
    d0[i] = i * 5 % 16 / 16.0;
    w0[i] = i * 13 % 97;
    of[i] = od[i] = 0;
  }
}
"""


class Block:
    """Statements between two lines; without lines, one statement."""

    def __init__(self, head, body=None, tail="}"):
        self.head, self.body, self.tail = head, body, tail

    def text(self, indent="  "):
        if self.body is None:
            return indent + self.head + "\n"
        return (indent + self.head + "\n" + "".join(part.text(indent + "  ") for part in self.body)
                + indent + self.tail + "\n")


class Kernel:
    """A random kernel."""

    def __init__(self, seed, name, threads):
        self.random = random.Random(seed)
        self.name, self.threads = name, threads
        self.is_team = self.random.random() < 0.25
        self.serial, self.depth = 0, self.random.choice((1, 1, 2, 2, 2, 3, 3, 4))
        self.variables = []  # (name, largest value) of the loops around
        self.labels, self.helpers = [], []
        self.in_loop = self.branches = 0
        # Conditions: none, of loop variables alone, of anything.
        self.conditions = self.random.choice(("none", "none", "variables", "variables", "variables", "all", "all"))
        self.is_restrict = self.random.random() < 0.5
        self.needs_outer = None
        self.body = [self.team_nest()] if self.is_team else self.statements(0)

    # Expressions. Values stay small: weights of a sum add up to at most 1.

    def pick(self, *choices):
        return self.random.choice(choices)

    def variable(self):
        return self.random.choice(self.variables) if self.variables else ("3", 3)

    def index(self):
        """An index below 4096."""
        name, _ = self.variable()
        other, _ = self.variable()
        constant = self.random.randrange(20)
        return self.pick(name, name, f"{name} + {constant}", f"{name} * 16 + {other}", f"{name} * 2 + {constant % 2}",
                         f"({name} * 37 + {other} * 5 + {constant}) & 1023", f"{constant}", f"130 - {name}",
                         f"w0[{name}] + {other}")

    def value(self, deep=0):
        choice = self.random.randrange(12 if deep < 2 else 6)
        if choice < 3:
            return f"{self.pick('f0', 'f1', 'f0')}[{self.index()}]"
        if choice == 3:
            return f"d0[{self.index()}]"
        if choice == 4:
            return f"(w0[{self.index()}] * 0.01f)"
        if choice == 5:
            return f"{self.pick('0.5f', '0.25f', '0.125')}"
        left, right = self.value(deep + 1), self.value(deep + 1)
        if self.random.random() < 0.1:
            return self.called(left)
        return self.pick(f"({left} * 0.5f + {right} * 0.5f)", f"({left} * {right})", f"({left} / ({right} + 1.5f))",
                         f"(-{left})", f"({left} - {right} * 0.5f) * 0.5f", f"sqrtf(fabsf({left}))",
                         f"expf(-fabsf({left}))" if deep else left, f"fmaxf({left}, {right})",
                         f"({left} > {right} ? {right} : {left} * 0.5f)")

    def called(self, value):
        kind = self.random.randrange(7)
        if len(self.helpers) > 2:
            return value
        name = f"{self.name}_helper{len(self.helpers)}"
        inner = next((helper.split("(")[0].split()[-1] for helper in self.helpers if "(float x, int n)" in helper), "fabsf")
        inner = f"{inner}(s, n / 2)" if inner != "fabsf" else "fabsf(s)"
        self.helpers.append((
            f"HELPER float {name}(float x) {{ return x * x * 0.5f + 0.25f; }}",
            f"HELPER float {name}(float x) {{ return x > 0.5f ? x * 0.5f : 1 / (x + 2); }}",
            f"HELPER float {name}(float x) {{\n  float s = 0;\n  for (int i = 0; i < 5; ++i)\n"
            f"    s += x * f1[i];\n  return s * 0.2f;\n}}",
            f"HIDDEN float {name}(float x, int n) {{\n  float s = x;\n  for (int i = 0; i < n; ++i)\n"
            f"    s = s * 0.5f + f1[i] * 0.25f;\n  return s;\n}}",
            f"HIDDEN float {name}(float x, int n) {{\n  float s = x;\n  if (n > 3)\n    s = {inner};\n"
            f"  for (int i = n; i > 0; i -= 2) {{\n    if (f0[i] > 0.5f)\n      s += f0[i] / (s + 2);\n"
            f"    if (f1[i] > 0.9f)\n      break;\n  }}\n  return s * 0.2f;\n}}",
            f"HIDDEN float {name}(float x, int n) {{\n  float t = 0;\n  while (x > 0.1f && n-- > 0) {{\n"
            f"    float s = x;\n    t += {inner} * 0.1f;\n    x *= 0.5f;\n  }}\n  return t;\n}}",
            f"HIDDEN float {name}(float x, int n) {{\n  return n & 1 ? sqrtf(fabsf(x)) : x * 0.5f;\n}}")[kind])
        if kind < 3:
            return f"{name}({value})"
        return f"{name}({value}, {self.variable()[0]} & 15)"

    def variable_test(self):
        """A test of a loop's variable against what may not change in the loop."""
        name, largest = self.variable()
        other, _ = self.variable()
        compare = self.pick("<", "<", "<=", ">", ">=", "==", "!=")
        bound = self.pick("n", "m", "n - 3", "m + 2", "q", "n / 4 * 4", "-1", "0", "-7", "2147483647", "n - 40",
                          f"{self.random.randrange(50)}", f"{self.random.randrange(9)}", f"{largest // 2}", other,
                          f"{other} + 2", f"{other} * 2", f"w0[{self.random.randrange(50)}]")
        if self.random.random() < 0.2:
            kind = self.pick("unsigned", "long", "short", "uint8_t", "size_t")
            return f"({kind}){name} {compare} ({kind})({bound})"
        return self.pick(f"{name} {compare} {bound}", f"{name} {compare} {bound}", f"{name} + 4 {compare} {bound}",
                         f"{name} * 2 {compare} {bound}", f"{bound} {compare} {name}", f"n - (int){name} {compare} {bound}",
                         f"{name} {compare} {bound} && {other} < 11", f"!({name} {compare} {bound})")

    def condition(self):
        if self.conditions == "variables" or self.random.random() < 0.3:
            return self.variable_test()
        name, largest = self.variable()
        other, _ = self.variable()
        return self.pick(f"f0[{self.index()}] > 0.{self.random.randrange(1, 9)}f", f"({name} & {self.pick(1, 3)}) == 0",
                         f"{name} == {self.random.randrange(8)}", f"w0[{self.index()}] < {self.random.randrange(97)}",
                         f"n > {self.random.randrange(20)}", f"{name} < {other}", f"{name} >= {largest // 2}",
                         f"{name} < 9 && d0[{self.index()}] < 0.5")

    # Statements.

    def target(self):
        if self.needs_outer:
            return f"{self.pick('of', 'od')}[({self.needs_outer} << 6) + (({self.index()}) & 63)]"
        return f"{self.pick('f0', 'f1', 'd0', 'of', 'od')}[{self.index()}]"

    def simple(self):
        choice = self.random.randrange(12)
        target = self.target()
        if choice < 6 or (self.needs_outer and choice in (8, 9)):
            return Block(f"{target} = {self.value()};")
        if choice < 8:
            return Block(f"{target} = {target} * 0.5f + {self.value()} * 0.5f;")
        if choice == 8:
            at = self.index()
            return Block(f"w0[{at}] = (w0[{at}] * 3 + {self.variable()[0]}) & 63;")
        if choice == 9:
            name = self.variable()[0]
            return Block(self.pick(f"memset(of + {name}, 0, {name} * 4);", f"memcpy(od, d0 + {name}, ({name} & 7) * 8);",
                                   f"memcpy(of + 100, f1 + {name}, 32);", f"memmove(of + 1, of, {name});"))
        if choice == 10:
            return Block(f"sum += {self.value()};")
        return Block(f"tile[({self.index()}) & 15] = tile[({self.index()}) & 15] * 0.5f + {self.value()} * 0.5f;")

    def statements(self, depth, least=1):
        result = []
        for _ in range(self.random.randrange(least, 4)):
            choice = self.random.random()
            if self.conditions == "none" and 0.55 <= choice < 0.79:
                choice = 1
            if depth < self.depth and choice < 0.55:
                result.append(self.loop(depth))
            elif choice < 0.7 and self.variables and self.branches < 3:
                self.branches += 1
                result.append(self.branch(depth))
                self.branches -= 1
            elif choice < 0.75 and self.in_loop:
                result.append(self.leave())
            elif choice < 0.79 and self.variables:
                result.append(self.switch())
            else:
                result.append(self.simple())
        if depth == 0 and not any(part.body is not None for part in result):
            result.append(self.loop(depth))
        return result

    def branch(self, depth):
        condition = self.condition()
        if self.random.random() < 0.3:
            return Block(f"if ({condition}) {{", [self.simple(), Block("} else {", self.statements(depth), "")], "}")
        return Block(f"if ({condition}) {{", self.statements(depth))

    def switch(self):
        cases = []
        for number in range(self.random.randrange(2, 5)):
            cases += [Block(f"case {number}:"), self.simple()]
            if self.random.random() < 0.7:
                cases.append(Block("break;"))
        return Block(f"switch ({self.variable()[0]} & 3) {{", [*cases, Block("default:;")])

    def leave(self):
        how = ["break;", "break;", "continue;"]
        if not self.needs_outer:
            how += ["return;", "goto out;"]
        return Block(f"if ({self.condition()}) {self.random.choice(how)}")

    def new_variable(self):
        self.serial += 1
        return f"v{self.serial}"

    def loop(self, depth):
        name = self.new_variable()
        small = self.depth > 2
        limit = 10 if small else 60
        # Bounds: (text, largest value).
        bounds = [(str(self.random.randrange(1, limit)), limit), ("n", 40), ("n", 40), ("m", 40), ("n + 3", 43),
                  ("n / 2", 20), ("m * 2", 80), ("q", 24)]
        if self.variables:
            outer, most = self.variable()
            if most <= 60:
                bounds += [(outer, most), (outer, most), (f"{outer} + 1", most + 1), (f"{outer} * 2 + 1", 2 * most + 1),
                           (f"n - (int){outer}", 43), (f"(w0[{outer}] & 7)", 7), (f"{outer} / 3", most // 3)]
        bound, most = self.random.choice(bounds)
        kind = self.pick("int", "int", "long", "unsigned", "uint8_t", "short", "size_t")
        if kind in ("unsigned", "uint8_t", "size_t") and "-" in bound:
            kind = "int"
        compared = f"({kind})({bound})" if kind in ("unsigned", "size_t") else bound
        step = self.pick(1, 1, 1, 1, 2, 3, 4, 7)
        start, start_most = self.pick(("0", 0), ("0", 0), ("0", 0), (str(self.random.randrange(9)), 9), ("m", 40))
        if self.variables and self.random.random() < 0.15:
            start, start_most = self.random.choice(self.variables)
        most = max(most, start_most)
        up = f"++{name}" if step == 1 else f"{name} += {step}"
        shapes = [f"for ({kind} {name} = {start}; {name} < {compared}; {up}) {{"] * 6
        shapes += [f"for ({kind} {name} = {start}; {name} <= {compared}; {up}) {{",
                   f"for ({kind} {name} = 1; {name} < {compared}; {name} *= 2) {{",
                   f"for ({kind} {name} = {start}; {name} < {compared} && {self.condition()}; {up}) {{",
                   f"for (int {name} = {start}; {name} < {bound} || {name} < 3; {up}) {{"]
        if kind in ("int", "long", "short"):
            down = f"--{name}" if step == 1 else f"{name} -= {step}"
            shapes += [f"for ({kind} {name} = {bound}; {name} > 0; {down}) {{",
                       f"for ({kind} {name} = ({kind})({bound}) - 1; {name} >= 0; {down}) {{"] * 2
        elif "-" not in bound:
            shapes += [f"for ({kind} {name} = {bound}; {name}-- > 0;) {{"] * 3
        if "-" not in bound and start == "0" and "v" not in bound:
            shapes += [f"for ({kind} {name} = 0; {name} != {compared}; ++{name}) {{"] * 2
        head = self.random.choice(shapes)
        self.variables.append((name, most))
        self.in_loop += 1
        if self.random.random() < 0.1 and not self.needs_outer:
            # A loop that ends by what it computes.
            inner = self.statements(depth + 1)
            result = Block(f"{{ float x{name} = f0[{self.random.randrange(50)}] + 1; int {name} = 0;",
                           [Block("do {", [*inner, Block(f"x{name} = x{name} * 0.75f - 0.01f;"), Block(f"++{name};")],
                                  f"}} while (x{name} > 0.2f && {name} < 30);")])
            # `continue` would skip the steps.
            text = result.text()
            if "continue;" in text:
                result = Block(head, inner)
        else:
            result = Block(head, self.statements(depth + 1))
        self.in_loop -= 1
        self.variables.pop()
        return result

    def team_nest(self):
        name = self.new_variable()
        self.needs_outer = name
        bound, most = self.pick(("n", 40), ("m", 40), ("n + 3", 43), ("37", 37), ("q", 24))
        kind = self.pick("int", "long", "unsigned", "size_t")
        step = self.pick(1, 1, 1, 2, 3)
        schedule = self.random.choice(SCHEDULES + (SCHEDULES_OF_ONE if self.threads == 1 else []))
        clauses = [schedule, "firstprivate(tile)", "reduction(+ : sum)"]
        self.variables.append((name, most))
        compared = f"({kind})({bound})"
        head = (f"for ({kind} {name} = 0; {name} < {compared}; {name} += {step}) {{")
        if self.random.random() < 0.2:
            inner = self.new_variable()
            clauses.append("collapse(2)")
            self.variables.append((inner, 20))
            body = [Block(f"for (int {inner} = 0; {inner} < {self.pick('q', '7', 'n / 2')}; ++{inner}) {{",
                          self.statements(2))]
            self.variables.pop()
        else:
            body = self.statements(1)
        self.variables.pop()
        return Block(f"_Pragma(\"omp parallel for {' '.join(clauses)}\")", [Block(head, body)], "")

    def text(self):
        restrict = "restrict " if self.is_restrict else ""
        body = "".join(part.text() for part in self.body)
        parameters = (f"float *{restrict}f0, float *{restrict}f1, double *{restrict}d0, int *{restrict}w0, "
                      f"float *{restrict}of, double *{restrict}od, int n, int m, long q")
        label = "out:\n" if "goto out;" in body else ""
        used, helpers = body, ""
        for helper in reversed(self.helpers):  # later ones call earlier ones
            if helper.split("(")[0].split()[-1] in used:
                used, helpers = used + helper, helper + "\n" + helpers
        return (f"{helpers}KERNEL {self.name}({parameters}) {{\n  float sum = 0, tile[16] = {{0.5f}};\n{body}{label}"
                f"  of[4100] = sum + tile[3];\n}}\n")

    def calls(self):
        arguments = self.pick("f0, f1", "unknown0, unknown1", "unknown0, unknown1")
        if not self.is_restrict:
            arguments = self.pick(arguments, "f0, f0", "f0, unknown0", "unknown0, f0 + 1", "unknown0 + 3, f0")
        return "".join(f"  fill(), {self.name}({arguments}, d0, w0, of, od, zero + {n}, zero + {m}, zero + {q});\n"
                       for n, m, q in ((0, 0, 0), (1, 2, 3), (8, 5, 16), (33, 17, 7), (40, 31, 24)))


def program(kernels):
    calls = {}
    for kernel in kernels:
        if not hasattr(kernel, "written_calls"):
            kernel.written_calls = kernel.calls()
        calls[kernel.name] = kernel.written_calls
    return (PROLOGUE + "\n".join(kernel.text() for kernel in kernels) + "\nint main(void) {\n"
            + "".join(calls.values()) + "  return 0;\n}\n")


class Case:
    """The options of one seed."""

    def __init__(self, seed, asked):
        choices = random.Random(seed)
        self.asked = asked
        option = choices.choice(exact.levels() + ["-Os", "-Oz"]) + " " + choices.choice(EXTRAS)
        self.setting = choices.choice(("on", "exact"))
        self.flags = [*shlex.split(option), "-gline-tables-only", "-w", *asked.flags]
        self.threads = choices.randrange(1, 5)
        self.environment = dict(exact.DETERMINISTIC, OMP_NUM_THREADS=str(self.threads))

    def __str__(self):
        return f"{shlex.join(self.flags)} work={self.setting} threads={self.threads}"

    def compare(self, kernels, folder):
        """Lines that differ, by kernel."""
        source = os.path.join(folder, "nest.c")
        with open(source, "w") as file:
            file.write(program(kernels))
        [(expected, owners, _)] = count_ir.reference(self.asked.clang, source, self.flags, folder, "^k_",
                                                     [self.environment])
        [found] = exact.instrumented(self.asked.clang, self.asked.plugin, self.asked.library, source, self.flags,
                                     f"work={self.setting};min-work=0", folder, [self.environment])
        lines, tally = exact.differences(expected, owners, found, self.setting == "exact")
        by_kernel = collections.defaultdict(list)
        for line in lines:
            by_kernel[line.split(":")[0]].append(line)
        return by_kernel, tally

    def differs(self, kernel, folder):
        try:
            return bool(self.compare([kernel], folder)[0])
        except (RuntimeError, ir_text.Unsupported):
            return False


def reduce(case, kernel, folder, tries=200):
    """The kernel with as few statements as differ."""
    def blocks(body, path=()):
        for place, part in enumerate(body):
            yield (*path, place)
            if part.body is not None:
                yield from blocks(part.body, (*path, place))

    def changed(path, unwrap):
        other = copy.deepcopy(kernel)
        body = other.body
        for place in path[:-1]:
            body = body[place].body
        part = body[path[-1]]
        body[path[-1]:path[-1] + 1] = part.body if unwrap and part.body and part.head.startswith("if") else []
        return other

    progress = True
    while progress and tries > 0:
        progress = False
        for path in list(blocks(kernel.body)):
            for unwrap in (False, True):
                try:
                    other = changed(path, unwrap)
                except (IndexError, TypeError):  # the path is of a larger kernel
                    continue
                tries -= 1
                if tries > 0 and other.text() != kernel.text() and case.differs(other, folder):
                    kernel, progress = other, True
                    break
    return kernel


def run_seed(seed, asked):
    """(report of what differs, numbers of kernels)."""
    case = Case(seed, asked)
    kernels = [Kernel(f"{seed}.{number}", f"k_{number}", case.threads) for number in range(KERNELS)]
    with tempfile.TemporaryDirectory() as scratch:
        try:
            by_kernel, tally = case.compare(kernels, scratch)
        except (RuntimeError, ir_text.Unsupported) as failure:
            return f"seed {seed}: {case}: {failure}\n", collections.Counter(failed=1)
        report = ""
        for kernel in kernels:
            if kernel.name not in by_kernel:
                continue
            lines = by_kernel[kernel.name]
            if asked.reduce and case.differs(kernel, scratch):
                kernel = reduce(case, kernel, scratch)
                lines = case.compare([kernel], scratch)[0][kernel.name]
            report += f"seed {seed}: {case}\n" + "".join(f"  {line}\n" for line in lines)
            report += kernel.text() + kernel.written_calls
            tally["different"] += 1
        return report, tally


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--clang", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--seeds", required=True, help="FROM-TO")
    parser.add_argument("--reduce", action="store_true", help="reduce kernels that differ")
    parser.add_argument("-j", dest="jobs", type=int, default=1)
    parser.add_argument("flags", nargs="*", help="compiler options of all builds")
    asked = parser.parse_args()
    first, last = map(int, asked.seeds.split("-"))
    total = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        for report, tally in pool.map(lambda seed: run_seed(seed, asked), range(first, last + 1)):
            total += tally
            if report:
                print(report, flush=True)
    nests = sum(total[how] for how in ("equal", "bounds", "unknown", "left out"))
    print(f"{nests} nests: {total['equal']} equal, {total['bounds']} within bounds, {total['unknown']} with unknown calls, "
          f"{total['left out']} left out; {total['different']} differ, {total['failed']} programs failed")
    return 1 if total["different"] or total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
