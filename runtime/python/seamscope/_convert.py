#===- _convert.py - seamscope convert, to Parquet -------------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""_convert.py -- TRACE FOLDER: writes the tables of a trace. The command has checked the options."""

from __future__ import annotations

import sys
from pathlib import Path

from seamscope._parquet import write
from seamscope._tables import extra, open as open_trace
from seamscope._tree import Error, message

BAD_DATA = 1


def main() -> int:
    trace, folder = sys.argv[2:]
    try:
        extra("pyarrow", "sql")  # before a trace is read for nothing
        write(open_trace(trace), Path(folder), last=True)
    except Error as error:
        message(str(error))
        return BAD_DATA
    return 0


if __name__ == "__main__":
    sys.exit(main())
