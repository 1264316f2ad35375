"""Which lanes of each instruction's result anything reads, in a whole program.

Demands go backward through the control flow of each function (lane_maps.py has the instructions), and between
functions: a call demands what its callee reads, a return what the callers read behind the call. Where the other side is
not known, arguments and results are read in all lanes that their types have (signatures.py).
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import re

import lane_maps
import stack_slots

# How far before a jump the offset of its table is loaded.
REACH = 4
# Functions that the code generator calls in place of an instruction: their values are in the lowest lanes.
OF_FLOATS = re.compile(r"(?:sin|cos|tan|exp|exp2|exp10|log|log2|log10|pow|fmod|floor|ceil|trunc|rint|nearbyint|round"
                       r"|roundeven|l?l?rint|l?l?round|ldexp|sqrt|fm(?:in|ax)|a(?:sin|cos|tan2?)|sinh|cosh|tanh|sincos)f")
OF_NOTHING = re.compile(r"mem(?:cpy|move|set|cmp)|bcmp|strlen|_Unwind_Resume|__clang_call_terminate|__stack_chk_fail")


def each_of(registers, mask):
    return sum(mask << lane_maps.LANES * register for register in range(registers))


class Step:
    """One instruction: its Map, and where control goes."""

    def __init__(self, address, name, operands, label):
        self.address, self.name, self.operands = address, name, operands
        self.kind, self.target, self.label = "plain", None, label
        self.map = None
        if name == "call":
            self.kind = "call"
        elif name == "ret":
            self.kind = "return"
        elif name in ("ud2", "hlt", "int3"):
            self.kind = "end"
        elif re.fullmatch(r"j\w+|loop\w*", name):
            self.kind = "jump" if name == "jmp" else "branch"
        if self.kind in ("call", "jump", "branch") and operands and re.fullmatch(r"[0-9a-f]+", operands[0]):
            self.target = int(operands[0], 16)


class Block:
    def __init__(self, steps):
        self.steps = steps
        self.before = 0
        self.next = None  # by falling through


class Flow:
    """One function."""

    def __init__(self, name, start, lines, spilled):
        self.name, self.start = name, start
        self.steps = [Step(address, name, operands, label) for address, name, operands, label in lines]
        self.entry, self.returned = 0, 0
        self.blocks, self.at = [], {}
        self.mark_tables(lines)
        self.split()
        # Blocks that nothing here leads to: handlers of exceptions, which calls lead to.
        led_to = {following for block in self.blocks for following in self.behind(block)}
        self.handlers = [block for block in self.blocks[1:] if block not in led_to]
        self.describe(spilled)

    def behind(self, block):
        """The blocks that may follow, but for those of tables."""
        last = block.steps[-1]
        to = self.at.get(last.target) if last.kind in ("jump", "branch") else None
        return [each for each in (block.next, to) if each]

    def describe(self, spilled):
        depths = stack_slots.depths(self.blocks, self.behind) if spilled else None
        slots = stack_slots.Slots(spilled if depths else [])
        for block in self.blocks:
            depth = depths[block] if depths else None
            for step in block.steps:
                operands = [slots.text_of(operand, depth) for operand in step.operands] or [""]
                step.map = lane_maps.describe(step.name, operands)
                if depths:
                    depth += stack_slots.change_of(step.name, step.operands)

    def mark_tables(self, lines):
        """A jump to a place that a table has stays within the function; others leave it."""
        for place, step in enumerate(self.steps):
            if step.kind == "jump" and step.target is None:
                near = lines[max(0, place - REACH):place]
                if any(line[1] == "movsxd" for line in near) or "*8" in lines[place][2][0]:
                    step.kind = "table"

    def split(self):
        own = {step.address for step in self.steps}
        starts = {step.target for step in self.steps if step.kind in ("jump", "branch") and step.target in own}
        steps = []
        for step in self.steps:
            if steps and step.address in starts:
                self.close(steps)
                steps = []
            steps.append(step)
            if step.kind in ("return", "end", "jump", "branch", "table"):
                self.close(steps)
                steps = []
        if steps:
            self.close(steps)
        for block, following in zip(self.blocks, self.blocks[1:]):
            if block.steps[-1].kind not in ("return", "end", "jump", "table"):
                block.next = following

    def close(self, steps):
        self.blocks.append(Block(steps))
        self.at[steps[0].address] = self.blocks[-1]


class Program:
    """functions: {name: (first address, [(address, name, operands, label)])}; taken: names of functions that others
    may call."""

    def __init__(self, functions, taken, signatures):
        self.signatures = signatures
        self.flows = {name: Flow(name, *parts, signatures.spilled_by(name)) for name, parts in functions.items()}
        self.starting = {flow.start: flow for flow in self.flows.values()}
        self.callers = collections.defaultdict(set)
        for flow in self.flows.values():
            for step in flow.steps:
                if step.kind in ("call", "jump", "branch") and step.target in self.starting:
                    self.callers[step.target].add(flow)
            if flow.name in taken:
                flow.returned = signatures.returned_by(flow.name)
        self.waiting = dict.fromkeys(self.flows.values())
        while self.waiting:
            flow = next(iter(self.waiting))
            del self.waiting[flow]
            self.settle(flow)

    def settle(self, flow):
        """Goes backward through the function until nothing changes, and tells its callers and callees."""
        has_changed = True
        while has_changed:
            has_changed = False
            for block in reversed(flow.blocks):
                before = self.through(flow, block)
                if before != block.before:
                    block.before, has_changed = before, True
        entry = flow.blocks[0].before & self.signatures.read_by(flow.name)
        if entry != flow.entry:
            flow.entry = entry
            self.waiting.update(dict.fromkeys(self.callers[flow.start]))

    def through(self, flow, block, demanded=None):
        state = block.next.before if block.next else 0
        for step in reversed(block.steps):
            if step.kind == "plain":
                if step.map:
                    if demanded is not None:
                        demanded[step.address] = step.map.demanded(state)
                    state = step.map.before(state)
            else:
                state = self.leaving(flow, step, state)
        return state

    def leaving(self, flow, step, state):
        if step.kind == "return":
            return flow.returned
        if step.kind == "end":
            return 0
        if step.kind == "table":
            for block in flow.blocks:
                state |= block.before
            return state
        if step.kind == "call":
            slots = state | lane_maps.union(handler.before for handler in flow.handlers)
            return slots & ~lane_maps.OF_REGISTERS | self.read_by_callee(flow, step, state)
        if step.target in flow.at:
            return state | flow.at[step.target].before
        # A call at the end of a function is a jump.
        return state | self.read_by_callee(flow, step, flow.returned)

    def read_by_callee(self, flow, step, behind):
        if step.target is None:
            return self.signatures.read_by_indirect(flow.name)
        callee = self.starting.get(step.target)
        if callee is None:
            return self.read_by_library((step.label or "").partition("@")[0])
        behind &= lane_maps.OF_REGISTERS & self.signatures.returned_by(callee.name)
        if behind | callee.returned != callee.returned:
            callee.returned |= behind
            self.waiting[callee] = None
        return callee.entry

    def read_by_library(self, name):
        if OF_NOTHING.fullmatch(name):
            return 0
        if OF_FLOATS.fullmatch(name):
            return each_of(3, 1)
        if OF_FLOATS.fullmatch(name + "f"):
            return each_of(3, 3)
        return self.signatures.read_by(name)

    def demanded(self):
        """{address: lanes of the result that anything reads}"""
        found = {}
        for flow in self.flows.values():
            for block in flow.blocks:
                self.through(flow, block, found)
        return found


def elements(lanes, size):
    """The number of elements of so many lanes."""
    return sum(1 for lane in range(0, lane_maps.LANES, size) if lanes >> lane & (1 << size) - 1)
