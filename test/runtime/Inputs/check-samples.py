"""Checks that the samples of a trace lie in PROGRAM, nearly all, and that the rate is about right.

usage: check-samples.py TRACE PROGRAM
"""

import os
import sys

import samples

(entry,) = samples.read(sys.argv[1])
program = os.path.basename(sys.argv[2])
assert entry.state == "on", entry.entry
paths = [entry.module_of(ns, address) for _, ns, address in entry.samples]
inside = sum(path is not None and os.path.basename(path) == program for path in paths)
assert inside > len(paths) / 2, paths
assert None not in paths, "a sample lies in memory that is not known"
ids = {module["path"]: module.get("build_id") for module in entry.modules}
assert any(ids[path] for path in ids), ids
print(f"samples in {program}: right")
