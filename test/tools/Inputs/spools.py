"""Spools that are left, and what `seamscope spools` and `seamscope recover` make of them.

usage: spools.py SEAMSCOPE PROGRAM FOLDER

PROGRAM records five calls and kills itself, or, with two arguments, waits to be killed.
"""

import json
import os
import subprocess
import sys
import time

tool, program, folder = sys.argv[1:]
environment = dict(os.environ, SEAMSCOPE_SPOOL_DIR=folder)
recording = dict(environment, SEAMSCOPE="trace", SEAMSCOPE_OUT="never.json")


def run(*words):
    return subprocess.run([tool, *words], env=environment, capture_output=True, text=True)


def killed(name):
    """The process id of a program that was killed."""
    child = subprocess.Popen([program, name], env=recording)
    assert child.wait() == -9
    return str(child.pid)


def paths():
    return sorted(os.listdir(folder))


def listed():
    got = run("spools", "--json")
    assert got.returncode == 0, got.stderr
    return {str(row["pid"]): row for row in json.loads(got.stdout)["spools"]}


# None.
got = run("spools")
assert got.returncode == 0 and "no spools of this user in " + folder in got.stdout, got
got = run("recover", "-o", "none.json")
assert got.returncode == 1 and "no abandoned spool of this user" in got.stderr, got

# One: it is clear which is meant, and it is removed once the trace exists.
one = killed("one")
got = run("recover", "-o", "one.json")
assert got.returncode == 0 and f"of process {one}; the spool was removed" in got.stderr, got.stderr
assert not paths()
assert sum(event["ph"] == "X" for event in json.load(open("one.json"))["traceEvents"]) == 5

# To a place where nobody can check that it arrived: the spool stays, as it does on request.
one = killed("one")
got = run("recover", "-o", "-")
assert got.returncode == 0 and json.loads(got.stdout)["traceEvents"] and len(paths()) == 1, got
got = run("recover", "--keep", "-o", "one.json")
assert got.returncode == 0 and "the spool stays" in got.stderr and len(paths()) == 1, got
# Nor is it removed if the trace cannot be written.
got = run("recover", "-o", "no-such-folder/one.json")
assert got.returncode == 1 and len(paths()) == 1, got
got = run("recover", "-o", "/dev/full")
assert got.returncode == 1 and len(paths()) == 1, got

# Two: neither is taken.
two = killed("two")
got = run("recover", "-o", "some.json")
assert got.returncode == 2 and "there are 2 abandoned spools" in got.stderr, got
assert f"{program} one" in got.stderr and f"{program} two" in got.stderr and two in got.stderr, got
assert len(paths()) == 2 and not os.path.exists("some.json")

# A running process, another user's file, and something that is not a spool.
child = subprocess.Popen([program, "three", "waits"], env=recording)
deadline = time.monotonic() + 60
while listed().get(str(child.pid), {}).get("state") != "running":
    assert time.monotonic() < deadline
    time.sleep(0.01)
prefix = os.path.join(folder, f"seamscope-{os.getuid()}-")
secret = os.path.join(folder, "secret")
open(secret, "w").write("not yours")
os.symlink(secret, prefix + "1-1.spool")
os.mkfifo(prefix + "2-1.spool")
open(prefix + "3-1.spool", "wb").close()
os.mkdir(prefix + "4-1.spool")
rows = listed()
by_pid = {pid: (row["state"], row["program"], row["open"]) for pid, row in rows.items()}
assert by_pid == {
    one: ("killed", f"{program} one", 0),
    two: ("killed", f"{program} two", 0),
    str(child.pid): ("running", f"{program} three waits", 0),
    "None": ("unreadable", None, None),
}, by_pid
assert all(row["bytes"] > 0 for pid, row in rows.items() if pid != "None")
# Absurd numbers and control characters in a header do no harm.
source = next(row["path"] for pid, row in rows.items() if pid == one)
hostile = bytearray(open(source, "rb").read())
at = hostile.find(f"{program} one".encode())
hostile[at:at + 4] = b"\x1b[2J"
open(prefix + "5-1.spool", "wb").write(hostile)
for cut in (100, 4096, 5000):
    open(prefix + f"{cut}-2.spool", "wb").write(hostile[:cut])
text = run("spools")
assert text.returncode == 0 and "\x1b" not in text.stdout and "killed" in text.stdout, text
for name in ("5-1", "100-2", "4096-2", "5000-2"):
    os.remove(f"{prefix}{name}.spool")

got = run("spools", "--remove", str(child.pid))
assert got.returncode == 1 and "still records into it" in got.stderr, got
got = run("spools", "--remove", prefix + "1-1.spool")
assert got.returncode == 1 and os.path.exists(secret), got
got = run("spools", "--remove", "4294967295")
assert got.returncode == 1 and "no spool of process 4294967295" in got.stderr, got
got = run("spools", "--remove", two)
assert got.returncode == 0 and f"{program} two" in got.stdout, got
assert two not in listed() and one in listed()
got = run("spools", "--remove")
assert got.returncode == 0 and f"{program} one" in got.stdout, got
assert set(listed()) == {str(child.pid)}, listed()
assert {"secret"} < set(paths()) and open(secret).read() == "not yours"
assert os.path.lexists(prefix + "1-1.spool") and os.path.exists(prefix + "2-1.spool")
child.kill()
child.wait()
assert listed()[str(child.pid)]["state"] == "killed"
