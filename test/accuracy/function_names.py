"""Names of functions: those of symbols and those of a report's rows."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import re

CLONE = re.compile(r" \[clone [^\]]*\]")
SUFFIX = re.compile(r"\.(omp_outlined|omp_task_entry|isra|constprop|part|cold|llvm|resume|destroy|"
                    r"cleanup)\b.*$")
OPEN, CLOSE = "(<{[", ")>}]"
OPERATORS = [f"operator{sign}" for sign in ("()", "<<=", ">>=", "<=>", "<<", ">>", "<=", ">=", "->*", "->", "<", ">")]


def split_top(text):
    """Positions of characters of the text outside all brackets."""
    depth, at = 0, 0
    while at < len(text):
        word = next((word for word in OPERATORS if text.startswith(word, at)), None)
        if word:
            at += len(word)
            continue
        if text[at] in CLOSE:
            depth -= 1
        if depth == 0:
            yield at
        if text[at] in OPEN:
            depth += 1
        at += 1


@functools.lru_cache(maxsize=None)
def function_of(symbol):
    """The function of a symbol, without the result, parameters and the suffixes of clones."""
    name = SUFFIX.sub("", CLONE.sub("", symbol))
    name = name.replace("(anonymous namespace)", "{anonymous}")
    while "> >" in name:
        name = name.replace("> >", ">>")
    begin, end, parameters = 0, len(name), 0
    for at in split_top(name):
        if name[at] == "(":
            parameters = at
        elif name[at] == ")" and parameters > begin and not name.startswith("::", at + 1):
            end = parameters
            break
        elif name[at] == " " and not name[:at].endswith(("operator", "operator<")):
            begin = at + 1
    return name[begin:end].replace("{anonymous}", "(anonymous namespace)")


@functools.lru_cache(maxsize=None)
def base_of(name):
    """The function without the arguments of templates."""
    result, depth, top = "", 0, set(split_top(name))
    for at, character in enumerate(name):
        if character == "<" and at in top and not result.endswith("operator"):
            depth += 1
        if not depth:
            result += character
        if character == ">" and at in top and depth:
            depth -= 1
    return result


def is_outlined(symbol):
    return "omp_outlined" in symbol or ".omp_task" in symbol
