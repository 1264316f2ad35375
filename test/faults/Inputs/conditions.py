"""Runs a program recorded and not, on full and read-only file systems and within limits, and compares what it
prints and how it ends. Prints a line for each condition.

usage: conditions.py FOLDER [--run SEAMSCOPE] [--space KB] [--only TEXT] -- COMMAND...

A variable CACHE names a folder of caches that is there. With --run the program runs under `seamscope run`, else as the environment says. Needs root: the file systems
are mounted, in a name space of this process.

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
parser.add_argument("command", nargs="+")
options = parser.parse_args()
folder = options.folder.resolve()
LIMIT = 300


def own_mounts():
    """Mounts are seen by this process and its children alone, and gone with them."""
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
    """What the program and the recorder write to, with nothing wrong with it. Caches stay."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    at = {name: folder / name for name in ("cwd", "tmp", "cache", "out")}
    if "CACHE" in os.environ:
        at["cache"] = pathlib.Path(os.environ["CACHE"])
    for place in at.values():
        place.mkdir(parents=True, exist_ok=True)
    return at


#: Name, what to mount and where, limits.
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


def run(command, at, limits, shm, **more):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("SEAMSCOPE")}
    environment |= dict(more, TMPDIR=str(at["tmp"]), XDG_CACHE_HOME=str(at["cache"]))

    def prepare():
        if shm:
            shm("/dev/shm")
        for number, value in limits.items():
            resource.setrlimit(number, (value, value))

    ended = subprocess.run(["unshare", "-m", *command] if shm else command, cwd=at["cwd"], env=environment,
                           preexec_fn=prepare, capture_output=True, timeout=LIMIT)
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
        return run(options.command, at, limits, shm, SEAMSCOPE="trace", SEAMSCOPE_OUT=str(at["out"] / "trace.json"))
    finally:
        if mounting and not shm:
            subprocess.run(["umount", str(at[mounting[1]])], check=True, timeout=60)


own_mounts()
unharmed = skipped = 0
for condition in CONDITIONS:
    if options.only and options.only not in condition[0]:
        continue
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
