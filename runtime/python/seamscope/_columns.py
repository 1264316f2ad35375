#===- _columns.py - the tables of a trace, out of Parquet files ---------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""_columns.py -- FOLDER TABLE...: writes tables to stdout for the tool, which reads a trace from them. Its
tools/trace/columns/ColumnStream.h describes the form. A line of JSON at the end says what went wrong.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO

from seamscope._tables import extra
from seamscope._tree import Error

NULL = -2**63
#: Of a batch: small enough to stay in a processor's cache on its way.
ROWS = 1 << 15


def write(folder: Path, tables: list[str], out: BinaryIO) -> None:
    # pyarrow imports it where it is, which takes most of the start; nothing here needs it.
    sys.modules.setdefault("numpy", None)  # type: ignore[arg-type]
    gc.disable()
    pyarrow = extra("pyarrow", "sql")
    import pyarrow.parquet

    for table in tables:
        path = folder / f"{table}.parquet"
        try:
            with pyarrow.parquet.ParquetFile(path, memory_map=True) as file:
                for group in range(file.num_row_groups):
                    _batches(pyarrow, table, file.read_row_group(group), out)
        except (OSError, pyarrow.ArrowException) as error:
            raise Error(f"{path.name}: cannot be read: {error}") from None


def _batches(pyarrow: Any, table: str, rows: Any, out: BinaryIO) -> None:
    columns = [(name, *_values(pyarrow, rows.column(name))) for name in rows.column_names]
    kinds = [[name, kind] for name, kind, _ in columns]
    for first in range(0, rows.num_rows, ROWS):
        count = min(ROWS, rows.num_rows - first)
        out.write(json.dumps({"table": table, "rows": count, "columns": kinds}).encode() + b"\n")
        for _, kind, values in columns:
            for part in _parts(pyarrow, kind, values.slice(first, count)):
                out.write(part)


def _values(pyarrow: Any, column: Any) -> tuple[str, Any]:
    """The kind of a column, and its values."""
    types = pyarrow.types
    values = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if types.is_integer(values.type):
        return "number", _known(values.cast(pyarrow.int64()), NULL)
    if types.is_floating(values.type):
        return "real", _known(values.cast(pyarrow.float64()), float("nan"))
    return "text", _known(values.cast(pyarrow.binary()), b"")


def _parts(pyarrow: Any, kind: str, values: Any) -> list[Any]:
    """The bytes of values."""
    if kind != "text":
        return [_fixed(values, 8)]
    import pyarrow.compute

    return [_fixed(pyarrow.compute.binary_length(values), 4), b"".join(values.to_pylist())]


def _known(values: Any, null: Any) -> Any:
    return values.fill_null(null) if values.null_count else values


def _fixed(values: Any, width: int) -> memoryview:
    buffer = values.buffers()[1]
    if buffer is None:
        return memoryview(b"")
    return memoryview(buffer)[values.offset * width:(values.offset + len(values)) * width]


def main() -> int:
    folder, *tables = sys.argv[2:]
    out = sys.stdout.buffer
    try:
        write(Path(folder), tables, out)
        out.write(b'{"end": true}\n')
        out.flush()
    except Error as error:
        out.write(json.dumps({"error": str(error)}).encode() + b"\n")
        out.flush()
    except BrokenPipeError:  # nobody reads on
        os._exit(1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
