"""How often the interval of the speedup from `seamscope run --baseline eager` contains the true speedup.

The true speedup is that of plain processes before and after each run, which time their own steps."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import shutil
import statistics
import subprocess
import sys

from measure import bar, build, fail, here, run
from torch_ops import find_python

PROGRAMS = ("vit", "gpt2", "chain", "training", "sizes", "scatter")
program = os.path.join(here, "speedup_programs.py")
tool = os.path.join(build, "bin", "seamscope")


def trimmed(times):
    """The mean without a tenth at each end, as in the report."""
    times = sorted(times)
    cut = len(times) // 10
    return statistics.mean(times[cut:len(times) - cut])


def plain(python, name, mode):
    times = json.loads(run(["timeout", "300", python, program, name, mode]))
    # This program has two kinds of steps, each with its own mean.
    return (trimmed(times[::2]) + trimmed(times[1::2])) / 2 if name == "sizes" else trimmed(times)


def shown(python, name, folder):
    """The interval, or None if the report says that the runs cannot be compared."""
    out = os.path.join(folder, "speedup")
    run(["timeout", "900", tool, "run", "--baseline", "eager", "-o", out, "--", python, program, name])
    speedup = (json.loads(run([tool, "report", "--json", out]))["unrecorded"] or {}).get("speedup")
    shutil.rmtree(out)
    ratio = speedup and speedup["ratio"]
    return ratio and (ratio["low"], ratio["high"])


def measure_condition(condition, folder, count, python):
    held, all_of, details = 0, 0, []
    for name in PROGRAMS:
        sides, intervals = {"eager": [], "compiled": []}, []
        for _ in range(count):
            for mode, times in sides.items():
                times.append(plain(python, name, mode))
            intervals.append(shown(python, name, folder))
            for mode, times in sides.items():
                times.append(plain(python, name, mode))
        truth = statistics.mean(sides["eager"]) / statistics.mean(sides["compiled"])
        scatter = max(max(times) / min(times) for times in sides.values())
        good = sum(bool(each and each[0] <= truth <= each[1]) for each in intervals)
        held, all_of = held + good, all_of + count
        details.append(f"{name} {good} of {count} ({truth:.2f}x; plain processes differ {scatter:.1f} times)")
    bar(f"intervals that contain the true speedup, {condition}", held / all_of, 0.9, "share",
        "; ".join(details), least=True)


def measure_speedups(folder, count):
    python = find_python()
    if not python:
        fail("no Python here has torch (SEAMSCOPE_PYTHON names one)")
    measure_condition("quiet", folder, count, python)
    processor = str(max(os.sched_getaffinity(0)))
    loop = subprocess.Popen(["taskset", "-c", processor, sys.executable, "-c", "while True: pass"])
    try:
        measure_condition("with a busy loop on one processor", folder, count, python)
    finally:
        loop.kill()
