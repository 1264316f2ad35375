#===- _tree.py - finds the programs and libraries --------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""The package is a thin layer over the tool and the runtime. They are in a tree with bin/, lib/ and
share/. In a wheel the tree is below the package; as built or installed by CMake it is around the
package. Rules of the tool (environment of a run, layout of its folder) are not repeated here: the
package runs the tool.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path


class Error(Exception):
    """An error; its text says in one line what happened, where, and what to do."""


def message(text: str) -> None:
    """Writes a line to stderr, as other parts of Seamscope do. Ignores a closed stderr."""
    try:
        if sys.stderr is not None:  # print() writes to stdout for None
            print(f"seamscope: {text}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass


@functools.cache
def prefix() -> Path:
    """The folder with `bin/seamscope` and `lib/libseamscope.so`: `SEAMSCOPE_PREFIX`, or else the
    package's own."""
    here = Path(__file__).resolve().parent
    named = os.environ.get("SEAMSCOPE_PREFIX")
    # In a wheel seamscope/_tree; else PREFIX/share/seamscope/python/seamscope.
    places = [Path(named)] if named else [here / "_tree", here.parents[3]]
    for place in places:
        if os.access(place / "bin" / "seamscope", os.X_OK):
            return place
    raise Error(f"{' and '.join(map(str, places))}: no bin/seamscope in it; "
                + ("SEAMSCOPE_PREFIX must name the folder of a build or an installation" if named
                   else "install the whole package (pip install), or set SEAMSCOPE_PREFIX to the "
                        "folder of a build"))


def tool() -> Path:
    """The `seamscope` command."""
    return prefix() / "bin" / "seamscope"


def library() -> Path:
    """`libseamscope.so`."""
    place = prefix() / "lib" / "libseamscope.so"
    if not place.exists():
        raise Error(f"{place}: not found; build Seamscope with its runtime")
    return place


def run_tool(*arguments: str | os.PathLike[str], quiet: bool = False) -> str:
    """The output of `seamscope ARGUMENTS`. Its lines on stderr are passed on; if it fails, the last
    one is the error."""
    # The tool must not be recorded, and does not need this process's OpenMP runtime.
    environment = {"SEAMSCOPE_PYTHON": sys.executable, **os.environ, "SEAMSCOPE": "off"}
    environment.pop("LD_PRELOAD", None)
    try:
        ran = subprocess.run([tool(), *arguments], env=environment, stdin=subprocess.DEVNULL,
                             capture_output=True, check=False)
    except OSError as error:
        raise Error(f"{tool()}: cannot be started: {error.strerror}") from None
    stderr = ran.stderr.decode(errors="replace")
    if ran.returncode:
        lines = stderr.strip().splitlines() or [f"ended with status {ran.returncode}"]
        raise Error(f"seamscope {arguments[0]}: {lines[-1].removeprefix('seamscope: ')}")
    if not quiet:
        for line in stderr.splitlines():
            message(line.removeprefix("seamscope: "))
    return ran.stdout.decode(errors="replace")
