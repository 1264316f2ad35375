"""What machine code does not show about functions: lanes of their arguments and results, and spilled registers.

System V's ABI has up to eight arguments in vector registers, and results in the first two (vectors: four). The types in
the plain compiler's IR say which of their lanes have a value. Its code generator says where it spills.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import re

import ir_text
import lane_maps

LANES_OF = {"half": 1, "bfloat": 1, "float": 1, "double": 2, "fp128": 4}
REGISTERS = 8
# LLVM prints IR and the frame of each function.
FLAGS = ["-S", "-mllvm", "-stop-after=prologepilog"]
SPILL = re.compile(r"  - \{ id: \d+, name: '', type: spill-slot, offset: (-\d+), size: (\d+),")
LARGEST = 8  # lanes of the largest register of the programs
UNKNOWN = (1 << REGISTERS * lane_maps.LANES) - 1
# What a C function of variable arguments may get.
DOUBLES = sum(3 << register * lane_maps.LANES for register in range(REGISTERS))
CALLEE = re.compile(rf"(?:call|invoke) .*?(?P<result>\{{[^{{}}]*\}}|<[^<>]*>|\[[^][]*\]|[\w.%]+) (?:\([^()]*\) )?"
                    rf"(?P<callee>[@%]{ir_text.NAME})\((?P<arguments>.*)")
FUNCTION = re.compile(rf"(?:define|declare) .*?(?P<result>\{{[^{{}}]*\}}|<[^<>]*>|\[[^][]*\]|[\w.%]+) "
                      rf"(?P<callee>@{ir_text.NAME})\((?P<arguments>.*)")

ALIAS = re.compile(rf"@(?P<name>{ir_text.NAME}) = .*\balias .*, ptr @(?P<of>{ir_text.NAME})$")


def lanes_of(type_text):
    """Numbers of lanes, of each vector register that a value has."""
    if type_text.startswith("{"):
        return [lanes for part in ir_text.members(type_text) for lanes in lanes_of(part)]
    if found := re.fullmatch(r"\[(\d+) x (.*)\]", type_text):
        return lanes_of(found[2]) * int(found[1])
    number, element = ir_text.vector_parts(type_text)
    if element == type_text:
        return [LANES_OF[element]] if element in LANES_OF else []
    bits = int(element[1:]) if re.fullmatch(r"i\d+", element) else 32 * LANES_OF.get(element, 2)
    if bits < 32:  # may be in wider elements
        return [LARGEST]
    lanes = number * bits // 32
    return [LARGEST] * (lanes // LARGEST) + ([lanes % LARGEST] if lanes % LARGEST else [])


def mask_of(numbers):
    mask = 0
    for register, lanes in enumerate(numbers[:REGISTERS]):
        mask |= (1 << lanes) - 1 << register * lane_maps.LANES
    return mask


def arguments_of(text):
    numbers = []
    for argument in ir_text.split_arguments(text):
        if argument == "...":
            return DOUBLES
        if not argument.startswith(("metadata", "!")):
            numbers += lanes_of(ir_text.take_type(argument)[0])
    return mask_of(numbers)


class Signatures:
    """Of the functions of a program, of those that it calls, and of its indirect calls."""

    def __init__(self):
        self.arguments, self.results = {}, {}
        self.indirect = {}  # arguments, by the function that has the calls
        self.aliases = {}
        self.spilled = collections.defaultdict(list)  # [(offset, bytes)]

    def read(self, path):
        """The output of a compiler with FLAGS."""
        current, part = None, ""
        with open(path, encoding="utf-8") as file:
            for text in file:
                line = text.removeprefix("  ")
                if text.startswith("name:"):
                    current = text.split()[1].strip("'\"")
                    self.spilled.pop(current, None)
                elif re.match(r"\w+:", text):
                    part = text.split(":")[0]
                elif part == "stack" and (found := SPILL.match(text)):
                    self.spilled[current].append((int(found[1]), int(found[2])))
                elif part:
                    continue
                elif line.startswith(("define ", "declare ")):
                    found = FUNCTION.match(line)
                    current = ir_text.unquoted(found["callee"][1:])
                    self.arguments[current] = self.arguments.get(current, 0) | arguments_of(found["arguments"])
                    self.results[current] = (self.results.get(current, 0)
                                             | mask_of(lanes_of(found["result"])))
                elif found := ALIAS.match(line):
                    self.aliases[ir_text.unquoted(found["name"])] = ir_text.unquoted(found["of"])
                elif found := CALLEE.search(line):
                    if found["callee"].startswith("%"):
                        self.indirect[current] = self.indirect.get(current, 0) | arguments_of(found["arguments"])

    def spilled_by(self, name):
        return self.spilled.get(self.aliases.get(name, name), [])

    def read_by(self, name):
        """Lanes of arguments that a function may read."""
        return self.arguments.get(self.aliases.get(name, name), UNKNOWN)

    def returned_by(self, name):
        return self.results.get(self.aliases.get(name, name), UNKNOWN)

    def read_by_indirect(self, caller):
        return self.indirect.get(self.aliases.get(caller, caller), UNKNOWN)
