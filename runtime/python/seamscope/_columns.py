#===- _columns.py - the tables of a trace, out of Parquet files ---------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""_columns.py -- FOLDER TABLE...: writes tables to stdout for the tool, which reads a trace from them. Its
tools/trace/columns/ColumnStream.h describes the form. A line of JSON at the end says what went wrong.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO

from seamscope._tables import extra
from seamscope._tree import Error

NULL = -2**63


def write(folder: Path, tables: list[str], out: BinaryIO) -> None:
    pyarrow = extra("pyarrow", "sql")
    import pyarrow.parquet

    for table in tables:
        path = folder / f"{table}.parquet"
        try:
            with pyarrow.parquet.ParquetFile(path, memory_map=True) as file:
                for group in range(file.num_row_groups):
                    _batch(pyarrow, table, file.read_row_group(group).combine_chunks(), out)
        except (OSError, pyarrow.ArrowException) as error:
            raise Error(f"{path.name}: cannot be read: {error}") from None


def _batch(pyarrow: Any, table: str, rows: Any, out: BinaryIO) -> None:
    columns = [(name, _values(pyarrow, rows.column(name))) for name in rows.column_names]
    _line({"table": table, "rows": rows.num_rows, "columns": [[name, kind] for name, (kind, _) in columns]}, out)
    for _, (_, parts) in columns:
        for part in parts:
            out.write(part)


def _values(pyarrow: Any, column: Any) -> tuple[str, list[Any]]:
    """The kind of a column, and the bytes of its values."""
    import pyarrow.compute

    types = pyarrow.types
    values = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    if types.is_integer(values.type):
        return "number", [_fixed(values.cast(pyarrow.int64()).fill_null(NULL), 8)]
    if types.is_floating(values.type):
        return "real", [_fixed(values.cast(pyarrow.float64()).fill_null(float("nan")), 8)]
    texts = values.cast(pyarrow.binary())
    lengths = pyarrow.compute.binary_length(texts).fill_null(0)
    return "text", [_fixed(lengths, 4), b"".join(each or b"" for each in texts.to_pylist())]


def _fixed(values: Any, width: int) -> memoryview:
    buffer = values.buffers()[1]
    if buffer is None:
        return memoryview(b"")
    return memoryview(buffer)[values.offset * width:(values.offset + len(values)) * width]


def _line(what: dict[str, Any], out: BinaryIO) -> None:
    out.write(json.dumps(what).encode() + b"\n")


def main() -> int:
    folder, *tables = sys.argv[2:]
    out = sys.stdout.buffer
    try:
        write(Path(folder), tables, out)
        _line({"end": True}, out)
        out.flush()
    except Error as error:
        _line({"error": str(error)}, out)
        out.flush()
    except BrokenPipeError:  # nobody reads on
        os._exit(1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
