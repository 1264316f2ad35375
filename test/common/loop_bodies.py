#!/usr/bin/env python3
"""Compares the machine code of innermost loops with and without the plugin.

usage: loop_bodies.py [--tolerate FUNCTION]... FILE -- COMPILER -fpass-plugin=PLUGIN OPTIONS...

Functions are compared by name: the bodies of their innermost loops, after registers, labels, stack
slots and constants have been named in the order in which they appear. A kernel that is kept from
being inlined has its loop in a function of its own and not in its callers: bodies that the plain
function has are looked for in the whole instrumented file, so a loop that moved is not one that
changed. Register allocation may differ by a copy, of a constant too, which the plain loop may have for
what follows it, and scheduling by an order: such loops are counted by themselves. Prints what differs,
and exits 1 when a body of the plain build is nowhere in the other.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import toolchain  # noqa: E402

FAMILIES = {}
for number, names in enumerate((("rax", "eax", "ax", "al", "ah"), ("rbx", "ebx", "bx", "bl", "bh"),
                                ("rcx", "ecx", "cx", "cl", "ch"), ("rdx", "edx", "dx", "dl", "dh"),
                                ("rsi", "esi", "si", "sil"), ("rdi", "edi", "di", "dil"),
                                ("rbp", "ebp", "bp", "bpl"))):
    for width, name in zip("qdwbh", names):
        FAMILIES[name] = (f"g{number}", width)
for number in range(8, 16):
    for width, suffix in (("q", ""), ("d", "d"), ("w", "w"), ("b", "b")):
        FAMILIES[f"r{number}{suffix}"] = (f"g{number}", width)
for number in range(32):
    for width in "xyz":
        FAMILIES[f"{width}mm{number}"] = (f"v{number}", width)
for number in range(8):
    FAMILIES[f"k{number}"] = (f"k{number}", "k")


def normalise(lines, frame="%rsp"):
    """A loop's instructions without the names that register allocation and layout gave.

    `frame`: a pattern of the registers that slots of the stack are addressed by.
    """
    names = {}

    def name(kind, key):
        return names.setdefault((kind, key), f"{kind}{sum(k == kind for k, _ in names)}")

    def register(match):
        if match[1] not in FAMILIES:
            return match[0]
        family, width = FAMILIES[match[1]]
        return f"%{name(family[0], family)}.{width}"

    result = []
    for line in lines:
        # Other words for the same: a sign extension within %rax, the address of the last slot.
        line = re.sub(r"^cltq$", "movslq %eax, %rax", line)
        line = re.sub(r"^movq %rsp, (%\w+)$", r"leaq (%rsp), \1", line)
        # A slot of the stack may be addressed by either pointer.
        line = re.sub(rf"-?\d*\((?:{frame})\)", lambda m: name("slot", m[0]), line)
        line = re.sub(rf"-?\d*\((?:{frame}),", lambda m: name("slot", m[0]) + "(,", line)
        line = re.sub(r"\.LBB\d+_\d+|\.Ltmp\d+|\.LJTI\d+_\d+", lambda m: name("label", m[0]), line)
        line = re.sub(r"\.LCPI\d+_\d+|\.L__const[\w.]+", lambda m: name("constant", m[0]), line)
        result.append(re.sub(r"%(\w+)", register, line))
    return tuple(result)


def innermost_loops(text):
    """{function: the bodies of its innermost loops}, from LLVM's commented assembly."""
    loops, function, block, header_of = collections.defaultdict(list), None, None, {}
    blocks = collections.defaultdict(list)
    inner = set()
    order = []
    # Without a frame pointer %rbp is a register as all others.
    framed = set()
    for line in text.splitlines():
        if match := re.match(r"([\w.$]+):\s*#\s*@", line):
            function, block = match[1], None
            continue
        if function is None:
            continue
        if re.match(r"\s*\.cfi_endproc|\.Lfunc_end", line):
            block = None
            if line.startswith(".Lfunc_end"):
                function = None
            continue
        # A block that is reached by falling through has a comment for a label.
        if match := re.match(r"(?:\.L(BB\d+_\d+):|# %bb\.\d+:)", line):
            block = (function, match[1] or line.split(":")[0] + str(len(order)))
            order.append(block)
        if block is None:
            continue
        if re.search(r"#\s*=>\s*This Inner Loop Header", line):
            inner.add(block)
            header_of[block] = block
        elif match := re.search(r"#\s+in Loop: Header=(BB\d+_\d+)", line):
            header_of.setdefault(block, (function, match[1]))
        code = line.split("#")[0].strip()
        if re.match(r"movq\s+%rsp, %rbp$", code):
            framed.add(function)
        if line.startswith("\t") and code and not code.startswith("."):
            blocks[block].append(re.sub(r"\s+", " ", code))
    for header in inner:
        body = [instruction for block in order if header_of.get(block) == header
                for instruction in blocks[block]]
        loops[header[0]].append(normalise(body, "%r[sb]p" if header[0] in framed else "%rsp"))
    return loops


