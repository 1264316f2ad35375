"""LLVM's IR as text: types, arguments, and the lines of functions."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

NAME = r'(?:[-\w.$]+|"[^"]*")'
VALUE = rf"%{NAME}"
FLOAT_NAMES = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64", "x86_fp80": "x87",
               "fp128": "f128"}
FLOAT_BYTES = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "x86_fp80": 16, "fp128": 16}


class Unsupported(Exception):
    pass


def unquoted(name):
    return name[1:-1] if name.startswith('"') else name


def take_type(text):
    """The type at the start of the text, and the rest."""
    text = text.lstrip()
    if text[:1] in "<{[":
        depth = 0
        for place, letter in enumerate(text):
            depth += letter in "<{[("
            depth -= letter in ">}])"
            if not depth:
                break
        end = place + 1
    else:
        end = re.match(rf"%{NAME}|\w+", text).end()
    rest = text[end:].lstrip()
    if text[:end] == "ptr" and rest.startswith("addrspace("):
        rest = rest.split(")", 1)[1].lstrip()
    return text[:end], rest


def members(type_text):
    """The types in `{...}`."""
    parts, rest = [], type_text[1:-1].strip()
    while rest:
        part, rest = take_type(rest)
        parts.append(part)
        rest = rest.lstrip(", ")
    return parts


def vector_parts(type_text):
    """(lanes, type of the elements); 1 lane for a scalar."""
    found = re.fullmatch(r"<(vscale x )?(\d+) x (.*)>", type_text)
    if not found:
        return 1, type_text
    if found[1]:
        raise Unsupported("a scalable vector")
    return int(found[2]), found[3]


def element_name(type_text):
    element = vector_parts(type_text)[1]
    return FLOAT_NAMES.get(element) or element


def layout(type_text, structs):
    """(bytes in an array, bytes that a store writes, alignment)."""
    if type_text in FLOAT_BYTES:
        size = FLOAT_BYTES[type_text]
        return size, 10 if type_text == "x86_fp80" else size, size
    if type_text.startswith("ptr"):
        return 8, 8, 8
    if found := re.fullmatch(r"i(\d+)", type_text):
        stored = (int(found[1]) + 7) // 8
        align = min(16, 1 << (stored - 1).bit_length())
        return (stored + align - 1) // align * align, stored, align
    lanes, element = vector_parts(type_text)
    if element != type_text:
        bits = int(element[1:]) if re.fullmatch(r"i\d+", element) else 8 * layout(element, structs)[1]
        stored = (lanes * bits + 7) // 8
        align = 1 << (stored - 1).bit_length()
        return (stored + align - 1) // align * align, stored, align
    if found := re.fullmatch(r"\[(\d+) x (.*)\]", type_text):
        size, _, align = layout(found[2], structs)
        return int(found[1]) * size, int(found[1]) * size, align
    if type_text in structs:
        return layout(structs[type_text], structs)
    if type_text.startswith("{"):
        offset, largest = 0, 1
        for part in members(type_text):
            size, _, align = layout(part, structs)
            offset = (offset + align - 1) // align * align + size
            largest = max(largest, align)
        size = (offset + largest - 1) // largest * largest
        return size, size, largest
    raise Unsupported(f"the size of {type_text}")


class Function:
    def __init__(self, name, is_local):
        self.name, self.is_local = name, is_local
        self.lines = []   # (index, text), continued lines joined
        self.blocks = []
        self.calls, self.forks = set(), set()


def split_arguments(text):
    """The arguments in front of the closing bracket."""
    depth, start, parts, quoted = 0, 0, [], False
    for place, letter in enumerate(text):
        quoted ^= letter == '"'
        if quoted:
            continue
        if letter in "<{[(":
            depth += 1
        elif letter in ">}])":
            if letter == ")" and not depth:
                return [part for part in parts + [text[start:place].strip()] if part]
            depth -= 1
        elif letter == "," and not depth:
            parts.append(text[start:place].strip())
            start = place + 1
    return parts


def operand_of(argument):
    """The value of an argument, behind its type and attributes."""
    found = re.search(rf"(?:^|\s)({VALUE}|@{NAME}|[-+.\w]+|<.*>|splat \(.*\))$", argument)
    return found[1] if found else argument


def stripped(line):
    """Without the metadata at the end."""
    return re.sub(r"(, ![\w.]+ !\d+|, ![\w.]+ !\{\}| #\d+)*$", "", line.rstrip())


def read_functions(lines):
    functions, current, in_switch = [], None, False
    for index, line in enumerate(lines):
        if current is None:
            if line.startswith("define "):
                name = re.search(rf"@({NAME})\(", line)[1]
                current = Function(unquoted(name), bool(re.match(r"define (internal|private) ", line)))
                functions.append(current)
            continue
        if line.startswith("}"):
            current = None
        elif in_switch:
            in_switch = not line.startswith("  ]")
        elif line.startswith("          ") and current.lines:
            current.lines[-1] = (current.lines[-1][0], current.lines[-1][1] + " " + line.strip())
        elif line.strip() and not line.lstrip().startswith((";", "#dbg_")):
            current.lines.append((index, line.split(" ; preds =")[0].rstrip()))
            in_switch = bool(re.match(r"\s+(switch|indirectbr) .*\[$", stripped(line)))
    return functions
