"""Which lanes of its operands an x86 instruction reads, for each lane of its result.

A lane has 4 bytes; a double has two of them. A set of lanes of all registers is one integer: 16 bits for each
register. Of an instruction that is not described here, all lanes of all operands are read.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

LANES = 16  # of the largest register
ALL_OF_ONE = (1 << LANES) - 1
OF_REGISTERS = (1 << 32 * LANES) - 1
WIDTHS = {"x": 4, "y": 8, "z": 16}
SIZES = {"s": 1, "d": 2}
REGISTER = re.compile(r"([xyz])mm(\d+)")
SLOT = re.compile(r"slot:(\d+):(\d+):(\d+)")

MOVES = re.compile(r"mov(?:[au]p[sd]|dq[au]|ntp[sd]|ntdqa?)|lddqu")
UNARY = re.compile(r"(?:(?:sqrt|round)p([sd])|r(?:cp|sqrt)p(s)|cvtt?ps2dq|cvtdq2ps|pabs[bwd])")
BINARY = re.compile(r"(?:add|sub|mul|div|max|min|addsub|cmp\w*|and|andn|or|xor)p([sd])")
INTEGERS = re.compile(r"(?:p(?:and|andn|or|xor)|p(?:add|sub)u?s?[bwd]|pcmp(?:eq|gt)[bwd]|pmull[wd]|pmulh(?:u|rs)?w"
                      r"|p(?:max|min)[su][bwd]|pavg[bw]|psign[bwd]|pmaddwd|pmaddubsw|ps[lr][la]vd)")
LONG_INTEGERS = re.compile(r"p(?:add|sub)q|pcmp(?:eq|gt)q|pmuludq|pmuldq|psadbw|ps[lr]lvq")
NOTHING_FROM_ITSELF = re.compile(r"xorp[sd]|pxor|psub[bwdq]|pcmpgt[bwdq]|pcmpeq[bwdq]|andnp[sd]|pandn")
SHIFTS = re.compile(r"ps(?:ll|rl|ra)([wdq])")
FUSED = re.compile(r"fn?m(?:add|sub|addsub|subadd)(?:132|213|231)([sp])([sd])")
SCALAR = re.compile(r"(?:add|sub|mul|div|max|min|cmp\w+)s([sd])")
SCALAR_OF_ONE = re.compile(r"(?:sqrt|rcp|rsqrt|round)s([sd])")
COMPARES = re.compile(r"u?comis([sd])")
TO_INTEGER = re.compile(r"cvtt?s([sd])2si")
WIDENS = re.compile(r"pmov[sz]x([bwd])([wdq])")
BYTES = {"b": 1, "w": 2, "d": 4, "q": 8}
# Lanes of a result in terms of the first and the second operand, within 16 bytes.
PAIRS = {
    "unpcklps": "a0 b0 a1 b1", "unpckhps": "a2 b2 a3 b3", "unpcklpd": "a0 a1 b0 b1", "unpckhpd": "a2 a3 b2 b3",
    "punpckldq": "a0 b0 a1 b1", "punpckhdq": "a2 b2 a3 b3", "punpcklqdq": "a0 a1 b0 b1",
    "punpckhqdq": "a2 a3 b2 b3", "movlhps": "a0 a1 b0 b1", "movhlps": "b2 b3 a2 a3",
    "punpcklbw": "a0b0 a0b0 a1b1 a1b1", "punpcklwd": "a0b0 a0b0 a1b1 a1b1",
    "punpckhbw": "a2b2 a2b2 a3b3 a3b3", "punpckhwd": "a2b2 a2b2 a3b3 a3b3",
    "haddps": "a0a1 a2a3 b0b1 b2b3", "hsubps": "a0a1 a2a3 b0b1 b2b3",
    "haddpd": "a0a1a2a3 a0a1a2a3 b0b1b2b3 b0b1b2b3", "hsubpd": "a0a1a2a3 a0a1a2a3 b0b1b2b3 b0b1b2b3",
    "packssdw": "a0a1 a2a3 b0b1 b2b3", "packusdw": "a0a1 a2a3 b0b1 b2b3",
    "packsswb": "a0a1 a2a3 b0b1 b2b3", "packuswb": "a0a1 a2a3 b0b1 b2b3",
    "pshufb": "a0a1a2a3b0 a0a1a2a3b1 a0a1a2a3b2 a0a1a2a3b3",
}
ONE = {  # of one operand
    "movddup": "a0 a1 a0 a1", "movshdup": "a1 a1 a3 a3", "movsldup": "a0 a0 a2 a2",
    "pshuflw": "a0a1 a0a1 a2 a3", "pshufhw": "a0 a1 a2a3 a2a3",
}


class Operand:
    """A register, a slot of spilled ones (stack_slots.py), or something else that has no lanes."""

    def __init__(self, text):
        self.register, self.slot, self.width = None, None, 0
        self.is_memory = "[" in text
        if found := REGISTER.fullmatch(text):
            self.register, self.width = int(found[2]), WIDTHS[found[1]]
            self.first = LANES * self.register
        elif found := SLOT.fullmatch(text):
            self.slot, self.width, self.is_memory = int(found[1]), int(found[3]), True
            self.first = LANES * self.slot + int(found[2])

    def lanes(self, mask):
        return mask << self.first if self.width else 0

    def all(self):
        return self.lanes((1 << self.width) - 1)


def union(sets):
    together = 0
    for each in sets:
        together |= each
    return together


class Map:
    """What an instruction writes and reads: `needs` by lane of the result, `always` in any case."""

    def __init__(self, result=None, needs=(), killed=0, always=0):
        self.shift = result.first if result else 0
        self.needs, self.always = tuple(needs), always
        self.computed = (1 << len(self.needs)) - 1
        self.kept = ~(result.lanes(killed) if result else killed)

    def demanded(self, after):
        """Lanes of the result that anything reads, of those that are read after the instruction."""
        return after >> self.shift & self.computed

    def before(self, after):
        lanes, before = self.demanded(after), after & self.kept | self.always
        while lanes:
            lowest = lanes & -lanes
            before |= self.needs[lowest.bit_length() - 1]
            lanes ^= lowest
        return before


def element(lane, size):
    """The lanes of the element of so many lanes that has this one."""
    return (1 << size) - 1 << lane // size * size


class Description:
    """The Map of one instruction: of the first of the methods below that knows it."""

    def __init__(self, name, texts):
        self.has_v = name.startswith("v")
        self.name = name[1:] if self.has_v else name
        self.number = None
        if re.fullmatch(r"0x[0-9a-f]+", texts[-1]):
            self.number, texts = int(texts[-1], 16), texts[:-1]
        self.addresses = 0
        for text in texts:
            if "[" in text and (found := REGISTER.search(text)):
                self.addresses |= Operand(found[0]).all()
        self.operands = [Operand(text) for text in texts]
        self.result = self.operands[0]
        # Two operands of the old encoding: the first is the result, too.
        self.a, self.b = self.operands[1:3] if len(texts) > 2 else (self.operands * 2)[:2]
        self.all = union(operand.all() for operand in self.operands)

    def map(self):
        for describe in (self.to_slot, self.elsewhere, self.move, self.by_lane, self.scalar, self.shuffle, self.chosen,
                         self.converted):
            if not self.addresses and (found := describe()) is not None:
                return found
        return Map(always=self.all | self.addresses)

    def of(self, needs, width=None):
        """A result of these needs; what the instruction leaves of its register stays."""
        return Map(self.result, needs, ALL_OF_ONE if self.has_v else (1 << (width or len(needs))) - 1)

    def by_element(self, size, *sources):
        return self.of([union(source.lanes(element(lane, size)) for source in sources)
                        for lane in range(self.result.width)])

    def to_slot(self):
        name, source = self.name, self.operands[-1]
        if self.result.slot is None:
            return None
        width = self.result.width
        if MOVES.fullmatch(name) or name in ("movss", "movd", "movsd", "movq", "movlps", "movlpd"):
            return Map(self.result, [source.lanes(1 << lane) for lane in range(width)], (1 << width) - 1)
        return None

    def elsewhere(self):
        """Instructions whose result is in memory, in an integer register or in the flags."""
        name, last = self.name, self.operands[-1]
        if found := COMPARES.fullmatch(name):
            low = (1 << SIZES[found[1]]) - 1
            return Map(always=self.result.lanes(low) | last.lanes(low))
        if self.result.register is not None:
            return None
        if found := TO_INTEGER.fullmatch(name):
            return Map(always=last.lanes((1 << SIZES[found[1]]) - 1))
        if name in ("movss", "movd"):
            return Map(always=last.lanes(1))
        if name in ("movsd", "movq", "movlps", "movlpd"):
            return Map(always=last.lanes(3))
        if name in ("movhps", "movhpd"):
            return Map(always=last.lanes(12))
        if name in ("extractf128", "extracti128"):
            return Map(always=last.lanes(0xf << 4 * (self.number & 1)))
        if found := re.fullmatch(r"pextr([bwdq])|extractps", name):
            size = BYTES[found[1] or "d"]
            count = max(1, size // 4)
            return Map(always=last.lanes((1 << count) - 1 << self.number * size % 16 // 4))
        return None

    def move(self):
        name, result, source = self.name, self.result, self.operands[-1]
        if result.register is None:
            return None
        if MOVES.fullmatch(name):
            return self.by_element(1, source)
        if name in ("movss", "movsd") and source.is_memory:
            return self.of([source.lanes(1 << lane) if lane < source.width else 0 for lane in range(4)])
        if name in ("movss", "movsd"):
            size = 1 if name == "movss" else 2
            return self.of([(self.b if lane < size else self.a).lanes(1 << lane) for lane in range(4)])
        if name in ("movd", "movq"):
            return self.of([source.lanes(1 << lane) if lane < (1 if name == "movd" else 2) else 0
                            for lane in range(4)])
        if found := re.fullmatch(r"mov([lh])p[sd]", name):
            kept = (2, 3) if found[1] == "l" else (0, 1)
            return self.of([self.a.lanes(1 << lane) if lane in kept else source.lanes(1 << lane % 2)
                            for lane in range(4)])
        if re.fullmatch(r"p?broadcast(?:ss|sd|f128|i128|[bwdq])", name):
            size = 4 if name.endswith("128") else 2 if name[-1] in "dq" and name != "pbroadcastd" else 1
            return self.of([source.lanes(1 << lane % size) for lane in range(result.width)])
        return None

    def by_lane(self):
        name, result = self.name, self.result
        if result.register is None:
            return None
        if NOTHING_FROM_ITSELF.fullmatch(name) and self.a.register == self.b.register is not None:
            return self.of([0] * result.width)
        if found := UNARY.fullmatch(name):
            return self.by_element(SIZES[found[1] or "s"], self.operands[-1])
        if found := BINARY.fullmatch(name):
            return self.by_element(SIZES[found[1]], self.a, self.b)
        if INTEGERS.fullmatch(name):
            return self.by_element(1, self.a, self.b)
        if LONG_INTEGERS.fullmatch(name):
            return self.by_element(2, self.a, self.b)
        if found := SHIFTS.fullmatch(name):
            size = 2 if found[1] == "q" else 1
            value = self.a if self.number is None else self.operands[-1]
            count = 0 if self.number is not None else self.b.lanes(3)
            return self.of([value.lanes(element(lane, size)) | count for lane in range(result.width)])
        if (found := FUSED.fullmatch(name)) and found[1] == "p":
            return self.by_element(SIZES[found[2]], *self.operands)
        if re.fullmatch(r"p?maskmov(?:p[sd]|[dq])", name):
            return self.by_element(2 if name[-1] in "dq" and name != "pmaskmovd" else 1, self.a)
        if found := re.fullmatch(r"p?blendv(?:p([sd])|b)", name):
            mask = self.operands[-1]
            first, second = (self.a, self.b) if self.has_v else self.operands[:2]
            return self.by_element(SIZES[found[1] or "s"], first, second, mask)
        return None

    def scalar(self):
        """The lowest lane is computed; others are those of the first operand."""
        name, a, b = self.name, self.a, self.b
        if self.result.register is None:
            return None
        if (found := FUSED.fullmatch(name)) and found[1] == "s":
            size, a = SIZES[found[2]], self.result
            lowest = union(each.lanes((1 << size) - 1) for each in self.operands)
        elif found := SCALAR.fullmatch(name):
            size = SIZES[found[1]]
            lowest = a.lanes((1 << size) - 1) | b.lanes((1 << size) - 1)
        elif found := SCALAR_OF_ONE.fullmatch(name):
            size = SIZES[found[1]]
            lowest = b.lanes((1 << size) - 1)
        elif found := re.fullmatch(r"cvts([sd])2s([sd])", name):
            size = SIZES[found[2]]
            lowest = b.lanes((1 << SIZES[found[1]]) - 1)
        elif found := re.fullmatch(r"cvtsi2s([sd])", name):
            size, lowest = SIZES[found[1]], 0
        else:
            return None
        return self.of([lowest if lane < size else a.lanes(1 << lane) for lane in range(4)])

    def shuffle(self):
        """Instructions that put lanes into the same places each time."""
        name, result = self.name, self.result
        if result.register is None:
            return None
        if name in ONE:
            return self.pattern(ONE[name], self.operands[-1], None)
        if name in PAIRS:
            return self.pattern(PAIRS[name], self.a, self.b)
        if name == "permps" or name == "permd":
            return self.of([self.b.all() | self.a.lanes(1 << lane) for lane in range(result.width)])
        if found := re.fullmatch(r"permilp([sd])", name):
            if self.number is None:
                return self.of([self.a.lanes(element(lane, 4)) | self.b.lanes(element(lane, SIZES[found[1]]))
                                for lane in range(result.width)])
        return None

    def pattern(self, text, a, b):
        needs = []
        for lane in range(self.result.width):
            need = 0
            for operand, place in re.findall(r"([ab])(\d)", text.split()[lane % 4]):
                need |= (a if operand == "a" else b).lanes(1 << lane // 4 * 4 + int(place))
            needs.append(need)
        return self.of(needs)

    def chosen(self):
        """Instructions whose number says where the lanes come from."""
        pick = {"shufps": self.shufps, "shufpd": self.shufpd, "pshufd": self.pshufd, "permilps": self.pshufd,
                "permilpd": self.permilpd, "insertps": self.insertps, "insertf128": self.insert_half,
                "inserti128": self.insert_half, "extractf128": self.extract_half, "extracti128": self.extract_half,
                "perm2f128": self.perm2, "perm2i128": self.perm2, "permpd": self.permpd, "permq": self.permpd,
                "blendps": self.blend_4, "pblendd": self.blend_4, "blendpd": self.blend_8, "pblendw": self.blend_2,
                "palignr": self.palignr, "psrldq": self.psrldq, "pslldq": self.pslldq, "pinsrd": self.pinsr,
                "pinsrq": self.pinsr, "pinsrb": self.pinsr, "pinsrw": self.pinsr}.get(self.name)
        if pick is None or self.number is None or self.result.register is None:
            return None
        return self.of([pick(lane) for lane in range(self.result.width)])

    def shufps(self, lane):
        source = self.a if lane % 4 < 2 else self.b
        return source.lanes(1 << lane // 4 * 4 + (self.number >> 2 * (lane % 4) & 3))

    def shufpd(self, lane):
        source = self.a if lane % 4 < 2 else self.b
        return source.lanes(1 << lane // 4 * 4 + 2 * (self.number >> lane // 2 & 1) + lane % 2)

    def pshufd(self, lane):
        return self.operands[-1].lanes(1 << lane // 4 * 4 + (self.number >> 2 * (lane % 4) & 3))

    def permilpd(self, lane):
        return self.operands[-1].lanes(1 << lane // 4 * 4 + 2 * (self.number >> lane // 2 & 1) + lane % 2)

    def insertps(self, lane):
        if self.number >> lane & 1:
            return 0
        if lane == self.number >> 4 & 3:
            return self.b.lanes(1 << (0 if self.b.is_memory else self.number >> 6 & 3))
        return self.a.lanes(1 << lane)

    def insert_half(self, lane):
        return self.b.lanes(1 << lane % 4) if lane // 4 == self.number & 1 else self.a.lanes(1 << lane)

    def extract_half(self, lane):
        return self.operands[-1].lanes(1 << 4 * (self.number & 1) + lane)

    def perm2(self, lane):
        half = self.number >> lane // 4 * 4 & 15
        source = self.b if half & 2 else self.a
        return 0 if half & 8 else source.lanes(1 << 4 * (half & 1) + lane % 4)

    def permpd(self, lane):
        return self.operands[-1].lanes(1 << 2 * (self.number >> lane // 2 * 2 & 3) + lane % 2)

    def blend_4(self, lane):
        return (self.b if self.number >> lane & 1 else self.a).lanes(1 << lane)

    def blend_8(self, lane):
        return (self.b if self.number >> lane // 2 & 1 else self.a).lanes(1 << lane)

    def blend_2(self, lane):
        words = self.number >> 2 * (lane % 4) & 3
        return (self.b.lanes(1 << lane) if words else 0) | (self.a.lanes(1 << lane) if words != 3 else 0)

    def from_bytes(self, lane, first, sources):
        """The lane's 4 bytes, from this byte of 16 of each source, one behind the other."""
        need = 0
        for byte in (first, first + 3):
            if 0 <= byte < 16 * len(sources):
                need |= sources[byte // 16].lanes(1 << lane // 4 * 4 + byte % 16 // 4)
        return need

    def palignr(self, lane):
        return self.from_bytes(lane, self.number + 4 * (lane % 4), [self.b, self.a])

    def psrldq(self, lane):
        return self.from_bytes(lane, 4 * (lane % 4) + self.number, [self.operands[-1]])

    def pslldq(self, lane):
        return self.from_bytes(lane, 4 * (lane % 4) - self.number, [self.operands[-1]])

    def pinsr(self, lane):
        size = BYTES[self.name[-1]]
        place = self.number * size % 16
        is_replaced = size >= 4 and place <= 4 * lane < place + size
        return (self.b.all() if is_replaced else self.a.lanes(1 << lane)) | (self.b.all() if size < 4 else 0)

    def converted(self):
        """Elements of another size: the element of the same number."""
        name, source = self.name, self.operands[-1]
        if self.result.register is None:
            return None
        if name in ("cvtps2pd", "cvtdq2pd"):
            return self.of([source.lanes(1 << lane // 2) for lane in range(self.result.width)])
        if name == "cvtph2ps":
            return self.of([source.lanes(1 << lane // 2) for lane in range(self.result.width)])
        if re.fullmatch(r"cvtt?pd2(?:ps|dq)[xy]?", name):
            return self.of([source.lanes(3 << 2 * lane if lane < 2 or source.width == 8 and lane < 4 else 0)
                            for lane in range(4)])
        if found := WIDENS.fullmatch(name):
            small, large = BYTES[found[1]], BYTES[found[2]]
            return self.of([source.lanes(1 << lane * small // large) for lane in range(self.result.width)])
        return None


def describe(name, operands):
    """The Map of an instruction; None if it has neither a vector register nor a slot."""
    if name == "vzeroupper":
        upper = 0
        for register in range(16):
            upper |= (ALL_OF_ONE & ~0xf) << LANES * register
        return Map(killed=upper)
    if not any(REGISTER.search(operand) for operand in operands):
        slots = [Operand(operand).all() for operand in operands if SLOT.fullmatch(operand)]
        return Map(always=slots[0]) if slots else None
    return Description(name, operands).map()
