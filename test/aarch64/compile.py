#!/usr/bin/env python3
"""compile.py CLANG ARGUMENTS...: clang for aarch64. A program that it links becomes a script that runs it.

The program itself lies below .aarch64 beside the script, by the same name, so that a trace says the same
name. What is compiled or linked to a shared library is left as it is.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import shlex
import subprocess
import sys

SYSROOT = "/usr/aarch64-linux-gnu"
PT_INTERP = 3


def is_program(path):
    """Whether it is an ELF file with an interpreter."""
    try:
        with open(path, "rb") as file:
            head = file.read(64)
            if head[:4] != b"\x7fELF":
                return False
            at, size, count = (int.from_bytes(head[begin:end], "little")
                               for begin, end in ((32, 40), (54, 56), (56, 58)))
            file.seek(at)
            table = file.read(size * count)
    except OSError:
        return False
    return any(int.from_bytes(table[i:i + 4], "little") == PT_INTERP for i in range(0, len(table), size))


def main():
    clang, *arguments = sys.argv[1:]
    status = subprocess.run([clang, "--target=aarch64-linux-gnu", *arguments]).returncode
    out = arguments[arguments.index("-o") + 1] if "-o" in arguments else "a.out"
    if status == 0 and is_program(out):
        folder = os.path.join(os.path.dirname(os.path.abspath(out)), ".aarch64")
        os.makedirs(folder, exist_ok=True)
        program = os.path.join(folder, os.path.basename(out))
        os.replace(out, program)
        with open(out, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec qemu-aarch64 -L {SYSROOT} -0 "$0" {shlex.quote(program)} "$@"\n')
        os.chmod(out, 0o755)
    sys.exit(status)


main()
