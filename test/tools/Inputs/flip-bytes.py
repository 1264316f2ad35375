"""flip-bytes.py FILE TOOL: reads copies of FILE with one byte changed each. The tool may read a copy, or refuse it with
a line on stderr and exit code 1.

The tool may read one, or refuse it with a line on stderr and exit code 1.
"""

import subprocess
import sys

source, tool = sys.argv[1:]
good = open(source, "rb").read()
refused = 0
# The header and the first pages, which say where all else is, and some of the rest.
for at in [*range(16, 112), *range(112, len(good), 997)]:
    broken = bytearray(good)
    broken[at] ^= 0xFF
    with open("flipped.sqlite", "wb") as file:
        file.write(broken)
    run = subprocess.run([tool, "report", "--json", "flipped.sqlite"], capture_output=True, timeout=60)
    assert run.returncode in (0, 1), (at, run.returncode, run.stderr)
    assert run.stderr.count(b"\n") <= 1, (at, run.stderr)
    if run.returncode:
        assert run.stderr.startswith(b"seamscope: flipped.sqlite: "), (at, run.stderr)
        refused += 1
assert refused > 10, refused
