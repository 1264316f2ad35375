#===- _command.py - the console script --------------------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""The `seamscope` command of a pip installation: replaces itself with the package's tool."""

from __future__ import annotations

import os
import sys

from seamscope._tree import Error, tool


def main() -> int:
    if sys.argv[1:2] == ["sql"]:  # with the packages of this Python
        os.environ.setdefault("SEAMSCOPE_PYTHON", sys.executable)
    try:
        os.execv(tool(), ["seamscope", *sys.argv[1:]])
    except (Error, OSError) as error:
        print(f"seamscope: {error}", file=sys.stderr)
    return 127