def instructions(body):
    """What a loop executes, whatever the order, but for jumps, copies of registers and constants."""
    kept = []
    for line in body:
        operation, _, operands = line.partition(" ")
        copies = (operation.lstrip("v").startswith("mov") and
                  re.fullmatch(r"[%$][^,(]*, %[\w.]+", operands) or
                  re.fullmatch(r"xorl (%\w+\.d), \1", line))
        if not copies and operation != "jmp":
            # Which of two operands is the memory may depend on which is in a register already.
            kept.append((operation, operands.count("(")))
    return tuple(sorted(kept))


class Comparison:
    """Counts of loops, and those that differ; the instructions of all loops of the functions that both have."""

    def __init__(self, plain, timed):
        self.same = self.moved = self.reordered = 0
        self.changed = []
        both = [function for function in plain if len(plain[function]) == len(timed.get(function, []))]
        self.plain_size, self.timed_size = (sum(len(body) for function in both for body in loops[function])
                                            for loops in (plain, timed))
        everywhere = collections.Counter(body for bodies in timed.values() for body in bodies)
        equivalent = {instructions(body) for body in everywhere}
        for function, bodies in plain.items():
            left = collections.Counter(timed.get(function, []))
            for body in bodies:
                if left[body]:
                    left[body] -= 1
                    self.same += 1
                elif everywhere[body]:
                    self.moved += 1
                elif instructions(body) in equivalent:
                    self.reordered += 1
                else:
                    self.changed.append((function, body, [b for b in left.elements()]))

    @property
    def compared(self):
        return self.same + self.moved + self.reordered + len(self.changed)


def assembly(command, environment):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.s")
        done = toolchain.run([*command, "-S", "-o", path], environment=environment)
        if not done.ok:
            raise RuntimeError(f"{' '.join(command)}: {done.problem()}")
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()


def compare(command, **environment):
    """Compares the loops of what a command that holds -fpass-plugin compiles."""
    environment = toolchain.clean_environment(**environment)
    plain = [word for word in command if not word.startswith("-fpass-plugin=")]
    return Comparison(innermost_loops(assembly(plain, environment)),
                      innermost_loops(assembly(command, environment)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--tolerate", action="append", default=[], metavar="FUNCTION",
                        help="its loops may differ")
    parser.add_argument("source")
    parser.add_argument("command", nargs="+", metavar="COMMAND")
    options = parser.parse_args()
    source, command = options.source, options.command
    settings = {key: value for key, value in os.environ.items() if key == "SEAMSCOPE_PASS"}
    result = compare([*command, source], **settings)
    tolerated = [row for row in result.changed if row[0] in options.tolerate]
    result.changed = [row for row in result.changed if row[0] not in options.tolerate]
    for function, body, others in result.changed:
        print(f"{function}: no such loop with the plugin:\n  " + "\n  ".join(body))
        for other in others:
            print("it has:\n  " + "\n  ".join(other))
    print(f"{result.compared + len(tolerated)} loops: {result.same} the same, {result.moved} the same in a kernel of "
          f"their own, {result.reordered} of the same instructions in another order or with a copy "
          f"more or less, {len(tolerated)} tolerated, {len(result.changed)} changed")
    return 1 if result.changed else 0


if __name__ == "__main__":
    sys.exit(main())
