"""Checks where the samples of each phase of a program lie.

usage: check-libraries.py PHASES TRACE
PHASES: "path begin end" of each phase, CLOCK_MONOTONIC
"""

import os
import sys

import samples

(entry,) = samples.read(sys.argv[2])
assert entry.state == "on", entry.entry
names = []
for line in open(sys.argv[1]):
    name, begin, end = line.split()
    paths = [entry.module_of(ns, address) for _, ns, address in entry.samples if int(begin) <= ns <= int(end)]
    wanted = [path for path in paths if path and (path == name or os.path.basename(path) == name)]
    # The vDSO reads the clock now and then.
    assert len(wanted) > 20 and len(wanted) > 0.9 * len(paths), (name, paths)
    names.append(name)
ids = {os.path.basename(module["path"]): module.get("build_id") for module in entry.modules}
assert len(ids["libc.so.6"]) == 40, ids
print(f"{' '.join(names)}: right")
