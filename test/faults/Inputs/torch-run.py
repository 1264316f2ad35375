"""Makes system calls fail that Seamscope makes in a torch program under `seamscope run`, in C++ and in Python, and
compares the program's output and exit status with those of a run without Seamscope.

usage: torch-run.py [--only TEXT] [--children] [--alone] INJECT SEAMSCOPE FOLDER ERRORS -- COMMAND...

Where threads of one name make a call many times on files of one name, such as the helper on the spool, the first
and the last call fail. Prints the number of faults.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ERRORS = ("ENOSPC", "EIO", "EMFILE", "EPERM", "EINTR", "ENOMEM")
#: Calls of Seamscope, by the library that makes them; of Python code by the file that it opens or writes.
OURS = (["--from", "libseamscope"], ["--path", "steps.bin"], ["--path", "share/seamscope/start"],
        ["--path", "lib/seamscope/python"], ["--path", "torch-trace"], ["--path", "torch-bridge"],
        ["--path", "notebook-trace"])

parser = argparse.ArgumentParser()
parser.add_argument("--only", default="", help="the calls of OURS with this text alone")
parser.add_argument("--children", action="store_true", help="those of child processes, too")
parser.add_argument("--alone", action="store_true", help="not under `run`: COMMAND records itself where RECORD=1")
parser.add_argument("inject", type=os.path.abspath)
parser.add_argument("tool", type=os.path.abspath)
parser.add_argument("folder", type=lambda name: pathlib.Path(name).resolve())
parser.add_argument("errors", type=int, help="of ERRORS, in turn, for each call")
at = sys.argv.index("--")
given, command = parser.parse_args(sys.argv[1:at]), sys.argv[at + 1:]
inject, tool, folder = given.inject, given.tool, given.folder
start = ["env", "RECORD=1"] if given.alone else [tool, "run", "-o", "run", "--"]


def run(words):
    ended = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)
    ours = [line for line in ended.stderr.splitlines() if line.startswith("seamscope: ")]
    # If two processes write at once, a line's end can follow the next line.
    others = [line for line in ended.stderr.splitlines() if line and not line.startswith("seamscope: ")]
    return (ended.stdout, others, ended.returncode), ours


def recorded(selection, *options):
    for old in ("run", "notebook-trace"):
        shutil.rmtree(folder / old, ignore_errors=True)
    got, ours = run([*start, inject, *selection, *options, *["--children"] * given.children, "--result", folder / "result",
                     "--limit", "280", "--", *command])
    return got, ours, json.loads((folder / "result").read_text())


folder.mkdir(parents=True, exist_ok=True)
plain, _ = run(command)
assert plain[2] == 4 and plain[0], plain
got, ours = run([*start, *command])  # fills the caches
assert got == plain, (plain, got, ours)
faults, runs, turn = 0, 0, 0
for selection in (each for each in OURS if given.only in each[1]):
    got, ours, result = recorded(selection, "--list", folder / "list")
    assert got == plain, (selection, plain, got, ours)
    alike = {}
    for line in (folder / "list").read_text().splitlines():
        number, thread, call, path = line.split("\t")
        what = (thread, call, os.path.basename(path))
        alike.setdefault(tuple(re.sub(r"\d+", "0", word) for word in what), []).append(number)
    for what, numbers in alike.items():
        # Python itself lists all folders of PYTHONPATH, and ends if it cannot: start-folder.test.
        if what[1].startswith(("openat", "getdents")) and what[2] == os.path.basename(selection[1]):
            continue
        for number in dict.fromkeys((numbers[0], numbers[-1])):
            # An unreadable Python file is like a missing one, so one error is enough.
            for _ in range(1 if ".py" in what[-1] else given.errors):
                error = ERRORS[turn % len(ERRORS)]
                turn += 1
                got, ours, result = recorded(selection, "--fail", f"{number}:{error}")
                print(f"{' '.join(selection)} {number}:{error} {result['failed']} {ours[:1]}", flush=True)
                assert got == plain, (selection, number, error, result, plain, got, ours)
                faults += len(result["failed"])
                runs += 1
print(f"{faults} faults in {runs} runs")
