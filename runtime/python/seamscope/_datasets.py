#===- _datasets.py - folders of Parquet files with tables ----------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""The tables that to_parquet() writes of a trace, one file each, and those that seamscope.spark.ingest() writes of
many, in shards.
"""

from __future__ import annotations

import os
from pathlib import Path


#: In a folder that to_parquet() wrote of one trace: the trace as it was read, and what it says of itself.
MODEL, HEAD = "model", "head.json"


def is_trace(folder: Path) -> bool:
    """Whether the tool reads the folder as a trace."""
    return (folder / MODEL / HEAD).is_file()


def shards(folder: Path) -> dict[str, str]:
    """Of a fleet: patterns of files by table. Not **/*.parquet: what a killed job left lies beside."""
    return {each.name: str(each / "shard=*" / "*.parquet") for each in sorted(folder.glob("*"))
            if any(each.glob("shard=*/*.parquet"))}


def tables_of(path: str | os.PathLike[str]) -> dict[str, str]:
    """The same of either; empty: it is another folder, or none."""
    folder = Path(path).absolute()
    if (folder / "slice.parquet").is_file() and (folder / "trace.parquet").is_file():
        return {each.stem: str(each) for each in sorted(folder.glob("*.parquet"))}
    found = shards(folder) if folder.is_dir() else {}
    return found if "trace" in found else {}


def scan(pattern: str) -> str:
    """What DuckDB selects from."""
    escaped = pattern.replace("'", "''")
    return f"read_parquet('{escaped}', hive_partitioning = {'true' if 'shard=*' in pattern else 'false'})"
