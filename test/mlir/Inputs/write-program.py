"""Prints a module of programs.py: write-program.py NAME static|dynamic."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
import programs

sys.stdout.write(getattr(programs, sys.argv[1])(sys.argv[2] == "dynamic").text)
