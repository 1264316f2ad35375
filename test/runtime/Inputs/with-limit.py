"""Runs a program with a file size limit, or with an output reader that ends early.

with-limit.py BYTES PROGRAM    files may grow to BYTES
with-limit.py PIPE PROGRAM     only 100 bytes are read from the named pipe
"""

import os
import resource
import signal
import subprocess
import sys

what, program = sys.argv[1], sys.argv[2]
if what.isdigit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(what), int(what)))
else:
    subprocess.Popen(["head", "-c", "100", what], stdout=subprocess.DEVNULL)
# Python ignores these signals; the program must have the defaults, as in a shell.
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
os.execv(program, [program])
