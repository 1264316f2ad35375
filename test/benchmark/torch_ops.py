"""What the bridge to torch adds to an operator, compared with torch.profiler."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import shutil
import statistics
import subprocess

from measure import bar, build, fail, here, root, run

OPERATORS = ("add", "mm", "view", "cat", "sum")


def find_python():
    """A Python that has torch, or None."""
    venv = os.path.join(root, ".venv", "bin", "python")
    for python in (os.environ.get("SEAMSCOPE_PYTHON"), venv, shutil.which("python3")):
        if python and subprocess.run([python, "-c", "import torch"], capture_output=True,
                                     check=False).returncode == 0:
            return python
    return None


def measure_operators(folder, count, quiet):
    python = find_python()
    if not python:
        print("torch: not measured: no Python here has torch (SEAMSCOPE_PYTHON names one)")
        return
    loop = os.path.join(here, "op_loop.py")
    trace = os.path.join(folder, "operators.json")
    environment = {"SEAMSCOPE": "trace", "SEAMSCOPE_OUT": trace, "SEAMSCOPE_TORCH": "on",
                   "KINETO_LOG_LEVEL": "99",  # else each start of the profiler prints a line to stderr
                   "PYTHONPATH": f"{build}/lib/seamscope/python"}
    # The first run compiles the bridge, and says so.
    subprocess.run([python, "-c", "import torch"], env={**os.environ, **environment},
                   capture_output=True, check=True)
    for name in OPERATORS:
        found = []
        for _ in range(count):
            quiet.wait()
            found.append(json.loads(run([python, loop, name], **environment)))
            with open(trace, encoding="utf-8") as file:
                if f'"name":"aten::{name}"' not in file.read():
                    fail(f"aten::{name} is not in the trace")
        plain, bridge, profiler = (statistics.median(each[side] for each in found)
                                   for side in ("plain", "bridge", "profiler"))
        bar(f"aten::{name}, bridge over torch.profiler",
            statistics.median(each["bridge"] / each["profiler"] for each in found), 0.5, "ratio",
            f"to {plain:.0f} ns it adds {bridge:.0f} ns, torch.profiler with shapes {profiler:.0f} ns")
