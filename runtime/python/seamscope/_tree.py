#===- _tree.py - where the programs and libraries lie ----------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""The package is a thin layer over the tool and the runtime. They lie in a tree bin/, lib/, share/:
in a wheel below the package, else around it, as CMake built or installed it. The tool's own rules
(environment of a run, layout of its folder) are asked of the tool, so that they are in one place.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path


class Error(Exception):
    """What went wrong, where, and what to do about it: one line."""


def message(text: str) -> None:
    """A line for people on stderr, as all of Seamscope says them. A stderr that is gone is no error."""
    try:
        if sys.stderr is not None:  # for None print() would take stdout
            print(f"seamscope: {text}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass


@functools.cache
def prefix() -> Path:
    """The folder that holds `bin/seamscope` and `lib/libseamscope.so`. `SEAMSCOPE_PREFIX` names
    another one than the package's own."""
    here = Path(__file__).resolve().parent
    named = os.environ.get("SEAMSCOPE_PREFIX")
    # In a wheel seamscope/_tree; else PREFIX/share/seamscope/python/seamscope.
    places = [Path(named)] if named else [here / "_tree", here.parents[3]]
    for place in places:
        if os.access(place / "bin" / "seamscope", os.X_OK):
            return place
    raise Error(f"{' and '.join(map(str, places))}: no bin/seamscope there; "
                + ("SEAMSCOPE_PREFIX must name the folder of a build or an installation" if named
                   else "install the package whole (pip install), or name a build with "
                        "SEAMSCOPE_PREFIX"))


def tool() -> Path:
    """The `seamscope` command."""
    return prefix() / "bin" / "seamscope"


def library() -> Path:
    """`libseamscope.so`."""
    place = prefix() / "lib" / "libseamscope.so"
    if not place.exists():
        raise Error(f"{place}: is not there; build Seamscope with its runtime")
    return place


def run_tool(*arguments: str | os.PathLike[str], quiet: bool = False) -> str:
    """What `seamscope ARGUMENTS` prints. What it says on stderr is passed on, unless it fails: then
    that is the error."""
    # Recording is this process's affair, and so are its OpenMP runtimes.
    environment = dict(os.environ, SEAMSCOPE="off")
    environment.pop("LD_PRELOAD", None)
    try:
        ran = subprocess.run([tool(), *arguments], env=environment, stdin=subprocess.DEVNULL,
                             capture_output=True, check=False)
    except OSError as error:
        raise Error(f"{tool()}: cannot be started: {error.strerror}") from None
    told = ran.stderr.decode(errors="replace")
    if ran.returncode:
        lines = told.strip().splitlines() or [f"it ended with status {ran.returncode}"]
        raise Error(f"seamscope {arguments[0]}: {lines[-1].removeprefix('seamscope: ')}")
    if not quiet:
        for line in told.splitlines():
            message(line.removeprefix("seamscope: "))
    return ran.stdout.decode(errors="replace")
