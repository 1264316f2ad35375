"""What the machine instructions of a program did, by function.

Valgrind's callgrind counts how often each instruction of a plain program ran, and GNU objdump says what
the instruction is. Neither shares code with the pass: the instructions' operands say how many bytes they
load and store, their names and registers how many floating-point operations they do.

Of a vector, the lanes count that anything reads (demanded_lanes.py), as in the counts of the pass. Bytes
that two moves of one copy share count once (shared_bytes.py).

Left out, because the counts of the pass leave them out: what is at the stack pointer or a frame pointer,
constants that the compiler put next to the code, tables of jumps, the table of addresses of symbols, and
changes of signs.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import bisect
import collections
import os
import re
import subprocess

import demanded_lanes
import lane_maps
import shared_bytes

HERE = os.path.dirname(os.path.realpath(__file__))
SECONDS = 600
SIZES = {"BYTE": 1, "WORD": 2, "DWORD": 4, "FWORD": 6, "QWORD": 8, "TBYTE": 10, "XMMWORD": 16, "YMMWORD": 32}
REGISTERS = {kind: 4 * lanes for kind, lanes in lane_maps.WIDTHS.items()}
# Instructions between that of an address and its use.
REACH = 12
# Instructions within which a function sets up its frame.
PROLOGUE = 20
PREFIXES = {"lock", "rep", "repz", "repnz", "bnd", "notrack", "data16", "addr32", "cs", "ds", "es", "ss"}

ARITHMETIC = re.compile(r"v?(?:add|sub|mul|div|sqrt|addsub|hadd|hsub|rcp|rsqrt)([sp])([sd])")
X87 = re.compile(r"fi?(?:add|subr?|mul|divr?)p?|fsqrt")
# No arithmetic, though they work on floating-point registers.
NO_FLOP = re.compile(r"v?(?:mov|cvt|u?comis|cmp|min|max|round|and|andn|or|xor|unpck[lh]|shuf|perm|blend|broadcast"
                     r"|insert|extract|test|gather|maskmov)\w*")
FLOATING = re.compile(r"v?[a-z0-9]+[sp][sd]|f[a-z0-9]+")
# An instruction with one of these and a first operand in memory only writes it; others read and write it.
WRITES = re.compile(r"v?(?:mov|pextr|extract|maskmov|pmaskmov|cvtps2ph)\w*|set\w+|fi?stt?p?|fn?st[cs]w|v?stmxcsr|stos"
                    r"|pop")
READS = re.compile(r"cmp|test|bt|u?comis[sd]|i?mul|i?div|f(?:i?(?:add|subr?|mul|divr?|ld|com)\w*)|fldcw|v?ldmxcsr"
                   r"|scas|cmps|lods|call|jmp|push")
NOT_MOVED = re.compile(r"lea|nop\w*|prefetch\w*|ret|endbr64|clflush\w*")


class Unsupported(Exception):
    """An instruction that nobody has described here."""


class Work(collections.Counter):
    """flop, read, write; masked_read and masked_write: the part of these that a mask chooses."""


def split_operands(text):
    return re.split(r",(?![^\[]*\])", text) if text else []


def width_of(operand):
    """Bytes of a vector register."""
    found = re.fullmatch(r"([xy])mm\d+", operand)
    return REGISTERS[found[1]] if found else 0


def gathered(name, operands):
    """Bytes of a gather's lanes."""
    index = REGISTERS[re.search(r"([xy])mm\d+\*", operands[1])[1]]
    index_size = 4 if "gatherd" in name else 8
    element = 8 if name.endswith(("pd", "dq", "qq")) else 4
    return min(width_of(operands[0]) // element, index // index_size) * element


class Function:
    """The instructions of a function: {address: Work of one run}."""

    def __init__(self, name, symbols):
        self.name, self.symbols = name, symbols
        self.lines, self.frames = [], {"rsp"}

    def add(self, address, name, operands, target, label):
        # Others take the address of an array there.
        if name == "mov" and operands[1:] == ["rsp"] and operands[0] in ("rbp", "rbx") and len(self.lines) < PROLOGUE:
            self.frames.add(operands[0])
        self.lines.append((address, name, operands, target, label))

    def works(self, demanded):
        shared = shared_bytes.Stores(self.lines).shared
        for place, (address, name, operands, target, _) in enumerate(self.lines):
            work = Work()
            self.flop(work, name, operands, demanded.get(address, 0))
            self.move(work, place, name, operands, target)
            for key in work.keys() & {"read", "write"}:
                work[key] -= shared.get(place, 0)
            yield address, work

    def flop(self, work, name, operands, lanes):
        """lanes: of the result, those that anything reads."""
        fused = lane_maps.FUSED.fullmatch(name.removeprefix("v"))
        if found := fused or ARITHMETIC.fullmatch(name):
            each = 2 if fused else 1
            size = lane_maps.SIZES[found[2]]
            if found[1] == "s":
                lanes &= (1 << size) - 1
            work["flop"] += each * demanded_lanes.elements(lanes, size)
        elif X87.fullmatch(name):
            work["flop"] += 1
        elif FLOATING.fullmatch(name) and not NO_FLOP.fullmatch(name) and not name.startswith(("f", "p", "vp")):
            raise Unsupported(f"{self.name}: {name} {','.join(operands)}")

    def move(self, work, place, name, operands, target):
        if NOT_MOVED.fullmatch(name):
            return
        for number, operand in enumerate(operands):
            found = re.match(r"(\w+) PTR (\w\w:)?(.*)", operand)
            if not found or self.is_left_out(place, name, found, target):
                continue
            if "gather" in name:
                size = gathered(name, operands)
            else:
                size = SIZES[found[1]]
            keys = ["read"]
            if number == 0 and WRITES.fullmatch(name):
                keys = ["write"]
            elif number == 0 and not READS.fullmatch(name):
                keys = ["read", "write"]
            for key in keys:
                work[key] += size
                if "maskmov" in name:
                    work["masked_" + key] += size

    def is_left_out(self, place, name, found, target):
        segment, where = found[2], found[3]
        if segment == "fs:" and re.fullmatch(r"0x(0|28)", where):
            return True  # the thread's own address, and the canary of the stack
        base = re.match(r"\[(\w+)", where)
        if base and base[1] in self.frames:
            return True
        if target is not None:
            return not self.symbols.is_variable(target)
        # The offsets of a switch: movslq (base, index, 4), add, jmp.
        if name == "movsxd" and "*4" in where:
            return any(line[1] == "jmp" and not re.match(r"[0-9a-f]+$", line[2][0])
                       for line in self.lines[place + 1:place + 4])
        # One of two constants, by a condition.
        is_choice = base and re.fullmatch(r"v?movs[sd]", name) and "*" in where
        return bool(is_choice and self.is_of_constants(place, base[1]))

    def is_of_constants(self, place, register):
        """Whether the register has the address of constants that the compiler put next to the code."""
        for _, name, operands, target, _ in reversed(self.lines[max(0, place - REACH):place]):
            if operands and operands[0] == register:
                return name == "lea" and target is not None and not self.symbols.is_variable(target)
        return False


class Symbols:
    """Functions and variables of a program."""

    def __init__(self, program):
        self.functions, self.variables = [], []
        self.names = collections.defaultdict(set)
        for line in output_of(["nm", "-S", "--defined-only", program]).splitlines():
            parts = line.split()
            if len(parts) != 4:
                continue
            address, size, kind, name = int(parts[0], 16), int(parts[1], 16), parts[2], parts[3]
            if kind in "tTwWi":
                self.names[address].add(name)
                self.functions.append((address, address + size))
            elif kind in "bBdDrRvVu":
                self.variables.append((address, address + size))
        self.functions = sorted(set(self.functions))
        self.variables.sort()
        self.names = {address: sorted(names) for address, names in self.names.items()}

    @staticmethod
    def within(ranges, address):
        place = bisect.bisect(ranges, (address, 1 << 64)) - 1
        return ranges[place] if place >= 0 and address < ranges[place][1] else None

    def is_variable(self, address):
        return self.within(self.variables, address) is not None

    def function_at(self, address):
        found = self.within(self.functions, address)
        return self.names[found[0]][0] if found else None


def output_of(command, environment=None, folder=None):
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, env=environment, cwd=folder,
                          stdin=subprocess.DEVNULL, errors="replace")
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def disassembled(program, symbols, signatures):
    """({address: (function, Work of one run)}, {address behind a call: address that is called})"""
    functions, calls, called = {}, {}, None
    for line in output_of(["objdump", "-d", "-w", "-M", "intel", "--no-show-raw-insn", program]).splitlines():
        found = re.match(r"\s*([0-9a-f]+):\t(.*)$", line)
        if not found:
            continue
        address = int(found[1], 16)
        if called is not None:
            calls[address], called = called, None
        name = symbols.function_at(address)
        if name is None:
            continue
        text, _, comment = found[2].partition("#")
        words = re.sub(r"<.*?>", "", text).split()
        while words and words[0] in PREFIXES | {"rex.W"}:
            words.pop(0)
        if not words:
            continue
        target = re.match(r"\s*([0-9a-f]+)", comment)
        operands = split_operands(" ".join(words[1:]))
        if words[0] == "call" and re.fullmatch(r"[0-9a-f]+", words[1]):
            called = int(words[1], 16)
        if name not in functions:
            functions[name] = Function(name, symbols)
        label = re.search(r"<([^>]*)>", text)
        functions[name].add(address, words[0], operands, int(target[1], 16) if target and "[rip" in text else None,
                            label and label[1])
    program = demanded_lanes.Program(
        {name: (function.lines[0][0], [(address, name, operands, label) for address, name, operands, _, label
                                       in function.lines]) for name, function in functions.items()},
        taken(program, functions, symbols), signatures)
    demanded = program.demanded()
    works = {address: (function.name, work) for function in functions.values()
             for address, work in function.works(demanded)}
    return works, calls


