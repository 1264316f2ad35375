#!/usr/bin/env python3
"""Compares the FLOPs of each instruction of lanes.s with its comment.

usage: check_lanes.py PROGRAM lanes.s lanes.mir
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re
import sys

sys.dont_write_bytecode = True
import machine_counts  # noqa: E402
import signatures  # noqa: E402


def expected(path):
    """{function: FLOPs of its instructions that have a comment}"""
    found, name = {}, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            if begin := re.match(r"begin (\w+)", line):
                name = begin[1]
                found[name] = []
            elif comment := re.match(r"  \w.* # (\d+)$", line):
                found[name].append(int(comment[1]))
    return found


def main():
    program, source, types_path = sys.argv[1:]
    types = signatures.Signatures()
    types.read(types_path)
    works, _ = machine_counts.disassembled(program, machine_counts.Symbols(program), types)
    found = {}
    for _, (name, work) in sorted(works.items()):
        found.setdefault(name, []).extend([work["flop"]] if "flop" in work else [])
    wrong = 0
    for name, flops in expected(source).items():
        if found[name] != flops:
            print(f"{name}: {found[name]}, not {flops}")
            wrong += 1
    print(f"{wrong} functions wrong, {sum(map(len, found.values()))} instructions compared")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
