"""Registers that a function spills, as registers of their own.

The code generator says where it spills (signatures.py reads it); no pointer leads there. An access to such a place is
found by its distance from where the stack pointer is at the function's entry.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import bisect
import re

FIRST = 32  # number of the first slot, behind those of registers
SIZES = {"BYTE": 1, "WORD": 2, "DWORD": 4, "QWORD": 8, "XMMWORD": 16, "YMMWORD": 32}
ACCESS = re.compile(r"(\w+) PTR \[rsp(?:\+(0x[0-9a-f]+))?\]")
# Distance of an offset of LLVM, which begins behind the address of return.
BEHIND_RETURN = 8
STEP = 8


def change_of(name, operands):
    """What an instruction adds to the stack pointer; None if that is not known."""
    if name in ("push", "pop"):
        return -STEP if name == "push" else STEP
    if operands and operands[0] == "rsp":
        if name in ("add", "sub") and re.fullmatch(r"0x[0-9a-f]+", operands[1]):
            by = int(operands[1], 16)
            by -= 1 << 64 if by >> 63 else 0
            return by if name == "add" else -by
        if name not in ("cmp", "test"):
            return None
    return None if name in ("leave", "enter") else 0


class Slots:
    """spilled: [(offset, bytes)] of LLVM."""

    def __init__(self, spilled):
        self.ranges = sorted((offset + BEHIND_RETURN, size) for offset, size in spilled)

    def text_of(self, operand, depth):
        """The operand as slot:number:first lane:lanes, or as it is."""
        found = ACCESS.fullmatch(operand)
        if not found or depth is None or found[1] not in SIZES:
            return operand
        start, size = depth + int(found[2] or "0", 16), SIZES[found[1]]
        place = bisect.bisect(self.ranges, (start, 1 << 32)) - 1
        if place < 0 or start + size > sum(self.ranges[place]):
            return operand
        within = start - self.ranges[place][0]
        return f"slot:{FIRST + place}:{within // 4}:{(within + size + 3) // 4 - within // 4}"


def depths(blocks, next_of):
    """{block: bytes below the entry}; None if one of them is not known. next_of: the blocks behind a block."""
    found, at_calls = {}, set()
    for first in blocks:
        if first in found:
            continue
        # Handlers of exceptions and targets of tables run at the depth of the calls.
        if found and len(at_calls) != 1:
            return None
        found[first] = next(iter(at_calls)) if found else 0
        waiting = [first]
        while waiting:
            block = waiting.pop()
            depth = found[block]
            for step in block.steps:
                if step.kind == "call":
                    at_calls.add(depth)
                change = change_of(step.name, step.operands)
                if change is None:
                    return None
                depth += change
            for following in next_of(block):
                if following not in found:
                    found[following] = depth
                    waiting.append(following)
                elif found[following] != depth:
                    return None
    return found
