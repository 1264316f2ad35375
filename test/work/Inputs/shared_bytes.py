"""Bytes that two moves of one copy have in common.

The code generator copies 48 bytes as two times 32, and fills 48 bytes so, too. The bytes in the middle are moved twice;
they are one part of the copy.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

REACH = 12  # instructions between the two stores, and between a load and its store
SIZES = {"BYTE": 1, "WORD": 2, "DWORD": 4, "QWORD": 8, "XMMWORD": 16, "YMMWORD": 32}
MOVE = re.compile(r"v?mov(?:[au]p[sd]|dq[au]|[dq]|s[sd]|lp[sd])?")
PLACE = re.compile(r"(\w+) PTR \[([a-z]\w+(?:\+\w+\*\d)?)(?:([+-])(0x[0-9a-f]+))?\]")
END = re.compile(r"j\w+|call|ret|ud2")


class Place:
    """Bytes in memory: from a distance behind the address in registers."""

    def __init__(self, found):
        self.size, self.registers = SIZES[found[1]], found[2]
        self.start = int(found[4] or "0", 16) * (-1 if found[3] == "-" else 1)

    def shares(self, other):
        """Bytes that it has in common with another place; 0 if one lies within the other."""
        if self.registers != other.registers:
            return 0
        shared = min(self.start + self.size, other.start + other.size) - max(self.start, other.start)
        return shared if 0 < shared < min(self.size, other.size) else 0


def place_in(operand):
    found = PLACE.fullmatch(operand)
    return Place(found) if found and found[1] in SIZES else None


class Stores:
    """Of a function: lines are [(address, name, operands, ...)]."""

    def __init__(self, lines):
        self.lines = lines
        self.shared = {}  # number of a line: bytes of its move that another one has, too
        for number, (_, name, operands, *_) in enumerate(lines):
            if MOVE.fullmatch(name) and len(operands) == 2 and (to := place_in(operands[0])):
                self.look_behind(number, to)

    def look_behind(self, number, to):
        """For a store before this one that shares bytes with it."""
        for before in range(number - 1, max(-1, number - REACH), -1):
            _, name, operands, *_ = self.lines[before]
            if END.fullmatch(name) or self.changes(operands, to.registers):
                return
            first = place_in(operands[0]) if MOVE.fullmatch(name) and len(operands) == 2 else None
            if first and (shared := to.shares(first)):
                self.of_pair(before, number, first, to, shared)
                return

    @staticmethod
    def changes(operands, registers):
        return bool(operands) and operands[0] in re.split(r"[+*]", registers)

    def of_pair(self, before, number, first, to, shared):
        registers = [self.lines[line][2][1] for line in (before, number)]
        loads = [self.load_of(line, register) for line, register in zip((before, number), registers)]
        if None not in loads:
            places = [place_in(self.lines[line][2][1]) for line in loads]
            if places[0].shares(places[1]) == shared and places[1].start - places[0].start == to.start - first.start:
                self.shared[max(loads)] = self.shared[number] = shared
        elif registers[0] == registers[1]:
            self.shared[number] = shared

    def load_of(self, number, register):
        """The move from memory that put a value into a register."""
        for before in range(number - 1, max(-1, number - REACH), -1):
            _, name, operands, *_ = self.lines[before]
            if END.fullmatch(name):
                return None
            if operands and operands[0] == register:
                is_load = MOVE.fullmatch(name) and len(operands) == 2 and place_in(operands[1])
                return before if is_load else None
        return None
