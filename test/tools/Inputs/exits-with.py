"""exits-with.py CODE COMMAND...: succeeds when the command ends with this exit code."""

import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
if code != int(sys.argv[1]):
    sys.exit(f"exit code {code}, not {sys.argv[1]}")
