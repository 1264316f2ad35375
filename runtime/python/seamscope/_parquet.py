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
from typing import Any

from seamscope._datasets import HEAD, MODEL
from seamscope._tables import Tables, extra
from seamscope._tree import Error

#: Written as differences.
RISING = {"ts", "correlation", "event", "id", "launch_id", "number", "operator_id", "parent_id", "row"}


def write(tables: Tables, folder: Path, *, last: bool = False) -> None:
    """`last`: nobody else uses the tables, so that one after the other is in memory."""
    extra("pyarrow", "sql")
    if folder.exists():
        raise Error(f"{folder}: is there already; name a folder that is not")
    paths = _column(tables["trace"], "path")
    parent = folder.absolute().parent
    try:
        hidden = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=parent))
    except OSError as error:
        raise Error(f"{parent}: {error.strerror}") from None
    try:
        _write_all(tables, hidden)
        if len(paths) == 1:
            if last:
                tables.close()
            _write_model(paths[0], hidden / MODEL)
        hidden.chmod(0o777 & ~_mask())
        hidden.rename(folder)
    except OSError as error:
        raise Error(f"{folder}: cannot be written: {error}") from None
    finally:
        shutil.rmtree(hidden, ignore_errors=True)


def _write_model(trace: str, folder: Path) -> None:
    with Tables(trace, quiet=True, _model=True) as model:
        folder.mkdir()
        _write_all(model, folder)
        (folder / HEAD).write_bytes(model._head())


def _write_all(tables: Tables, folder: Path) -> None:
    import pyarrow

    for table in tables:
        _write(pyarrow.RecordBatchReader.from_stream(table), folder / f"{table.name}.parquet")
        tables._forget(table.name)  # one after the other is in memory


def _column(table: Any, name: str) -> list[Any]:
    import pyarrow

    return pyarrow.table(table).column(name).to_pylist()


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _write(rows: Any, path: Path) -> None:
    import pyarrow.parquet

    rising = {field.name: "DELTA_BINARY_PACKED" for field in rows.schema
              if field.name in RISING and pyarrow.types.is_int64(field.type)}
    others = [name for name in rows.schema.names if name not in rising]
    # The schema of Arrow would make readers believe in its dictionaries; the file has texts.
    with pyarrow.parquet.ParquetWriter(path, rows.schema, compression="zstd", compression_level=1, store_schema=False,
                                       use_dictionary=others or False, column_encoding=rising or None) as file:
        for batch in rows:
            file.write_batch(pyarrow.record_batch([_with_own_words(each) for each in batch.columns], rows.schema))


def _with_own_words(column: Any) -> Any:
    """A dictionary of all words of the trace would be in the file once for each column."""
    import pyarrow

    if not pyarrow.types.is_dictionary(column.type):
        return column
    used = column.indices.dictionary_encode()
    return pyarrow.DictionaryArray.from_arrays(used.indices, column.dictionary.take(used.dictionary))
