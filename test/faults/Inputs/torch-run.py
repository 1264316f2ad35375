"""Has system calls fail that Seamscope makes in a torch program under `seamscope run`, in C++ and in Python, and
compares what the program prints and how it ends with a run without it.

usage: torch-run.py INJECT SEAMSCOPE FOLDER STRIDE [OURS] -- COMMAND...

OURS: a name of what is in the list of that name alone. Prints how many faults there were.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

ERRORS = ("ENOSPC", "EIO", "EMFILE", "EPERM", "EINTR", "ENOMEM")
#: Calls of ours: by the library that makes them; of Python code by the file that it opens or writes.
OURS = (["--from", "libseamscope"], ["--path", "steps.bin"], ["--path", "share/seamscope/start"],
        ["--path", "lib/seamscope/python"], ["--path", "torch-trace"], ["--path", "torch-bridge"])

inject, tool, folder, stride = *map(os.path.abspath, sys.argv[1:3]), pathlib.Path(sys.argv[3]).resolve(), int(sys.argv[4])
only = sys.argv[5] if sys.argv[5] != "--" else ""
command = sys.argv[sys.argv.index("--") + 1:]


def run(words):
    ended = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)
    ours = [line for line in ended.stderr.splitlines() if line.startswith("seamscope: ")]
    others = [line for line in ended.stderr.splitlines() if not line.startswith("seamscope: ")]
    return (ended.stdout, others, ended.returncode), ours


def recorded(selection, *options):
    shutil.rmtree(folder / "run", ignore_errors=True)
    got, ours = run([tool, "run", "-o", "run", "--", inject, *selection, *options, "--result", folder / "result", "--limit", "280",
                     "--", *command])
    return got, ours, json.loads((folder / "result").read_text())


folder.mkdir(parents=True, exist_ok=True)
plain, _ = run(command)
assert plain[2] == 4 and plain[0], plain
got, ours = run([tool, "run", "-o", "run", "--", *command])  # fills the caches
assert got == plain, (plain, got, ours)
faults, runs, at = 0, 0, stride // 2
for selection in (each for each in OURS if only in each[1]):
    got, ours, result = recorded(selection, "--list", folder / "list")
    assert got == plain, (selection, plain, got, ours)
    for call in range(1, result["calls"] + 1):
        for error in ERRORS:
            at += 1
            # A file of Python code that cannot be read is as one that is not there: one error of that will do.
            if at % stride or (error != "EIO" and ".py" in (folder / "list").read_text().splitlines()[call - 1]):
                continue
            got, ours, result = recorded(selection, "--fail", f"{call}:{error}")
            print(f"{' '.join(selection)} {call}:{error} {result['failed']} {ours[:1]}", flush=True)
            assert got == plain, (selection, call, error, result, plain, got, ours)
            faults += len(result["failed"])
            runs += 1
print(f"{faults} faults in {runs} runs")
