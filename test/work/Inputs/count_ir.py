#!/usr/bin/env python3
"""Counts what functions of a C or C++ program execute, without the plugin.

usage: count_ir.py [--clang CLANG] [--kernels REGEX] [-o FOLDER] SOURCE FLAG...

Clang compiles the source to optimised IR. A counter is added to each block of the kernels, of the
functions that only they call and of their OpenMP regions, and the program runs. Each block's counter
times the work of its instructions, summed up, is the work of the kernel. Prints
{"counts": {kernel: {key: count}}, "owners": {function: kernel}, "output": text of the program}.

This is the reference for the counts of the pass (seamscope/work.def has the keys). It shares no code
with the pass: it reads IR as text, and counts each block by itself, masked bytes by the mask.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

from ir_text import (NAME, VALUE, Unsupported, element_name, layout, operand_of, read_functions, split_arguments,
                     stripped, take_type, unquoted, vector_parts)

FLAGS = r"(?:(?:fast|nnan|ninf|nsz|arcp|contract|afn|reassoc|nuw|nsw|exact|disjoint|nneg|samesign) )*"
FLOAT_BINARY = {"fadd": "add", "fsub": "add", "fmul": "mul", "fdiv": "div", "frem": "rem"}
INTEGER_BINARY = {"add": "add", "sub": "add", "mul": "mul", "udiv": "div", "sdiv": "div",
                  "urem": "rem", "srem": "rem", "shl": "shift", "lshr": "shift", "ashr": "shift",
                  "and": "logic", "or": "logic", "xor": "logic"}
CONVERSIONS = {"fptrunc", "fpext", "fptosi", "fptoui", "sitofp", "uitofp"}
MATH = set("""acos acosh asin asinh atan atan2 atanh cbrt cos cosh cospi erf erfc exp exp10 exp2 expm1
    fmod hypot ldexp lgamma log log10 log1p log2 pow powi remainder sin sincos sincospi sinh sinpi tan
    tanh tgamma frexp modf nextafter scalbn ilogb logb fdim""".split())
ROUNDINGS = "floor ceil trunc rint nearbyint round roundeven lrint llrint lround llround".split()
MIN_MAX = "minnum maxnum minimum maximum minimumnum maximumnum".split()
INTEGER_MIN_MAX = "smin smax umin umax".split()
ONE_INSTRUCTION = {**dict.fromkeys(["sqrt"], "sqrt"), **dict.fromkeys(["fmin", "fmax"], "minmax"),
                   **dict.fromkeys(["floor", "ceil", "trunc", "round", "rint", "nearbyint"], "round")}


class Block:
    def __init__(self):
        self.counts = collections.Counter()
        self.dynamic = []   # (text that goes before an instruction, index of its line, key of a unit)
        self.insert = None  # index of the line in front of which the counter goes


class Counting:
    """The work of the instructions of one function."""

    def __init__(self, function, structs):
        self.function, self.structs = function, structs
        self.base, self.allocas, self.users = {}, set(), collections.defaultdict(list)
        self.result = None
        for _, line in function.lines:
            self.define(line)

    def define(self, line):
        text = stripped(line).strip()
        result, equals, right = text.partition(" = ")
        if not re.fullmatch(VALUE, result) or not equals:
            result, right = None, text
        for used in set(re.findall(VALUE, right)):
            self.users[used].append((result, right))
        if not result:
            return
        if right.startswith("alloca "):
            self.allocas.add(result)
        elif found := re.match(rf"getelementptr .*?, ptr(?: addrspace\(\d+\))? ({VALUE})", right):
            self.base[result] = found[1]
        elif found := re.match(rf"(?:bitcast|addrspacecast) ptr(?: addrspace\(\d+\))? ({VALUE})", right):
            self.base[result] = found[1]
        elif found := re.fullmatch(rf"phi ptr \[ ({VALUE}), {VALUE} \]", right):
            self.base[result] = found[1]

    def is_on_stack(self, pointer):
        for _ in range(1000):
            if pointer in self.allocas:
                return True
            if pointer not in self.base:
                return False
            pointer = self.base[pointer]
        return False

    def run(self):
        block = Block()
        self.function.blocks.append(block)
        for index, line in self.function.lines:
            if not line.startswith(" "):
                block = Block()
                if self.function.lines[0][0] == index:
                    self.function.blocks.clear()
                self.function.blocks.append(block)
                continue
            text = stripped(line).strip()
            right = text.partition(" = ")[2] if re.match(rf"{VALUE} = ", text) else text
            if block.insert is None and not re.match(r"(phi|landingpad|alloca) ", right):
                block.insert = index
            self.count(block, index, right, text.partition(" = ")[0])
        return self.function

    def add(self, block, type_text, key):
        lanes = vector_parts(type_text)[0]
        if lanes > 1:  # those that nothing reads are not computed
            lanes = len(self.lanes_used(self.result, lanes))
        block.counts[f"{element_name(type_text)}.{key}"] += lanes

    def lanes_used(self, result, lanes, deep=0):
        used = set()
        if deep == 6:
            return set(range(lanes))
        for name, user in self.users[result]:
            used |= self.lanes_read(name, user, result, lanes, deep + 1)
        return used

    def lanes_read(self, name, user, operand, lanes, deep):
        """Lanes of the operand that one of its users reads."""
        opcode, _, rest = user.removeprefix("tail ").partition(" ")
        if opcode == "extractelement" and (found := re.search(r", i\d+ (\d+)$", rest)):
            return {int(found[1])}
        if opcode == "shufflevector":
            first, rest = take_type(rest)[1].split(",", 1)
            second, rest = (part.strip() for part in
                            re.match(r"(<.*?>|splat \(.*?\)|[^,]*),(.*)", take_type(rest)[1]).groups())
            mask_type, mask = take_type(rest)
            count = vector_parts(mask_type)[0]
            places = [int(place) if place.isdigit() else 2 * lanes
                      for place in re.findall(r"i32 (\d+|poison|undef)", mask)] or [0]
            places = places * count if len(places) == 1 else places
            wanted = self.lanes_used(name, count, deep)
            return {places[lane] % lanes for lane in wanted
                    if places[lane] < 2 * lanes and (first, second)[places[lane] // lanes].strip() == operand}
        is_by_lane = opcode in FLOAT_BINARY or opcode in INTEGER_BINARY or opcode in ("fneg", "fcmp", "select") or \
            (opcode == "call" and re.search(r"@llvm\.(fma|fmuladd|sqrt|fabs|minnum|maxnum)\.", rest))
        return self.lanes_used(name, lanes, deep) if is_by_lane and name else set(range(lanes))

    def is_of_one_lane(self, index, result, lanes):
        """Whether the code generator loads one element of a vector: the only one that the same block takes."""
        behind = set()
        for at, line in self.function.lines:
            if at > index:
                if not line.startswith(" "):
                    break
                behind.add(stripped(line).strip().partition(" = ")[2])
        return all(user in behind and user.startswith(("shufflevector", "extractelement"))
                   for _, user in self.users[result]) and len(self.lanes_used(result, lanes)) == 1

    def move(self, block, key, pointer, type_text):
        if not self.is_on_stack(pointer):
            block.counts[key] += layout(type_text, self.structs)[1]

    def count(self, block, index, text, result):
        self.result = result
        opcode, _, rest = text.partition(" ")
        if opcode in ("tail", "musttail", "notail"):
            opcode, _, rest = rest.partition(" ")
        if opcode in ("call", "invoke"):
            return self.call(block, index, rest)
        rest = re.sub(rf"^{FLAGS}", "", rest)
        if opcode in FLOAT_BINARY:
            return self.add(block, take_type(rest)[0], FLOAT_BINARY[opcode])
        if opcode == "fneg":
            if not self.users[result] or all(self.takes_sign(user) for _, user in self.users[result]):
                return None
            return self.add(block, take_type(rest)[0], "neg")
        if opcode == "fcmp":
            return self.add(block, take_type(rest.split(" ", 1)[1])[0], "compare")
        if opcode in CONVERSIONS:
            return self.add(block, re.search(r" to (.*)$", rest)[1], "convert")
        if opcode in INTEGER_BINARY:
            type_text = take_type(rest)[0]
            lanes, element = vector_parts(type_text)
            if type_text.startswith("<") and (element != "i1" or INTEGER_BINARY[opcode] not in ("logic", "shift")):
                self.add(block, type_text, INTEGER_BINARY[opcode])
        elif opcode == "load":
            type_text, rest = take_type(re.sub(r"^(atomic |volatile )*", "", rest))
            lanes, element = vector_parts(type_text)
            if lanes > 1 and self.is_of_one_lane(index, result, lanes):
                type_text = element
            self.move(block, "read", self.pointer_in(rest), type_text)
        elif opcode == "store":
            type_text, rest = take_type(re.sub(r"^(atomic |volatile )*", "", rest))
            self.move(block, "write", self.pointer_in(rest[rest.rindex(", ptr"):]), type_text)
        elif opcode == "atomicrmw":
            found = re.match(rf"(?:volatile )?(\w+) ptr(?: addrspace\(\d+\))? (.*?), (.*)$", rest)
            type_text = take_type(found[3])[0]
            for key in ("read", "write"):
                self.move(block, key, found[2], type_text)
            if found[1] in ("fadd", "fsub"):
                self.add(block, type_text, "add")
            elif found[1] in ("fmax", "fmin"):
                self.add(block, type_text, "minmax")
        elif opcode == "cmpxchg":
            found = re.match(r"(?:weak )?(?:volatile )?ptr (\S+), (.*)$", rest)
            for key in ("read", "write"):
                self.move(block, key, found[1], take_type(found[2])[0])
        return None

    @staticmethod
    def takes_sign(user):
        return bool(re.match(r"(fadd|fsub) ", user) or re.search(r"@llvm\.(fma|fmuladd)\.", user))

    @staticmethod
    def pointer_in(text):
        found = re.search(rf"\bptr(?: addrspace\(\d+\))? ({VALUE})(?=,| |$)", text)
        return found[1] if found else None  # a global, or an expression of one

    def call(self, block, index, text):
        found = re.search(rf"@({NAME})\(", text)
        if not found or re.search(r"(^| )asm ", text):
            return  # nobody knows what it does
        name = unquoted(found[1])
        before = re.sub(r"\s*\((?:[^()]|\([^()]*\))*\)\s*$", "", text[:found.start()].rstrip())
        returns = re.search(rf"(\{{[^{{}}]*\}}|\[[^\[\]]*\]|<[^<>]*>|[^\s()<>{{}}]+)$", before)[1]
        arguments = split_arguments(text[found.end():])
        if name.startswith("llvm."):
            return self.intrinsic(block, index, name, returns, arguments)
        if name.startswith(("__kmpc_fork_call", "__kmpc_fork_teams")):
            self.function.forks.update(unquoted(other[1:]) for other in re.findall(rf"@{NAME}", text[found.end():]))
            return
        if vector := re.fullmatch(r"_ZGV[a-z][MN](\d+)\w*?_(\w+)", name):
            block.counts["call." + vector[2]] += int(vector[1])
            return
        base = name[:-1] if name[-1] in "fl" and name not in MATH else name
        if base in MATH:
            block.counts["call." + name] += 1
        elif base in ONE_INSTRUCTION:
            self.add(block, returns, ONE_INSTRUCTION[base])
        else:
            self.function.calls.add(name)

    def intrinsic(self, block, index, name, returns, arguments):
        parts = name.split(".")[1:]
        first = parts[0]
        if first in ("memcpy", "memmove", "memset"):
            return self.copy(block, index, first, arguments)
        if first in ("fma", "fmuladd"):
            return self.add(block, returns, "fma")
        if first == "sqrt":
            return self.add(block, returns, "sqrt")
        if first in MIN_MAX:
            return self.add(block, returns, "minmax")
        if first in INTEGER_MIN_MAX:
            return self.add(block, returns, "minmax") if returns.startswith("<") else None
        if first in ROUNDINGS:
            return self.add(block, take_type(arguments[0])[0], "round")
        if first == "vector" and parts[1] == "reduce":
            return self.reduce(block, parts[2], arguments)
        if first == "vector" and parts[1] == "partial":
            raise Unsupported(name)
        if first == "masked":
            return self.masked(block, index, parts[1], returns, arguments)
        if first in MATH:
            if returns.startswith("{"):
                returns = take_type(returns[1:])[0]
            lanes, element = vector_parts(returns)
            if element not in ("float", "double"):
                element = element if first not in ("ilogb",) else take_type(arguments[0])[0]
            block.counts[f"call.{first}{'f' if element == 'float' else ''}"] += lanes
            return None
        if first == "experimental" and parts[1] == "constrained":
            return self.constrained(block, index, parts[2:], returns, arguments)
        return None

    def constrained(self, block, index, parts, returns, arguments):
        what = parts[0]
        if what in FLOAT_BINARY:
            self.add(block, returns, FLOAT_BINARY[what])
        elif what in ("fcmp", "fcmps"):
            self.add(block, take_type(arguments[0])[0], "compare")
        elif what in CONVERSIONS:
            self.add(block, returns, "convert")
        else:  # the rest have the names of other intrinsics
            self.intrinsic(block, index, ".".join(["llvm", *parts]), returns, arguments)

    def copy(self, block, index, what, arguments):
        keys = []
        if not self.is_on_stack(operand_of(arguments[0])):
            keys.append("write")
        if what != "memset" and not self.is_on_stack(operand_of(arguments[1])):
            keys.append("read")
        type_text, value = take_type(arguments[2])
        if value.startswith("%"):
            for key in keys:
                block.dynamic.append((index, "length", type_text, value, key, 1))
        else:
            for key in keys:
                block.counts[key] += int(value)

    def reduce(self, block, what, arguments):
        neutral = True
        if what in ("fadd", "fmul"):
            value = operand_of(arguments.pop(0))
            constants = {"fadd": (0.0,), "fmul": (1.0,)}[what]
            try:
                neutral = float(value) in constants
            except ValueError:
                neutral = False
        type_text = take_type(arguments[0])[0]
        lanes, element = vector_parts(type_text)
        key = {"fadd": "add", "add": "add", "fmul": "mul", "mul": "mul", "and": "logic", "or": "logic",
               "xor": "logic"}.get(what, "minmax")
        if key != "logic" or element != "i1":
            block.counts[f"{element_name(type_text)}.{key}"] += lanes - neutral

    def masked(self, block, index, what, returns, arguments):
        is_store = what in ("store", "scatter", "compressstore")
        type_text = take_type(arguments[0])[0] if is_store else returns
        mask = next(argument for argument in arguments if re.match(r"<\d+ x i1>", argument))
        pointer = operand_of(arguments[1 if is_store else 0])
        if self.is_on_stack(pointer):
            return
        lanes, element = vector_parts(type_text)
        key, each = "write" if is_store else "read", layout(element, self.structs)[1]
        mask_type, value = take_type(mask)
        if value.startswith("%"):
            block.dynamic.append((index, "mask", mask_type, value, key, each))
        else:
            on = lanes if value == "splat (i1 true)" else len(re.findall(r"i1 true", value))
            block.counts[key] += on * each


def owners_of(functions, kernels):
    """The kernel of each function that kernels call or run as a region."""
    by_name = {function.name: function for function in functions}
    owners = {name: name for name in by_name if re.search(kernels, name) and not by_name[name].is_local}
    work = list(owners)
    while work:
        name = work.pop()
        for other in (by_name[name].calls | by_name[name].forks) & by_name.keys():
            if other not in owners:
                owners[other] = owners[name]
                work.append(other)
            elif owners[other] != owners[name] and owners[other] != other:
                raise Unsupported(f"{other} belongs to {owners[name]} and to {owners[other]}")
    return owners


HELPER = r"""
#include <stdio.h>
#include <stdlib.h>
extern unsigned long long seamscope_reference_counts[];
extern const unsigned seamscope_reference_size;
__attribute__((destructor)) static void write_counts(void) {
  FILE *file = fopen(getenv("REFERENCE_COUNTS"), "w");
  for (unsigned i = 0; i < seamscope_reference_size; ++i)
    fprintf(file, "%llu\n", seamscope_reference_counts[i]);
  fclose(file);
}
"""


def instrument(lines, functions, owners):
    """IR with counters, and what each counter adds: [(kernel, {key: count})]."""
    meaning, before, masks = [], collections.defaultdict(list), set()

    def counter(kernel, counts, value, index, label):
        number = len(meaning)
        meaning.append((kernel, counts))
        before[index] += [f"  %{label}.at = getelementptr i64, ptr @seamscope_reference_counts, i64 {number}",
                          f"  %{label}.old = atomicrmw add ptr %{label}.at, i64 {value} monotonic"]

    for function in functions:
        if function.name not in owners:
            continue
        kernel, serial = owners[function.name], 0
        for block in function.blocks:
            if block.counts:
                counter(kernel, block.counts, "1", block.insert, f"seamscope.{serial}")
                serial += 1
            for index, how, type_text, value, key, each in block.dynamic:
                label = f"seamscope.{serial}"
                serial += 1
                if how == "mask":
                    bits = f"i{vector_parts(type_text)[0]}"
                    masks.add(bits)
                    before[index] += [f"  %{label}.bits = bitcast {type_text} {value} to {bits}",
                                      f"  %{label}.on = call {bits} @llvm.ctpop.{bits}({bits} %{label}.bits)"]
                    type_text, value = bits, f"%{label}.on"
                if type_text != "i64":
                    how = "zext" if int(type_text[1:]) < 64 else "trunc"
                    before[index].append(f"  %{label}.wide = {how} {type_text} {value} to i64")
                    value = f"%{label}.wide"
                counter(kernel, {key: each}, value, index, label)
    result = []
    for index, line in enumerate(lines):
        result += before.get(index, []) + [line]
    size = max(1, len(meaning))
    result.append(f"@seamscope_reference_counts = global [{size} x i64] zeroinitializer, align 64")
    result.append(f"@seamscope_reference_size = constant i32 {len(meaning)}")
    text = "\n".join(result)
    for bits in sorted(masks):
        if f"@llvm.ctpop.{bits}(" not in "\n".join(line for line in lines if line.startswith("declare")):
            text += f"\ndeclare {bits} @llvm.ctpop.{bits}({bits})"
    return text + "\n", meaning


def run(command, **settings):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, **settings)
    if done.returncode:
        raise RuntimeError(f"{shlex.join(command)}: exit {done.returncode}\n{done.stderr[-4000:]}")
    return done.stdout


def reference(clang, source, flags, folder, kernels="^k_", environments=({},)):
    """For each environment (counts by kernel, owners, output)."""
    base = os.path.join(folder, "reference")
    run([clang, *flags, "-S", "-emit-llvm", source, "-o", base + ".ll"])
    with open(base + ".ll") as file:
        lines = file.read().split("\n")
    structs = {found[1]: found[2] for line in lines
               if (found := re.match(rf"(%{NAME}) = type (\{{.*\}})$", line))}
    functions = [Counting(function, structs).run() for function in read_functions(lines)]
    owners = owners_of(functions, kernels)
    text, meaning = instrument(lines, functions, owners)
    with open(base + ".counted.ll", "w") as file:
        file.write(text)
    with open(base + ".helper.c", "w") as file:
        file.write(HELPER)
    helper = base + ".helper.o"
    if not os.path.exists(helper):
        run([clang, "-x", "c", "-O1", "-c", base + ".helper.c", "-o", helper])
    link = [flag for flag in flags if flag.startswith(("-fopenmp", "-l", "-L", "-I"))]
    # The same options again: code for other ones could round differently, and branch differently.
    code = [flag for flag in flags if flag not in link and not flag.startswith("-std")]
    run([clang, "-w", "-Xclang", "-disable-llvm-passes", *code, "-c", base + ".counted.ll", "-o", base + ".o"])
    run([clang, base + ".o", helper, *link, "-lm", "-o", base])
    results = []
    for environment in environments:
        output = run([base], env=dict(os.environ, REFERENCE_COUNTS=base + ".counts", **environment))
        with open(base + ".counts") as file:
            runs = [int(line) for line in file]
        counts = {kernel: collections.Counter() for kernel in set(owners.values())}
        for times, (kernel, work) in zip(runs, meaning, strict=True):
            for key, each in work.items():
                if times * each:
                    counts[kernel][key] += times * each
        results.append(({kernel: dict(of) for kernel, of in counts.items()}, owners, output))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--kernels", default="^k_")
    parser.add_argument("-o", dest="folder")
    parser.add_argument("source")
    asked, flags = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as scratch:
        [(counts, owners, output)] = reference(asked.clang, asked.source, flags, asked.folder or scratch,
                                               asked.kernels)
    json.dump({"counts": counts, "owners": owners, "output": output}, sys.stdout, indent=1, sort_keys=True)
    print()


if __name__ == "__main__":
    main()
