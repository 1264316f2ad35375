#===- _parquet.py - the tables of a trace as files --------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Writes tables with pyarrow. zstd at level 1 is as small as at higher levels, and rising numbers are half as large by
their differences; texts and most numbers repeat, so that a dictionary serves them.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow
import pyarrow.parquet

from seamscope._tree import Error

if TYPE_CHECKING:
    from seamscope._tables import Tables

#: Written as differences.
RISING = {"ts", "correlation", "id", "launch_id", "operator_id", "parent_id", "row"}


def write(tables: Tables, folder: Path) -> None:
    if folder.exists():
        raise Error(f"{folder}: is there already; name a folder that is not")
    parent = folder.absolute().parent
    try:
        hidden = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=parent))
    except OSError as error:
        raise Error(f"{parent}: {error.strerror}") from None
    try:
        for table in tables:
            _write(pyarrow.RecordBatchReader.from_stream(table), hidden / f"{table.name}.parquet")
        hidden.chmod(0o777 & ~_mask())
        hidden.rename(folder)
    except OSError as error:
        raise Error(f"{folder}: cannot be written: {error}") from None
    finally:
        shutil.rmtree(hidden, ignore_errors=True)


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _write(rows: pyarrow.RecordBatchReader, path: Path) -> None:
    rising = {field.name: "DELTA_BINARY_PACKED" for field in rows.schema
              if field.name in RISING and pyarrow.types.is_int64(field.type)}
    others = [name for name in rows.schema.names if name not in rising]
    # The schema of Arrow would make readers believe in its dictionaries; the file has texts.
    with pyarrow.parquet.ParquetWriter(path, rows.schema, compression="zstd", compression_level=1, store_schema=False,
                                       use_dictionary=others or False, column_encoding=rising or None) as file:
        for batch in rows:
            file.write_batch(batch)
