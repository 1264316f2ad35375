#===- spark.py - many traces into tables, by Spark ----------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Reads many traces on Spark's executors, into tables of Parquet files that Spark and DuckDB read: `ingest`.
`seamscope.fleet` has the questions that are asked of them. docs/fleet.md has the tables.

Executors need this package, with the extra `fleet`, and a folder that they share with the driver.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Iterator

from seamscope import _ingest
from seamscope._tables import extra
from seamscope._tree import Error

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["ingest"]

MANIFEST, STAGING = "manifest.json", ".staging"
SCHEMA = "seamscope.fleet/1"
KEYS = {"trace_id": "string", "shard": "int32"}
TRACE = {"path": "string", "sha256": "string", "status": "string", "error": "string", **_ingest.TRACE}
LISTS = {"kernel_stat": _ingest.KERNEL_STAT, "step_stat": _ingest.STEP_STAT, "health": _ingest.HEALTH}


def trace_id(path: str) -> str:
    """A trace is known by its path: what is read again from there takes its place."""
    return hashlib.sha256(path.encode()).hexdigest()[:32]


def shard_of(path: str, shards: int) -> int:
    return int(trace_id(path)[:8], 16) % shards


def _fields(columns: dict[str, str]) -> list[Any]:
    import pyarrow

    return [pyarrow.field(name, pyarrow.type_for_alias(kind)) for name, kind in columns.items()]


def _schema() -> pyarrow.Schema:
    """One row a trace, with lists of its rows in other tables."""
    import pyarrow

    return pyarrow.schema(_fields(KEYS | TRACE) +
                          [pyarrow.field(name, pyarrow.list_(pyarrow.struct(_fields(columns))))
                           for name, columns in LISTS.items()])


def _digest(path: str) -> str | None:
    """Of a file's bytes; of a folder, of the traces in it."""
    files = [Path(path)] if os.path.isfile(path) else sorted(Path(path).glob("trace*.json*"))
    sums = hashlib.sha256()
    for each in files:
        with open(each, "rb") as file:
            while part := file.read(1 << 20):
                sums.update(part)
    return sums.hexdigest() if files else None


def _outcome(path: str, limit: float, slices: str | None = None) -> dict[str, Any]:
    """What a process of its own reads of a trace: its status, and where that is ok the members of _ingest. Raises
    nothing."""
    package = str(Path(__file__).parent.parent)
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")])))
    command = [sys.executable, "-m", "seamscope._ingest", path, *([slices] if slices else [])]
    try:
        ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=limit,
                             check=False)
        if ran.returncode:
            said = ran.stderr.decode(errors="replace").strip().splitlines()
            return {"status": "unreadable" if ran.returncode == 1 else "crashed",
                    "error": (said[-1] if said else f"exit code {ran.returncode}")[:1000]}
        read = json.loads(ran.stdout)
        return {"status": "ok"} | read.pop("trace") | read
    except subprocess.TimeoutExpired:
        return {"status": "timeout", "error": f"took more than {limit:g} s"}
    except (OSError, ValueError) as error:
        return {"status": "unreadable", "error": str(error)[:1000]}


def _read(path: str, shards: int, limit: float) -> dict[str, Any]:
    """The row of a trace. Raises nothing: what goes wrong is its status."""
    row: dict[str, Any] = {"trace_id": trace_id(path), "shard": shard_of(path, shards), "path": path, "error": None}
    row |= dict.fromkeys(_ingest.TRACE) | {name: [] for name in LISTS} | {"sha256": None}
    try:
        row["sha256"] = _digest(path)
    except OSError as error:
        return row | {"status": "unreadable", "error": str(error)[:1000]}
    return row | _outcome(path, limit)


