#===- triton_literals.py - rewrites floating-point literals for LLVM 22 ----===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Triton uses a newer LLVM than the pass. The older LLVM can read the IR that Triton prints, except
floating-point literals: `f0x3FB8AA3B`, `+inf`, `+qnan`, `+nan(0x7)`, and decimals that the type cannot
represent exactly. This module rewrites them to the hexadecimal forms that both can read.
"""

import re
from fractions import Fraction


class NotUnderstood(Exception):
    """A literal that cannot be rewritten; the text is for the user."""


# Bits of exponent and fraction, and the prefix of the older form. A float is written as a double.
FORMATS = {"half": (5, 10, "0xH"), "bfloat": (8, 7, "0xR"), "float": (8, 23, "0x"),
           "double": (11, 52, "0x")}

# The relevant tokens of a line. Strings, comments and names come first, since they may look like literals.
TOKEN = re.compile(r"""
    (?P<skip> "[^"]*" | ;.* | [%@!$\#^][-\w.$]+ )
  | (?P<hex> \bf0x[0-9A-Fa-f]+ )
  | (?P<special> [-+](?:inf|qnan|s?nan\(0x[0-9A-Fa-f]+\))(?![-\w.$]) )
  | (?P<decimal> [-+]?\d+\.\d*(?:[eE][-+]?\d+)?(?![-\w.$]) )
  | (?P<word> [\w$.][-\w.$]* )
""", re.VERBOSE)

# Lines without a match have no such literals.
CANDIDATE = re.compile(r"f0x|\d\.|[-+](?:inf|qnan)|nan\(0x")

TYPES = {"half", "bfloat", "float", "double", "fp128", "x86_fp80", "ppc_fp128"}


def rounded(value, exponent_bits, fraction_bits):
    """The bits of the nearest number, with ties to even. `value` is at least 0."""
    if not value:
        return 0
    bias = (1 << (exponent_bits - 1)) - 1
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    if Fraction(2) ** exponent > value:
        exponent -= 1
    exponent = max(exponent, 1 - bias)  # smaller numbers are subnormal
    units = round(value / Fraction(2) ** (exponent - fraction_bits))
    # A fraction that overflows carries into the exponent, which is correct.
    bits = ((exponent + bias - 1) << fraction_bits) + units
    infinity = ((1 << exponent_bits) - 1) << fraction_bits
    return min(bits, infinity)


def bits_of(kind, text, type_name):
    """The bits of a literal in its own type."""
    exponent_bits, fraction_bits, _ = FORMATS[type_name]
    width = 1 + exponent_bits + fraction_bits
    if kind == "hex":
        bits = int(text[3:], 16)
        if bits >> width:
            raise NotUnderstood(f"{text} has more bits than {type_name}")
        return bits
    sign = (1 << (width - 1)) if text[0] == "-" else 0
    magnitude = text.lstrip("+-")
    infinity = ((1 << exponent_bits) - 1) << fraction_bits
    quiet = 1 << (fraction_bits - 1)
    if kind == "decimal":
        bits = rounded(Fraction(magnitude), exponent_bits, fraction_bits)
        if bits == infinity:
            raise NotUnderstood(f"{text} is out of range for {type_name}")
        return sign | bits
    if magnitude == "inf":
        return sign | infinity
    if magnitude == "qnan":
        return sign | infinity | quiet
    payload = int(magnitude[magnitude.index("(") + 1:-1], 16)
    if payload >> fraction_bits:
        raise NotUnderstood(f"{text} has a payload too large for {type_name}")
    return sign | infinity | payload | (0 if magnitude.startswith("snan") else quiet)


def written(bits, type_name):
    """The bits as a literal of older LLVMs."""
    exponent_bits, fraction_bits, prefix = FORMATS[type_name]
    if type_name == "float":
        bits = double_of(bits)
        return f"{prefix}{bits:016X}"
    return f"{prefix}{bits:0{(1 + exponent_bits + fraction_bits) // 4}X}"


def double_of(bits):
    """The bits of a double with the value of a float."""
    sign, exponent, fraction = bits >> 31 << 63, bits >> 23 & 0xFF, bits & 0x7FFFFF
    if exponent == 0xFF:
        return sign | 0x7FF << 52 | fraction << 29
    if exponent == 0:
        return sign | rounded(fraction * Fraction(2) ** -149, 11, 52)
    return sign | (exponent - 127 + 1023) << 52 | fraction << 29


def _rewritten_line(line):
    type_name = None
    parts, done = [], 0
    for token in TOKEN.finditer(line):
        kind, text = token.lastgroup, token.group()
        if kind == "word" and text in TYPES:
            type_name = text
        if kind in ("skip", "word"):
            continue
        if type_name not in FORMATS:
            raise NotUnderstood(f"{text} has " + (f"the type {type_name}" if type_name else "no type"))
        parts += line[done:token.start()], written(bits_of(kind, text, type_name), type_name)
        done = token.end()
    return "".join(parts) + line[done:]


def rewritten(text):
    """The module with literals that older LLVMs can read. The type of a literal is the last type to its left.
    Raises NotUnderstood."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if CANDIDATE.search(line):
            try:
                lines[number] = _rewritten_line(line)
            except NotUnderstood as why:
                raise NotUnderstood(f"line {number + 1} of its LLVM IR: {why}") from None
    return "\n".join(lines)
