"""Runs a program with its spool on a tmpfs of 2 MiB.

usage: on-small-tmpfs.py FOLDER PROGRAM TRACE
"""

import json
import os
import subprocess
import sys

folder, program, trace = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], check=True)
try:
    environment = dict(
        os.environ, SEAMSCOPE="trace", SEAMSCOPE_SPOOL_DIR=folder, SEAMSCOPE_OUT=trace,
        SEAMSCOPE_THROTTLE="off",
    )
    run = subprocess.run([program], env=environment, capture_output=True, text=True)
    print("exit", run.returncode)
    print(run.stderr)
    data = json.load(open(trace))
    recorded = sum(event["ph"] == "X" for event in data["traceEvents"])
    lost = data["seamscope"]["lost_events"]
    assert recorded and lost and recorded + lost == 300000, (recorded, lost)
    print("all calls are recorded or lost")
finally:
    subprocess.run(["umount", folder], check=True)
