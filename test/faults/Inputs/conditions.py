"""Runs a program with and without recording, on full and read-only file systems and within limits, and compares
its output and exit status. Prints a line for each condition.

usage: conditions.py FOLDER [--run SEAMSCOPE] [--space KB] [--only TEXT] -- COMMAND...

The variable CACHE names an existing folder of caches. With --run the program runs under `seamscope run`, else with
the environment as it is. Needs root to mount the file systems in a name space of this process. If control groups
cannot be created, a line says so and counts as a condition.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import ctypes
import os
import pathlib
import resource
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--run")
parser.add_argument("--space", type=int, default=400 << 10)
parser.add_argument("--only", default="")
parser.add_argument("--groups", type=int, nargs="*", default=[], help="MB")
parser.add_argument("command", nargs="+")
options = parser.parse_args()
folder = options.folder.resolve()
LIMIT = 300


def own_mounts():
    """Only this process and its children see the mounts, which end with them."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(0x20000):  # CLONE_NEWNS
        raise OSError(ctypes.get_errno(), "unshare")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True, timeout=60)


def mount(place, *settings):
    pathlib.Path(place).mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(settings), "tmpfs", place], check=True, timeout=60)


def fill(place):
    mount(place, "size=1m")
    with open(os.path.join(place, "others"), "wb") as file:
        file.write(bytes((1 << 20) - (64 << 10)))


def places():
    """Folders that the program and the recorder write to, on intact file systems. Caches stay."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    at = {name: folder / name for name in ("cwd", "tmp", "cache", "out")}
    if "CACHE" in os.environ:
        at["cache"] = pathlib.Path(os.environ["CACHE"])
    for place in at.values():
        place.mkdir(parents=True, exist_ok=True)
    return at


def group_of(megabytes):
    """Creates a control group with a memory limit; None where that is not possible."""
    for top, limit in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
        group = pathlib.Path(top, f"seamscope-{os.getpid()}")
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            if (group / limit).exists():
                (group / limit).write_text(str(megabytes << 20))
                return group
        except OSError:
            pass
        group.rmdir()
    return None


#: Name, what to mount and where, and limits; "group" is the memory of a control group in MB.
CONDITIONS = [("nothing wrong", None, {})]
for where in ("out", "cwd", "tmp", "cache", "shm"):
    CONDITIONS += [(f"{where} is full", (fill, where), {}),
                   (f"{where} is read-only", (lambda place: mount(place, "ro"), where), {})]
for number, value in ((resource.RLIMIT_FSIZE, (0, 4096, 1 << 20, 8 << 20)), (resource.RLIMIT_NOFILE, (4, 5, 6, 8, 12, 24)),
                      (resource.RLIMIT_AS, (options.space << 10, 2 * options.space << 10)),
                      (resource.RLIMIT_NPROC, (0,)), (resource.RLIMIT_MEMLOCK, (0,)),
                      (resource.RLIMIT_STACK, (1 << 20,)), (resource.RLIMIT_DATA, (options.space << 10,))):
    name = next(each for each in dir(resource) if each.startswith("RLIMIT_") and getattr(resource, each) == number)
    CONDITIONS += [(f"{name} {each}", None, {number: each}) for each in value]
CONDITIONS += [(f"group of {each} MB", None, {"group": each}) for each in options.groups]


def run(command, at, limits, shm, **more):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("SEAMSCOPE")}
    environment |= dict(more, TMPDIR=str(at["tmp"]), XDG_CACHE_HOME=str(at["cache"]))

    limits = dict(limits)
    megabytes = limits.pop("group", None)
    group = group_of(megabytes) if megabytes else None

    def prepare():
        if shm:
            shm("/dev/shm")
        if group:
            (group / "cgroup.procs").write_text("0")
        for number, value in limits.items():
            resource.setrlimit(number, (value, value))

    try:
        ended = subprocess.run(["unshare", "-m", *command] if shm else command, cwd=at["cwd"], env=environment,
                               preexec_fn=prepare, capture_output=True, timeout=LIMIT)
    finally:
        if group:
            group.rmdir()
    text = ended.stderr.decode(errors="replace")
    # libomp, which `run` preloads, warns where /dev/shm cannot be written to.
    others = [line for line in text.splitlines() if not line.startswith(("seamscope: ", "OMP: Warning"))]
    return ended.stdout, others, ended.returncode, text


def outcome(recorded, condition):
    name, mounting, limits = condition
    at = places()
    shm = mounting[0] if mounting and mounting[1] == "shm" else None
    if mounting and not shm:
        mounting[0](str(at[mounting[1]]))
    try:
        if not recorded:
            return run(options.command, at, limits, shm)
        if options.run:
            return run([options.run, "run", "-o", str(at["out"] / "run"), "--", *options.command], at, limits, shm)
        return run(options.command, at, limits, shm, SEAMSCOPE="trace", SEAMSCOPE_THROTTLE="off",
                   SEAMSCOPE_OUT_LIMIT="64M", SEAMSCOPE_OUT=str(at["out"] / "trace.json"))
    finally:
        if mounting and not shm:
            subprocess.run(["umount", str(at[mounting[1]])], check=True, timeout=60)


own_mounts()
unharmed = skipped = 0
for condition in CONDITIONS:
    if options.only and options.only not in condition[0]:
        continue
    if "group" in condition[2]:
        probe = group_of(condition[2]["group"])
        if not probe:
            print(f"{condition[0]:24} no control group can be made here")
            unharmed += 1
            continue
        probe.rmdir()
    plain = outcome(False, condition)
    got = outcome(True, condition)
    said = [line for line in got[3].splitlines() if line.startswith("seamscope: ")]
    if plain[2] < 0 or (condition[0] != CONDITIONS[0][0] and plain[2] not in (0, 4, 5)):
        skipped += 1
        print(f"{condition[0]:24} the program itself does not run: {plain[2]}")
        continue
    if options.run and got[2] == 2 and len(said) == 1 and "cannot be made" in said[0]:
        print(f"{condition[0]:24} refused before the program starts: {said[0][:150]}")
        continue
    same = got[:3] == plain[:3]
    unharmed += same
    print(f"{condition[0]:24} {'unharmed' if same else 'HARMED'} {got[2]}  {said[0][:150] if said else ''}", flush=True)
    if not same:
        print("plain:", plain, "\nrecorded:", got)
        sys.exit(1)
print(f"{unharmed} conditions, the program unharmed; in {skipped} it does not run by itself")
