"""Makes each system call of the recorder in a program fail once, alternating between the errors, and compares
the program's output and exit status with those of an unrecorded run.

usage: programs.py INJECT FOLDER STRIDE -- COMMAND...

STRIDE 1: each call with each error; more: one pair in STRIDE. The command runs in FOLDER and is recorded as set
in its environment. Prints the number of faults.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

ERRORS = ("ENOSPC", "EIO", "EMFILE", "EPERM", "EINTR", "ENOMEM")
#: Threads and files of Seamscope in the process; for Python code a path identifies it.
LIBRARIES = "libseamscope"

inject, folder, stride = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])
command = sys.argv[sys.argv.index("--") + 1:]


def run(number, options=(), **more):
    """The program's output, Seamscope's lines in it, the exit status, and the result of inject."""
    here = folder / f"run-{number}"
    shutil.rmtree(here, ignore_errors=True)
    here.mkdir(parents=True)
    environment = dict(os.environ, SEAMSCOPE_SPOOL_DIR=str(here), SEAMSCOPE_OUT="trace.json", **more)
    ended = subprocess.run([inject, "--children", "--from", LIBRARIES, *options, "--result", "result", "--limit", "60", "--",
                            *command], cwd=here, env=environment, capture_output=True, text=True, timeout=100)
    ours = [line for line in ended.stderr.splitlines() if line.startswith("seamscope: ")]
    others = [line for line in ended.stderr.splitlines() if not line.startswith("seamscope: ")]
    result = json.loads((here / "result").read_text())
    return here, (ended.stdout, others, ended.returncode), ours, result


def check(number, fault, expected):
    here, got, ours, result = run(number, ["--fail", fault])
    assert got == expected, (fault, result, got, ours)
    names = sorted(name for name in os.listdir(here) if name != "result")
    for name in names:
        if name.endswith(".json"):
            json.loads((here / name).read_text())
    # Nothing half-written; and what was recorded is lost only with a word.
    assert not any(".tmp." in name for name in names) or "unlink" in str(result["failed"]), (fault, result, names)
    silenced = any(call.startswith("write pipe:") for call in result["failed"])
    assert any(name.endswith((".json", ".spool")) for name in names) or ours or silenced, (fault, result, names)
    assert len(ours) <= 4, (fault, result, ours)
    shutil.rmtree(here)
    return len(result["failed"])


_, plain, ours, _ = run("plain", SEAMSCOPE="off")
assert not ours, ours
# The number of calls varies, since the recorder's thread looks at the clock: there are as many as this in most runs.
calls = sys.maxsize
for number in range(3):
    here, recorded, ours, result = run(f"recorded-{number}", ["--list", "list"])
    assert recorded == plain and not ours, (plain, recorded, ours)
    calls = min(calls, result["calls"])
assert calls > 30, calls
faults = [f"{call}:{error}" for call in range(1, calls + 1) for error in ERRORS]
# From some call on all calls fail, as on a full disk.
faults += [f"{call}+:{error}" for call in range(1, calls + 1, 7) for error in ERRORS if error != "EINTR"]
faults = faults[stride // 2::stride]
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    failed = list(pool.map(check, range(len(faults)), faults, [plain] * len(faults)))
assert failed.count(0) * 10 < len(failed), failed
print(f"{sum(failed)} faults in {len(failed)} runs of {calls} calls")
