"""Compares counted bytes with the loads and stores that valgrind's lackey sees instruction by instruction.

usage: compare_lackey.py PROGRAM TRACE

PROGRAM takes a number of rounds; TRACE is of 10 rounds. Lackey counts the whole process: the difference of
11 rounds and 1 is that of 10. It counts stack traffic and the loop around the kernels, too, and in vectors
what they load and store together. The counts have to agree within 1.5 % of the bytes loaded and 1 % of the
bytes stored.
"""

import json
import re
import subprocess
import sys


def moved(program, rounds):
    """Bytes loaded and stored by all instructions of a run."""
    done = subprocess.run(["valgrind", "--tool=lackey", "--detailed-counts=yes", program, str(rounds)],
                          capture_output=True, text=True, timeout=300, check=True)
    loaded = stored = 0
    for kind, loads, stores in re.findall(r"==\d+==\s+[IFV](\d+)\s+([\d,]+)\s+([\d,]+)", done.stderr):
        size = max(int(kind) // 8, 1)
        loaded += size * int(loads.replace(",", ""))
        stored += size * int(stores.replace(",", ""))
    return loaded, stored


def counted(path):
    with open(path, encoding="utf-8") as file:
        functions = json.load(file)["seamscope"]["work"]
    loaded = stored = 0
    for function in functions:
        for part in json.loads(function["counts"])["classes"]:
            runs = function["words"][part["word"]] // part.get("unit", 1)
            for _, _, counts in part["lines"]:
                loaded += runs * counts.get("read", 0)
                stored += runs * counts.get("write", 0)
    return loaded, stored


program, trace = sys.argv[1:]
seen = [more - once for more, once in zip(moved(program, 11), moved(program, 1))]
found = counted(trace)
ratios = [ours / theirs for ours, theirs in zip(found, seen)]
print(f"loaded {found[0]} of {seen[0]}, stored {found[1]} of {seen[1]}")
if not (0.985 <= ratios[0] <= 1.0001 and 0.99 <= ratios[1] <= 1.0001):
    sys.exit(f"counts differ from executed instructions: {ratios}")
print("within 1.5 %")
