"""Runs lives.cpp again and again with recording and samples, kills processes of it at random, and compares the calls
that each trace or recovered spool has with those that the process counted.

usage: lives.py SEAMSCOPE PROGRAM SECONDS [SEED]
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import json
import mmap
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

TIME_LIMIT = 120  # of one program with all its processes, on a busy machine
SIZE = 8 + 16 * 4096


def slots(shared):
    """(pid, calls) of the processes that the file knows."""
    count = min(struct.unpack_from("I", shared, 0)[0], 4096)
    return [slot for slot in struct.iter_unpack("qq", shared[8:8 + 16 * count]) if slot[0]]


def crashes(shared):
    return struct.unpack_from("I", shared, 4)[0]


def calls_in(path):
    """The number of calls of the kernel in a trace, and whether it has samples."""
    with open(path, encoding="utf-8") as file:
        trace = json.load(file)
    return (sum(event.get("ph") == "X" and event["name"] == "kernel" for event in trace["traceEvents"]),
            [entry["state"] for entry in trace.get("seamscope_samples", [])])


def run_once(tool, program, seed, totals):
    chance = random.Random(seed)
    folder = tempfile.mkdtemp(prefix="seamscope-lives-")
    shared_path = os.path.join(folder, "shared")
    with open(shared_path, "w+b") as file:
        file.truncate(SIZE)
        shared = mmap.mmap(file.fileno(), SIZE)
    environment = dict(os.environ, SEAMSCOPE="trace", SEAMSCOPE_THROTTLE="off", SEAMSCOPE_OUT=f"{folder}/t.%p.json",
                       SEAMSCOPE_SPOOL_DIR=folder)
    child = subprocess.Popen([program, str(seed), shared_path], env=environment, start_new_session=True)
    killed = set()
    begin = time.monotonic()

    def alive():
        """Living processes of the session."""
        found = []
        for stat in glob.glob("/proc/[0-9]*/stat"):
            try:
                with open(stat, encoding="utf-8", errors="replace") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] != "Z" and int(fields[3]) == child.pid:
                found.append(int(stat.split("/")[2]))
        return found

    while living := alive():
        child.poll()
        if time.monotonic() - begin > TIME_LIMIT:
            raise AssertionError(f"seed {seed}: {living} hang; files in {folder}")
        if chance.random() < 0.02:
            victim = chance.choice(living)
            try:
                os.kill(victim, signal.SIGKILL)
                killed.add(victim)
            except ProcessLookupError:
                pass
        time.sleep(chance.random() * 0.05)
    assert child.wait() in (0, -signal.SIGKILL) and not crashes(shared), f"seed {seed}: crashed; files in {folder}"
    counted = {}
    for pid, calls in slots(shared):
        counted[pid] = counted.get(pid, 0) + calls  # a program that another replaces has two
    for pid, calls in counted.items():
        path = f"{folder}/t.{pid}.json"
        if not os.path.exists(path):
            # Killed, or ended by _exit, which writes no trace.
            if not calls:
                continue
            recover = subprocess.run([tool, "recover", str(pid), "-o", path], env=environment, capture_output=True,
                                     text=True, timeout=TIME_LIMIT, check=False)
            assert recover.returncode == 0, f"seed {seed}: {recover.stderr}; files in {folder}"
        found, states = calls_in(path)
        # A thread that is killed may have made a call that it has not counted.
        most = calls + (64 if pid in killed else 0)
        assert calls <= found <= most, f"seed {seed}: {pid} made {calls} calls, its trace has {found}; {folder}"
        totals["processes"] += 1
        totals["killed"] += pid in killed
        totals["calls"] += found
        totals["with samples"] += "on" in states
    shutil.rmtree(folder)


def main():
    tool, program, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    totals = dict.fromkeys(("runs", "processes", "killed", "calls", "with samples"), 0)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        run_once(tool, program, seed, totals)
        totals["runs"] += 1
        seed += 1
    print(", ".join(f"{count} {name}" for name, count in totals.items()))


if __name__ == "__main__":
    main()
