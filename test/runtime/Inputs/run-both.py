"""Runs a program without and with Seamscope; its exit status and output must be the same.

run-both.py OUT.json [NAME=VALUE...] [stderr=N] -- PROGRAM ARGUMENT...

NAME=VALUE is set for the second run. stderr=N allows that run N more lines on stderr than
the first, each from Seamscope; the default is none.
"""

import os
import subprocess
import sys

split = sys.argv.index("--")
out, settings, command = sys.argv[1], sys.argv[2:split], sys.argv[split + 1 :]
plain = {k: v for k, v in os.environ.items() if not k.startswith("SEAMSCOPE")}
traced = dict(plain, SEAMSCOPE="trace", SEAMSCOPE_OUT=out)
traced["SEAMSCOPE_SPOOL_DIR"] = os.environ["SEAMSCOPE_SPOOL_DIR"]
more_lines = 0
for setting in settings:
    name, value = setting.split("=", 1)
    if name == "stderr":
        more_lines = int(value)
    else:
        traced[name] = value

first = subprocess.run(command, env=plain, capture_output=True, timeout=120)
second = subprocess.run(command, env=traced, capture_output=True, timeout=120)
for what in ("returncode", "stdout"):
    a, b = getattr(first, what), getattr(second, what)
    if a != b:
        sys.exit(f"{what}: {a!r} without Seamscope, {b!r} with it; stderr {second.stderr!r}")
lines = second.stderr.decode().splitlines()
for line in first.stderr.decode().splitlines():
    lines.remove(line)
if len(lines) != more_lines or not all(line.startswith("seamscope: ") for line in lines):
    sys.exit(f"stderr: {more_lines} lines of Seamscope's expected, these came: {lines}")
for line in lines:
    print(line)
print("exit code", first.returncode)
