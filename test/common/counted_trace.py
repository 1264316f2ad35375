# counted_trace.py - a trace of kernels that counted their work, and the roofs of its machine.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os

RATES = {"L1": 400e9, "L2": 100e9, "DRAM": 10e9}
PEAKS = {"f32": 200e9, "f64": 100e9}
# name: words for calls, f32.add, f64.mul, read and streamed, read and scattered, distinct bytes of an array
KERNELS = {
    "stream": [1, 2 * 10**9, 0, 8 * 10**9, 0, 0],
    "reuse": [1, 0, 60 * 10**9, 0, 0, 10**6],
    "gather": [1, 10**9, 0, 0, 10**9, 0],
    "copy": [1, 0, 0, 8 * 10**9, 0, 0],
}
CLASSES = [{"word": word, "lines": [[-1, 0, counts]]} for word, counts in enumerate(
    [{"f32.add": 1}, {"f64.mul": 1, "read": 5}, {"read": 1, "streamed_read": 1}, {"read": 1, "scattered_read": 1}], 1)]


def write_trace(folder, kernels=KERNELS, args=None, more=(), file="k.json"):
    """Calls of a second each. args: more arguments of a kernel's call, by its name."""
    counts = json.dumps({"classes": CLASSES, "arrays": [{"line": 1, "word": 5}], "files": []})
    head = {"format": 1, "version": "0.1.0", "mode": "trace", "work": [
        {"function": name, "kernel": name, "calls": 1, "words": words, "counts": counts}
        for name, words in kernels.items()]}
    path = os.path.join(folder, file)
    with open(path, "w", encoding="utf-8") as stream:
        json.dump({"seamscope": head, "traceEvents": [
            {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 2e6 * at, "dur": 1e6,
             "args": {"kernel": name, **(args or {}).get(name, {})}} for at, name in enumerate(kernels)] + list(more)},
            stream)
    return path


def write_machine(folder):
    memory = [{"level": level, "threads": 1, "bytes": 1000 * 10**at, "spread_percent": 0,
               "capacity_bytes": None if level == "DRAM" else 20000 * 100**at,
               **{f"{kind}_bytes_per_s": rate for kind in ("read", "write", "copy", "triad")}}
              for at, (level, rate) in enumerate(RATES.items())]
    compute = [{"type": kind, "bits": 256, "fma": True, "threads": 1, "flop_per_s": peak, "spread_percent": 0}
               for kind, peak in PEAKS.items()]
    path = os.path.join(folder, "machine.json")
    with open(path, "w", encoding="utf-8") as stream:
        json.dump({"schema": "seamscope.machine/1", "cpu": "Test", "processors": 1, "affinity": "0",
                   "key": "0123456789abcdef", "compiler": "c", "measured_ns": 1, "quick": False, "busy": False,
                   "warnings": [], "memory": memory, "compute": compute, "math": []}, stream)
    return path
