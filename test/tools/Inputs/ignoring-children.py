"""Becomes a command that is started with SIGCHLD ignored, as some supervisors start theirs: ignoring-children.py COMMAND...

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import signal
import sys

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execvp(sys.argv[1], sys.argv[1:])
