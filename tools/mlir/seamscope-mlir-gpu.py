"""seamscope-mlir-gpu.py PLUGIN IN.mlir OUT.mlir [--opt=opt-22] [--llc=llc-22] [--level=O2]

Takes each GPU module that gpu-module-to-binary{format=llvm} left in IN.mlir through Seamscope's
plugin for LLVM and to PTX, and writes the module with that in its place. A kernel that is called as
one of another module gets a name of its own: profiles would take them for one.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import os
import re
import subprocess
import sys
import tempfile

TEXT = r'"((?:[^"\\]|\\.)*)"'
OBJECT = re.compile(r'(#gpu\.object<#nvvm\.target<([^>]*)>, )offload = ' + TEXT)
BINARY = re.compile(r"gpu\.binary @([\w$.-]+)")
# The module and name of a launched kernel; or a string literal, which contains neither.
LAUNCHED = re.compile(TEXT + r"|@([\w$.-]+)::@([\w$.-]+)")


def fail(line):
    sys.exit("seamscope-mlir-gpu: " + line)


def unescaped(text):
    """The bytes of a string of MLIR: \\0A is one, and so is \\\\."""
    return re.sub(rb"\\([0-9A-Fa-f]{2}|.)",
                  lambda match: bytes([int(match[1], 16)]) if len(match[1]) == 2 else match[1],
                  text.encode("utf-8", "surrogateescape"))


def escaped(data):
    return "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}"
                   for byte in data)


def run(command):
    try:
        ran = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=600, check=False,
                             env={**os.environ, "SEAMSCOPE_PASS":
                                  os.environ.get("SEAMSCOPE_PASS", "gpu")})
    except FileNotFoundError:
        fail(f"{command[0]} is not there: install LLVM 22's tools, or name it by --opt or --llc")
    except subprocess.TimeoutExpired:
        fail(f"{command[0]} did not end within 600 s")
    sys.stderr.write(ran.stderr)
    if ran.returncode:
        fail(f"{command[0]} failed (exit code {ran.returncode})")


def new_names(text):
    """Names for kernels that are called as one of another module, by module and name.

    gpu-kernel-outlining names kernels by their function, each in a module of its own: all of one
    function have one name.
    """
    modules = set(BINARY.findall(text))
    launched = dict.fromkeys((found[2], found[3]) for found in LAUNCHED.finditer(text)
                             if found[2] in modules)
    taken, seen, new = {name for _, name in launched}, set(), {}
    for module, name in launched:
        if name in seen:
            number = 0
            while f"{name}_{number}" in taken:
                number += 1
            new[module, name] = f"{name}_{number}"
            taken.add(new[module, name])
        seen.add(name)
    return new


def renamed(source, target, names, options):
    """Writes a device's bitcode as text, with other names for its kernels."""
    run([options.opt, "-S", source, "-o", target])
    with open(target, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read()
    text = re.sub(r'"[^"]*"|@([\w$.-]+)',
                  lambda match: "@" + names.get(match[1], match[1]) if match[1] else match[0], text)
    with open(target, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)


def compiled(data, target, names, options):
    words = dict(re.findall(r'(\w+) = "([^"]*)"', target))
    with tempfile.TemporaryDirectory() as folder:
        first, named, second, last = (os.path.join(folder, name)
                                      for name in ("in.bc", "named.ll", "out.bc", "out.ptx"))
        with open(first, "wb") as file:
            file.write(data)
        if names:
            renamed(first, named, names, options)
            first = named
        run([options.opt, "-load-pass-plugin=" + options.plugin, f"-passes=default<{options.level}>",
             first, "-o", second])
        # Otherwise the compiler's own default fits the chip.
        features = ["-mattr=" + words["features"]] if "features" in words else []
        run([options.llc, "-mcpu=" + words.get("chip", "sm_75"), *features, second, "-o", last])
        with open(last, "rb") as file:
            return file.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[1])
    parser.add_argument("plugin")
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--opt", default="opt-22")
    parser.add_argument("--llc", default="llc-22")
    parser.add_argument("--level", default="O2", choices=["O1", "O2", "O3"])
    options = parser.parse_args()
    for path in (options.plugin, options.source):
        if not os.path.isfile(path):
            fail(f"{path} is not a file")
    with open(options.source, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read()
    new = new_names(text)

    def replaced(match):
        # Other objects of a binary may be between its name and an object.
        of = BINARY.match(text, max(text.rfind("gpu.binary @", 0, match.start()), 0))
        names = {old: name for (module, old), name in new.items() if of and module == of[1]}
        data = compiled(unescaped(match[3]), match[2], names, options)
        return match[1] + 'assembly = "' + escaped(data + b"\0") + '"'

    done, count = OBJECT.subn(replaced, text)
    if count < text.count('offload = "'):
        fail(f"{options.source}: an object of a gpu.binary is not one of #nvvm.target without "
             "properties, and can't be compiled here")
    if not count:
        fail(f"{options.source}: no bitcode of a kernel for NVIDIA's GPUs: run gpu-module-to-binary "
             "with format=llvm before (and print MLIR as text)")
    if new:
        done = LAUNCHED.sub(
            lambda match: f"@{match[2]}::@{new.get((match[2], match[3]), match[3])}" if match[2]
            else match[0], done)
    with open(options.target, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(done)


main()