def taken(program, functions, symbols):
    """Names of the functions whose address is in a register or in data."""
    with open(program, "rb") as file:
        is_at_fixed_place = file.read(18)[16] == 2
    if is_at_fixed_place:
        return set(functions)
    addresses = {target for function in functions.values() for _, name, _, target, _ in function.lines
                 if name == "lea" and target is not None}
    names = set()
    for line in output_of(["objdump", "-R", program]).splitlines():
        if found := re.search(r" R_\S+ +\*ABS\*\+0x([0-9a-f]+)", line):
            addresses.add(int(found[1], 16))
        elif found := re.search(r" R_\S+ +([^@+\s]+)", line):
            names.add(found[1])
    addresses |= {address for address, aliases in symbols.names.items() if names & set(aliases)}
    return {symbols.names[address][0] for address in addresses if address in symbols.names}


def build_counter_of_copies(clang, folder):
    """A library to preload."""
    library = os.path.join(folder, "count_copies.so")
    output_of([clang, "-O1", "-fno-builtin", "-shared", "-fPIC", os.path.join(HERE, "count_copies.c"), "-o", library])
    return library


def executed(program, arguments, folder, environment):
    """{address: number of runs} of the program's own instructions."""
    path = os.path.join(folder, "callgrind.out")
    output_of(["valgrind", "-q", "--tool=callgrind", "--dump-instr=yes", "--dump-line=no", "--compress-pos=no",
               "--compress-strings=no", f"--callgrind-out-file={path}", program, *arguments], environment, folder)
    runs, is_own, is_call = collections.Counter(), False, False
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("ob="):
                is_own = os.path.realpath(line[3:].strip()) == os.path.realpath(program)
            elif line.startswith("calls="):
                is_call = True  # the next line has what was called
            elif line.startswith("0x"):
                if is_own and not is_call:
                    address, count = line.split()
                    runs[int(address, 16)] += int(count)
                is_call = False
    return runs


def counted(clang, program, arguments, folder, environment, signatures):
    """{function: Work} of one run of a program."""
    symbols = Symbols(program)
    works, calls = disassembled(program, symbols, signatures)
    sums = collections.defaultdict(Work)
    copies = os.path.join(folder, "copies")
    environment = dict(environment, LD_PRELOAD=build_counter_of_copies(clang, folder), COPIES=copies)
    for address, count in executed(program, arguments, folder, environment).items():
        if address in works:
            name, work = works[address]
            for key, each in work.items():
                sums[name][key] += count * each
    with open(copies, encoding="utf-8") as file:
        for line in file:
            address, read, written = line.split()
            behind = int(address, 16)
            # A function whose last call is a jump to memset does not return itself.
            name = symbols.function_at(calls.get(behind, 0)) or symbols.function_at(behind - 1)
            sums[name]["read"] += int(read)
            sums[name]["write"] += int(written)
    return sums, symbols
