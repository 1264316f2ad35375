"""peak-memory.py MEGABYTES COMMAND...: runs the command, and exits as it does; with exit code 100 if its resident set
was ever larger than that.

With exit code 100 when its resident set was larger than that at any time.
"""

import resource
import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
if peak > int(sys.argv[1]):
    print(f"{peak} MB were in use, more than {sys.argv[1]}", file=sys.stderr)
    sys.exit(100)
sys.exit(code)
