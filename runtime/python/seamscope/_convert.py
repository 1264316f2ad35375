#===- _convert.py - seamscope convert, to Parquet -------------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""_convert.py -- TRACE FOLDER: writes the tables of a trace. The command has checked the options."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from types import FrameType

from seamscope._parquet import write
from seamscope._tables import extra, open as open_trace
from seamscope._tree import Error, message

BAD_DATA = 1


class _Stopped(BaseException):
    """A signal that ends the process, once nothing half-written is left."""


def _stop(number: int, _: FrameType | None) -> None:
    raise _Stopped(number)


def _on_signals(do: object) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, do)  # type: ignore[arg-type]


def main() -> int:
    trace, folder = sys.argv[2:]
    _on_signals(signal.SIG_DFL)  # Python's would wait for the end of reading
    try:
        extra("pyarrow", "sql")  # before a trace is read for nothing
        tables = open_trace(trace)
        _on_signals(_stop)
        write(tables, Path(folder), last=True)
    except Error as error:
        message(str(error))
        return BAD_DATA
    except _Stopped as stopped:
        _on_signals(signal.SIG_DFL)
        os.kill(os.getpid(), stopped.args[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
