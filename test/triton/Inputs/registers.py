"""registers.py CUOBJDUMP PLAIN_FOLDER TIMED_FOLDER: registers and stack of kernels, without and with stamps."""

import os
import re
import subprocess
import sys

MOST = 12
cuobjdump, *folders = sys.argv[1:]


def used(path):
    said = subprocess.run([cuobjdump, "--dump-resource-usage", path], check=True, timeout=60,
                          capture_output=True, text=True).stdout
    return tuple(int(re.search(rf"\b{what}:(\d+)", said)[1]) for what in ("REG", "STACK", "LOCAL"))


names = sorted(name for name in os.listdir(folders[0]) if name.endswith(".cubin"))
assert names and names == sorted(name for name in os.listdir(folders[1]) if name.endswith(".cubin"))
worst = 0
for name in names:
    plain, timed = (used(os.path.join(folder, name)) for folder in folders)
    print(f"{name[:-6]} {plain[0]} to {timed[0]}, stack {plain[1]} to {timed[1]}")
    # Spilled registers lie in the stack.
    assert timed[1:] <= plain[1:], name
    worst = max(worst, timed[0] - plain[0])
assert worst <= MOST, worst
print(f"{len(names)} kernels take at most {worst} registers more, and spill no more")
