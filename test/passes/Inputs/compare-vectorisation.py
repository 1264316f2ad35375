"""Compares the vectoriser's remarks of a file with and without the pass plugin.

usage: compare-vectorisation.py FILE -- COMPILER -fpass-plugin=PLUGIN OPTIONS...
"""

import re
import subprocess
import sys


def vectorised(source, command):
    """Each vectorised loop's place with its width and interleave count, sorted."""
    run = subprocess.run(
        command
        + ["-gline-tables-only", "-Rpass=loop-vectorize", "-S", "-o", "/dev/null", source],
        capture_output=True,
        text=True,
    )
    if run.returncode:
        sys.exit(run.stderr)
    pattern = r":(\d+):(\d+): remark: vectorized loop \((.*?)\)"
    # A function may be inlined without the plugin but kept with it, so each place counts once.
    return sorted(set(re.findall(pattern, run.stderr)))


source, separator, *command = sys.argv[1:]
assert separator == "--"
instrumented = vectorised(source, command)
plain = vectorised(source, [word for word in command if not word.startswith("-fpass-plugin=")])
if plain != instrumented:
    for loop in sorted(set(plain) - set(instrumented)):
        print("only without the plugin:", *loop)
    for loop in sorted(set(instrumented) - set(plain)):
        print("only with the plugin:", *loop)
    sys.exit(1)
print(len(plain), "loops vectorised, the same with and without the plugin")