def _rows(shards: int, limit: float) -> Any:
    def read(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        for batch in batches:
            for path in batch.column(0).to_pylist():
                yield pyarrow.RecordBatch.from_pylist([_read(path, shards, limit)], schema=_schema())
    return read


def _slices(shards: int, limit: float, schema: pyarrow.Schema) -> Any:
    def read(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        for batch in batches:
            for path in batch.column(0).to_pylist():
                with tempfile.TemporaryDirectory(prefix="seamscope-") as folder:
                    file = os.path.join(folder, "slices.arrow")
                    if _outcome(path, limit, file)["status"] != "ok":
                        continue
                    with pyarrow.ipc.open_stream(file) as events:
                        for part in events:
                            size = part.num_rows
                            keys = [pyarrow.array([trace_id(path)] * size),
                                    pyarrow.array([shard_of(path, shards)] * size, pyarrow.int32())]
                            yield pyarrow.RecordBatch.from_arrays(
                                keys + [part.column(at).cast(schema.field(at + 2).type)
                                        for at in range(part.num_columns)], schema=schema)
    return read


def _slice_schema(path: str) -> pyarrow.Schema:
    """Of the slices, which is the same for every trace; dictionaries are plain text to Spark."""
    import pyarrow

    from seamscope._tables import open as open_trace

    with open_trace(path, quiet=True) as trace:
        own = pyarrow.schema(trace["slice"])
    return pyarrow.schema(_fields(KEYS) + [
        pyarrow.field(each.name, each.type.value_type if pyarrow.types.is_dictionary(each.type) else each.type)
        for each in own])


def _manifest(out: Path) -> dict[str, Any] | None:
    try:
        found = json.loads((out / MANIFEST).read_text(encoding="utf-8"))
        if found["schema"] != SCHEMA:
            raise Error(f"{out / MANIFEST}: has the schema {found['schema']}; this version reads {SCHEMA}")
        return found
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        raise Error(f"{out / MANIFEST}: is damaged; remove it to read all traces again") from None


def _clean(out: Path) -> None:
    """Removes what an ingest left that was killed."""
    shutil.rmtree(out / STAGING, ignore_errors=True)
    for each in out.glob("*/.spark-staging-*"):
        shutil.rmtree(each, ignore_errors=True)


def ingest(spark: SparkSession, paths: Iterable[str | os.PathLike[str]], out: str | os.PathLike[str], *,
           shards: int = 16, timeout: float = 600, slices: bool = False) -> dict[str, int]:
    """Reads traces into the tables below `out`, and returns the number of traces by their status. Each trace is a row
    of the table `trace`, also if it could not be read: `status` is ok, unreadable, crashed or timeout (`timeout` is in
    seconds, for each). May be called again, also after it was killed: a path that was read before is replaced, others
    stay. `slices`: also the events, in the table `slice`. Only one ingest may write to `out` at a time."""
    extra("pyarrow", "fleet")
    from pyspark.sql import functions as sql
    from pyspark.sql.pandas.types import from_arrow_schema

    folder = Path(out).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    before = _manifest(folder)
    if before and before["shards"] != shards:
        raise Error(f"{folder}: was made with shards={before['shards']}")
    _clean(folder)
    given = sorted({os.path.abspath(each) for each in paths})
    if not given:
        return {}
    stage = folder / STAGING / uuid.uuid4().hex
    touched = sorted({shard_of(each, shards) for each in given})
    frame = spark.createDataFrame([(each,) for each in given], "path string").repartition(
        min(len(given), 4 * spark.sparkContext.defaultParallelism))
    schema = from_arrow_schema(_schema(), prefer_timestamp_ntz=True)
    frame.mapInArrow(_rows(shards, timeout), schema).write.parquet(str(stage / "rows"))
    rows = spark.read.schema(schema).parquet(str(stage / "rows"))
    mine = rows.select("trace_id")

    def put(table: str, new: DataFrame) -> None:
        """The new rows, and those of other traces in the same shards."""
        place = folder / table
        if place.is_dir() and any(place.glob("shard=*")):
            kept = spark.read.schema(new.schema).parquet(str(place)).where(sql.col("shard").isin(touched))
            kept.join(mine, "trace_id", "left_anti").write.parquet(str(stage / table))
            new = new.unionByName(spark.read.schema(new.schema).parquet(str(stage / table)))
        new.repartition("shard").write.mode("overwrite").option("compression", "zstd") \
            .option("partitionOverwriteMode", "dynamic") \
            .partitionBy("shard").parquet(str(place))
        has = {each.shard for each in new.select("shard").distinct().collect()}
        for shard in set(touched) - has:
            shutil.rmtree(place / f"shard={shard}", ignore_errors=True)

    put("trace", rows.select(*KEYS, *TRACE))
    for table, columns in LISTS.items():
        one = rows.select(*KEYS, sql.explode(table).alias("row"))
        put(table, one.select(*KEYS, *(sql.col(f"row.{name}") for name in columns)))
    status = {each["status"]: each["count"] for each in rows.groupBy("status").count().collect()}
    if slices and status.get("ok"):
        readable = rows.where("status = 'ok'").select("path")
        own = _slice_schema(readable.first()["path"])
        events = readable.mapInArrow(_slices(shards, timeout, own), from_arrow_schema(own, prefer_timestamp_ntz=True))
        events.write.parquet(str(stage / "new-slices"))
        put("slice", spark.read.parquet(str(stage / "new-slices")))
    elif any((folder / "slice").glob("shard=*")):
        put("slice", spark.read.parquet(str(folder / "slice")).limit(0))
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(stage)
    hidden = folder / f".{MANIFEST}.{os.getpid()}"
    hidden.write_text(json.dumps({"schema": SCHEMA, "shards": shards, "tables": sorted(
        each.name for each in folder.iterdir() if each.is_dir() and not each.name.startswith("."))}) + "\n",
        encoding="utf-8")
    os.replace(hidden, folder / MANIFEST)
    _clean(folder)
    return status
