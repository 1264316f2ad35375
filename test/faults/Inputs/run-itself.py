"""Makes each system call of `seamscope run` itself fail, or sends a signal at it, while it starts a program and
completes its folder. The program's output and exit status are unchanged, or it did not start, which the exit code and
a line say. If the folder is incomplete, a line says so; it never has a half-written file.

usage: run-itself.py INJECT SEAMSCOPE FOLDER PROGRAM ERRORS

PROGRAM is instrumented, prints "out" and ends with 3. Each call fails with ERRORS of the errors and signals.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

ERRORS = ("ENOSPC", "EIO", "EMFILE", "EPERM", "EINTR", "SIGKILL", "SIGTERM")
inject, tool, folder, program = (pathlib.Path(word).resolve() for word in sys.argv[1:5])


def run(name, *options):
    """Status of `run`, stdout, its lines on stderr, and the folder's files."""
    place = folder / name
    shutil.rmtree(place, ignore_errors=True)
    (place / "home").mkdir(parents=True)
    (place / "spools").mkdir()
    # One that a run of another day left.
    old = place / "spools" / f"seamscope-{os.getuid()}-1-1.spool"
    old.write_bytes(b"")
    os.utime(old, (1000000000, 1000000000))
    ended = subprocess.run([inject, "--program", "--limit", "50", "--result", place / "result", *options, "--", tool, "run", "-o", "run", "--",
                            program], cwd=place, capture_output=True, text=True, timeout=60,
                           env={"PATH": os.environ["PATH"], "HOME": str(place / "home"), "SEAMSCOPE_SPOOL_DIR": str(place / "spools"),
                                "SEAMSCOPE_THROTTLE": "off"})
    files = {str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()} - {"result", f"spools/{old.name}"}
    return ended.returncode, ended.stdout, ended.stderr.splitlines(), files, json.loads((place / "result").read_text())


right = run("right", "--list", folder / "calls")
assert right[0] == 3 and right[1] == "out\n" and {"run/trace.json", "run/manifest.json"} <= right[3], right
listed = (folder / "calls").read_text().splitlines()
calls = len(listed)
assert not any("\topenat\t" in line and line.endswith("-1-1.spool") for line in listed), "looks into spools of other runs"


def fault(number, error):
    status, out, lines, files, result = run(f"{number}-{error}", "--fail", f"{number}:{error}")
    place = folder / f"{number}-{error}"
    what = f"call {number}, {result['failed']}: {error}: status {status}: {out!r} {lines} {sorted(files)}"
    wrong = []
    if any(not line.startswith("seamscope: ") for line in lines):
        wrong.append("says more than lines of its own")
    for name in files:
        if name.endswith(".json"):
            try:
                json.loads((place / name).read_text())
            except ValueError:
                wrong.append(f"half a file: {name}")
        elif name not in right[3] and error != "SIGKILL":
            wrong.append(f"leaves {name}")
    if error.startswith("SIG"):
        pass  # faults of `run` itself; the program may then behave differently
    elif out not in ("out\n", ""):
        wrong.append("another output")
    elif out and status != 3:
        wrong.append("another end")
    elif not out and not (status in (1, 2, 126, 127) and len(lines) >= 1):
        wrong.append("the program did not start, and nobody says so")
    elif right[3] - files and not set(lines) - set(right[2]):
        wrong.append(f"{sorted(right[3] - files)} is missing, and no line says so")
    shutil.rmtree(place, ignore_errors=True)
    return result["failed"], [f"{each}: {what}" for each in wrong]


faults, wrongs = collections.Counter(), []
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    each = [(number, error) for number in range(1, calls + 1) for error in (ERRORS[(number * int(sys.argv[5]) + i) % len(ERRORS)] for i in range(int(sys.argv[5])))]
    for (number, error), (failed, wrong) in zip(each, pool.map(lambda one: fault(*one), each)):
        faults[error] += len(failed)
        wrongs += wrong
for line in wrongs:
    print(line)
print(f"{sum(faults.values())} faults at {calls} calls, {len(wrongs)} wrong")
