"""Compares the packed instructions of a linked library with and without the pass plugin.

usage: compare-packed.py FILE FOLDER OBJDUMP -- COMPILER -fpass-plugin=PLUGIN OPTIONS...

The options go to the compile step and to the link, the plugin only to the compile step.
"""

import collections
import re
import subprocess
import sys


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def packed(source, name, objdump, command):
    """For each function, the number of instructions that use a whole vector register."""
    plain = [word for word in command if not word.startswith("-fpass-plugin=")]
    run(command + ["-c", source, "-o", name + ".o"])
    run(plain + ["-shared", "-fuse-ld=lld", name + ".o", "-o", name + ".so"])
    counts, function = collections.Counter(), None
    for line in run([objdump, "-d", "--no-show-raw-insn", name + ".so"]).splitlines():
        if label := re.fullmatch(r"[0-9a-f]+ <(.*)>:", line):
            function = label[1]
        elif re.search(r"%[yz]mm", line):
            counts[function] += 1
    return counts


source, folder, objdump, separator, *command = sys.argv[1:]
assert separator == "--"
instrumented = packed(source, folder + "/with", objdump, command)
without = [word for word in command if not word.startswith("-fpass-plugin=")]
plain = packed(source, folder + "/plain", objdump, without)
for function in sorted(plain.keys() | instrumented.keys()):
    if plain[function] != instrumented[function]:
        print(function, plain[function], "without the plugin,", instrumented[function], "with it")
if plain != instrumented:
    sys.exit(1)
print(len(plain), "functions with packed instructions, as many with and without the plugin")
