"""Functions of all measurements: run programs, count what they recorded, collect rows."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import subprocess
import sys
import threading
import time

here = os.path.dirname(os.path.realpath(__file__))
root = os.path.dirname(os.path.dirname(here))
build = os.path.join(root, "build")
plugin = os.path.join(build, "lib", "SeamscopePass-22.so")
runtime = os.path.join(build, "lib", "libseamscope.so")
compiler = "clang++-22"
link = [f"-L{build}/lib", "-lseamscope", f"-Wl,-rpath,{build}/lib"]
clean = {key: value for key, value in os.environ.items()
         if not key.startswith(("SEAMSCOPE", "XRAY_", "UFTRACE_", "OMP_", "KMP_"))}
rows = []


def fail(text):
    sys.exit(f"run: {text}")


def bar(name, value, limit, unit, detail="", least=False):
    """Adds a row to the result. `limit` is the largest wanted value, or with `least` the smallest."""
    met = value >= limit if least else value <= limit
    rows.append({"name": name, "value": round(value, 4), "bar": limit, "least": least,
                 "unit": unit, "met": met, "detail": detail})


def run(command, **environment):
    """Returns standard output. If the command fails, the benchmark ends with the end of its stderr."""
    try:
        done = subprocess.run(command, env={**clean, **environment}, capture_output=True, text=True)
    except OSError as error:
        fail(f"{command[0]}: {error.strerror}")
    if done.returncode:
        fail(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr.strip()[-500:]}")
    if "SEAMSCOPE" in environment and done.stderr:
        fail(f"{command[0]}: {done.stderr.strip()[-500:]}")
    return done.stdout


def seconds(command):
    begin = time.perf_counter()
    run(command)
    return time.perf_counter() - begin


def count_events(path, found):
    """Reads a trace from a pipe while it is written: it is too large for a disk that is in use."""
    key, rest = b'"ph":"X"', b""
    with open(path, "rb") as file:
        head = file.read(1 << 16)
        found["none lost"] = b'"lost_events":0,' in head
        block = head
        while block:
            block = rest + block
            found["events"] = found.get("events", 0) + block.count(key)
            rest = block[-(len(key) - 1):]
            block = file.read(1 << 22)


def traced(command, folder, events_a_call=1, **environment):
    """Runs a program in mode trace with every call timed. Returns its output. Fails if a call is missing."""
    pipe = os.path.join(folder, "trace")
    os.mkfifo(pipe)
    found = {}
    # Waits in open() until the program, at its end, writes the trace.
    reader = threading.Thread(target=count_events, args=(pipe, found))
    reader.start()
    try:
        result = json.loads(run(command, SEAMSCOPE="trace", SEAMSCOPE_OUT=pipe, SEAMSCOPE_OUT_LIMIT="16G",
                                SEAMSCOPE_THROTTLE="off", **environment))
    finally:
        try:
            # Ends the reader if nothing was written.
            os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            pass
        reader.join()
        os.remove(pipe)
    wanted = result["calls"] * events_a_call
    if found.get("events") != wanted or not found["none lost"]:
        fail(f"{command[0]}: {found.get('events', 0)} of {wanted} calls are in the trace")
    return result


def throttled(command, folder, every):
    """The same with hot sites throttled: one call in `every` is timed."""
    path = os.path.join(folder, "throttled.json")
    result = json.loads(run(command, SEAMSCOPE="trace", SEAMSCOPE_OUT=path, SEAMSCOPE_THROTTLE=str(every)))
    with open(path, encoding="utf-8") as file:
        trace = json.load(file)
    calls = sum(event["ph"] == "X" for event in trace["traceEvents"]) + sum(
        entry["untimed"] for entry in trace["seamscope"].get("throttled", []))
    if calls != result["calls"]:
        fail(f"{command[0]}: {calls} of {result['calls']} calls were counted")
    return result


def profiled(command, folder):
    """The same in mode profile."""
    path = os.path.join(folder, "profile.json")
    result = json.loads(run(command, SEAMSCOPE="profile", SEAMSCOPE_OUT=path, SEAMSCOPE_THROTTLE="off"))
    with open(path, encoding="utf-8") as file:
        calls = sum(entry["calls"] for entry in json.load(file)["seamscope"]["profile"])
    if calls != result["calls"]:
        fail(f"{command[0]}: {calls} of {result['calls']} calls are in the profile")
    return result


class LoadGate:
    """Waits, within a budget, until other programs leave the processors idle."""

    def __init__(self, budget):
        self.left, self.asked, self.busy = budget, 0, 0

    @staticmethod
    def load(interval):
        def ticks():
            with open("/proc/stat", encoding="ascii") as file:
                fields = [int(field) for field in file.readline().split()[1:9]]
            return sum(fields), fields[3] + fields[4]

        begin = ticks()
        time.sleep(interval)
        end = ticks()
        return 1 - (end[1] - begin[1]) / max(1, end[0] - begin[0])

    def wait(self):
        interval = 0.25
        self.asked += 1
        while self.load(interval) > 0.05:
            self.left -= interval
            if self.left <= 0:
                self.busy += 1
                return
