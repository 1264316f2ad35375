"""Checks the report of a call during which the program is killed.

usage: open-until-killed.py SEAMSCOPE PROGRAM FOLDER

PROGRAM hangs in the kernel `hangs`: for the given seconds, before it kills itself, or with 0 for
good.
"""

import json
import os
import subprocess
import sys
import time

tool, program, folder = sys.argv[1:]
spools = os.path.join(folder, "spools")
environment = dict(os.environ, SEAMSCOPE_SPOOL_DIR=spools)
SECOND = 1_000_000_000


def told(trace):
    """The row of `hangs` in a report, the report's trace object, and its text."""
    report = [tool, "report", trace]
    rows = json.loads(subprocess.check_output(report + ["--json"], env=environment))
    text = subprocess.check_output(report, env=environment, text=True)
    hangs = [row for row in rows["kernels"] if row["name"].startswith("hangs")]
    returns = [row for row in rows["kernels"] if row["name"].startswith("returns")]
    assert len(hangs) == 1 and len(returns) == 1, rows["kernels"]
    assert returns[0]["calls"] == 3 and returns[0]["open"] == 0, returns
    assert hangs[0]["calls"] == 1 and hangs[0]["open"] == 1, hangs
    assert "1 call was open at the end" in text, text
    waiting = (rows["blocked_ns"] or 0) + (rows["preempted_ns"] or 0)
    assert sum(row["self_ns"] for row in rows["kernels"]) + rows["unattributed_ns"] + waiting == rows["window_ns"]
    stopped = (hangs[0]["blocked_ns"] or 0) + (hangs[0]["preempted_ns"] or 0)
    assert rows["window_ns"] >= hangs[0]["total_ns"] == hangs[0]["self_ns"] + stopped, rows
    return hangs[0]["total_ns"], rows["trace"], text


def run(*words, **options):
    return subprocess.run(words, env=environment, capture_output=True, text=True, **options)


def start(trace):
    """Starts a program that hangs for good; returns it and the time from which it hangs."""
    child = subprocess.Popen(
        [program, "0"], stdout=subprocess.PIPE, text=True,
        env=dict(environment, SEAMSCOPE="trace", SEAMSCOPE_OUT=trace),
    )
    assert child.stdout.readline() == "hanging\n"
    return child, time.monotonic_ns()


def only_spool():
    names = os.listdir(spools)
    assert len(names) == 1, names
    return os.path.join(spools, names[0])


# While the program runs, the call lasts until now.
before = time.monotonic_ns()
child, hung = start(os.path.join(folder, "never.json"))
time.sleep(0.2)
live = os.path.join(folder, "live.json")
reading = time.monotonic_ns()
got = run(tool, "recover", str(child.pid), "--live", "-o", live)
assert got.returncode == 0 and "its process still runs" in got.stderr, got.stderr
length, info, text = told(live)
assert reading - hung <= length <= time.monotonic_ns() - before, (length, reading - hung)
assert info["recording_end"] == "running" and not info["recovered"], info
assert "was killed or aborted" not in text and "still running" in text, text
# A report of its spool says the same.
length, info, _ = told(only_spool())
assert info["recording_end"] == "running" and length >= reading - hung, (info, length)

# Killed a second later: the call lasts until shortly before the kill, and not longer.
time.sleep(1)
nearly = time.monotonic_ns()
child.kill()
child.wait()
after = time.monotonic_ns()
killed = os.path.join(folder, "killed.json")
got = run(tool, "recover", str(child.pid), "-o", killed)
assert got.returncode == 0 and "the spool was removed" in got.stderr, got.stderr
length, info, text = told(killed)
assert (nearly - hung) / 2 <= length <= after - before, (length, nearly - hung)
assert info["recording_end"] == "last sign of life" and info["recovered"], info
assert "was killed or aborted" in text and "last sign of life" in text, text
events = json.load(open(killed))["traceEvents"]
begins = [event for event in events if event["ph"] == "B"]
assert len(begins) == 1 and begins[0]["args"]["open"] is True, begins
assert begins[0]["args"]["open_ns"] == length
# A mark makes viewers draw the call that long.
marks = [event for event in events if event["ph"] == "i"]
assert len(marks) == 1 and marks[0]["name"] == "end of recording: last sign of life", marks
assert abs((marks[0]["ts"] - begins[0]["ts"]) * 1000 - length) < 2, (marks, begins)

# `run` sees the end of its program, and does not use other spools.
for name in ("run.json", "run"):
    out = os.path.join(folder, name)
    before = time.monotonic_ns()
    got = run(tool, "run", "-o", out, "--", program, "0.4")
    after = time.monotonic_ns()
    assert got.returncode == 128 + 9, got
    assert "was killed, or aborted, at" in got.stderr and "recovered from its spool" in got.stderr, got.stderr
    length, info, text = told(out)
    assert 0.4 * SECOND <= length <= after - before, length
    assert info["recording_end"] == "killed" and info["recovered"], info
    assert "last sign of life" not in text, text
    assert not os.listdir(spools)

# For children of the program only the last sign of life is known.
got = run(tool, "run", "-o", os.path.join(folder, "child.json"), "--", "sh", "-c", f"'{program}' 1; true")
assert got.returncode == 0 and "1 of the program's processes was killed, or aborted" in got.stderr, got.stderr
length, info, _ = told(os.path.join(folder, "child.json"))
assert 0.5 * SECOND <= length and info["recording_end"] == "last sign of life", (length, info)
