#===- fleet.py - questions to the tables of many traces -----------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Questions that need many traces: what became slower, which rank or host is slow, when did a kernel change. They read
the tables that `seamscope.spark.ingest` writes, by DuckDB or by Spark, which give the same; the statistics are those of
scipy and ruptures. A trace is the unit of each test, never a call: calls of one run depend on each other, and taken
for samples they make chance look certain.
"""

from __future__ import annotations

import math
import os
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from seamscope._datasets import scan, shards
from seamscope._tables import extra
from seamscope._tree import Error

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Fleet", "drift", "hosts", "regressions", "stragglers"]

#: Mean time of a call of each kernel on each trace.
MEANS = """select t.path, t.host, t.rank, t.base_ns, k.name, k.device, cast(sum(k.calls) as bigint) as calls,
                  cast(sum(k.total_ns) as double) / sum(k.calls) as mean_ns
           from kernel_stat k join trace t on k.trace_id = t.trace_id
           where t.status = 'ok' and k.calls > 0 and k.total_ns > 0 {where}
           group by t.path, t.host, t.rank, t.base_ns, k.name, k.device"""


class Fleet:
    """The tables below a folder that ingest() wrote. `spark`: asks them by Spark, else by DuckDB."""

    def __init__(self, folder: str | os.PathLike[str], spark: SparkSession | None = None) -> None:
        self.folder = Path(folder).absolute()
        self.spark = spark
        patterns = shards(self.folder)
        self.tables = list(patterns)
        if "trace" not in self.tables:
            raise Error(f"{self.folder}: has no tables; seamscope.spark.ingest writes them")
        if spark is None:
            duckdb = extra("duckdb", "fleet")
            self.connection = duckdb.connect()
            for name, pattern in patterns.items():
                self.connection.execute(f'create view "{name}" as select * from {scan(pattern)}')
        else:
            for each in self.tables:
                spark.read.parquet(str(self.folder / each)).createOrReplaceTempView(each)

    def sql(self, query: str) -> list[dict[str, Any]]:
        """The rows of a query, in the SQL that both engines have."""
        if self.spark is not None:
            return [row.asDict() for row in self.spark.sql(query).collect()]
        found = self.connection.sql(query)
        return [dict(zip(found.columns, row)) for row in found.fetchall()]

    def means(self, where: str = "") -> list[dict[str, Any]]:
        if "kernel_stat" not in self.tables:
            return []
        found = self.sql(MEANS.format(where=f"and ({where})" if where else ""))
        # Sums of floating-point numbers depend on their order.
        return sorted(found, key=lambda row: (row["path"], row["name"], str(row["device"])))


def _grouped(rows: list[dict[str, Any]], *names: str) -> dict[tuple[Any, ...], list[dict[str, Any]]]:
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def regressions(fleet: Fleet, base: str, test: str, *, level: float = 0.05) -> list[dict[str, Any]]:
    """Kernels whose mean time differs between the traces of two conditions on the table trace, such as
    "t.path like '%/monday/%'": the largest change first. `ratio` is test over base, of geometric means over traces,
    with its interval of 95 % by Welch's t test on logarithms; `q` is its probability, with the share of false
    discoveries among all kernels bounded (Benjamini and Hochberg): `is_change` if it is below `level`. Kernels with
    fewer than two traces on a side, or without any spread, are left out of the test: `q` is None."""
    stats = extra("scipy.stats", "fleet")
    sides = {side: _grouped(fleet.means(where), "name", "device") for side, where in (("base", base), ("test", test))}
    rows: list[dict[str, Any]] = []
    for key in sides["base"].keys() & sides["test"].keys():
        logs = [[math.log(row["mean_ns"]) for row in side[key]] for side in sides.values()]
        row: dict[str, Any] = {"name": key[0], "device": key[1],
                               "base_traces": len(logs[0]), "test_traces": len(logs[1]),
                               "ratio": math.exp(sum(logs[1]) / len(logs[1]) - sum(logs[0]) / len(logs[0])),
                               "low": None, "high": None, "p": None, "q": None, "is_change": None}
        if min(map(len, logs)) > 1 and any(max(each) > min(each) for each in logs):
            test_of = stats.ttest_ind(logs[1], logs[0], equal_var=False)
            interval = test_of.confidence_interval(0.95)
            row |= {"p": float(test_of.pvalue), "low": math.exp(interval.low), "high": math.exp(interval.high)}
        rows.append(row)
    tested = [row for row in rows if row["p"] is not None and math.isfinite(row["p"])]
    if tested:
        for row, q in zip(tested, stats.false_discovery_control([row["p"] for row in tested])):
            row |= {"q": float(q), "is_change": bool(q < level)}
    return sorted(rows, key=lambda row: (-abs(math.log(row["ratio"])), row["name"], str(row["device"])))


def stragglers(fleet: Fleet, where: str = "") -> list[dict[str, Any]]:
    """Ranks whose kernels take longer than those of the other ranks of their run, the slowest first. A run is the
    traces in one folder. `ratio` is the median over kernels of the rank's mean over the ranks' median; `slower_kernels`
    of `kernels` are above it by more than three times the ranks' spread (median absolute deviation, times 1.4826)."""
    rows = []
    for (run,), of_run in _grouped([row | {"run": os.path.dirname(row["path"])} for row in fleet.means(where)
                                    if row["rank"] is not None], "run").items():
        ratios: dict[Any, list[float]] = {}
        slower: dict[Any, int] = {}
        for of_kernel in _grouped(of_run, "name").values():
            if len(of_kernel) < 3:
                continue
            middle = median([row["mean_ns"] for row in of_kernel])
            spread = 1.4826 * median([abs(row["mean_ns"] - middle) for row in of_kernel])
            for row in of_kernel:
                ratios.setdefault(row["rank"], []).append(row["mean_ns"] / middle)
                slower[row["rank"]] = slower.get(row["rank"], 0) + (row["mean_ns"] > middle + 3 * spread)
        rows += [{"run": run, "rank": rank, "ratio": median(each), "slower_kernels": slower[rank],
                  "kernels": len(each)} for rank, each in ratios.items()]
    return sorted(rows, key=lambda row: (-row["ratio"], row["run"], row["rank"]))


def hosts(fleet: Fleet, where: str = "") -> list[dict[str, Any]]:
    """Machines on which the same kernels take longer than on the others, the slowest first: `ratio` is the median over
    kernels of the host's median over all hosts' median. A kernel counts if at least three hosts ran it with the same
    calls, since other calls may be of other sizes."""
    ratios: dict[Any, list[float]] = {}
    traces: dict[Any, set[str]] = {}
    known = [row for row in fleet.means(where) if row["host"] is not None]
    for of_kernel in _grouped(known, "name", "calls").values():
        of_hosts = _grouped(of_kernel, "host")
        if len(of_hosts) < 3:
            continue
        middle = {host: median([row["mean_ns"] for row in rows]) for (host,), rows in of_hosts.items()}
        of_all = median(list(middle.values()))
        for (host,), rows in of_hosts.items():
            ratios.setdefault(host, []).append(middle[host] / of_all)
            traces.setdefault(host, set()).update(row["path"] for row in rows)
    return sorted(({"host": host, "ratio": median(each), "kernels": len(each), "traces": len(traces[host])}
                   for host, each in ratios.items()), key=lambda row: (-row["ratio"], row["host"]))


def drift(fleet: Fleet, where: str = "", *, least: int = 8) -> list[dict[str, Any]]:
    """When kernels changed their mean time for good, over traces in the order of their begin: the change with the
    largest ratio first. By ruptures.KernelCPD on logarithms, with a penalty of 3 log(n) variances, the variance from
    the differences of neighbours. `at` is the first trace with the new time. Kernels of fewer than `least` traces are
    left out."""
    numpy, ruptures = extra("numpy", "fleet"), extra("ruptures", "fleet")
    rows = []
    for (name, device), of_kernel in _grouped(fleet.means(where), "name", "device").items():
        order = sorted((row for row in of_kernel if row["base_ns"] is not None),
                       key=lambda row: (row["base_ns"], row["path"]))
        if len(order) < least:
            continue
        logs = numpy.log([row["mean_ns"] for row in order])
        # Of neighbours' differences, since those of all values would contain the changes.
        spread = 1.4826 * float(numpy.median(numpy.abs(numpy.diff(logs)))) / math.sqrt(2)
        if spread == 0:
            continue
        found = ruptures.KernelCPD(kernel="linear", min_size=2).fit(logs.reshape(-1, 1)).predict(
            pen=3 * math.log(len(logs)) * spread ** 2)
        borders = [0, *found]
        for before, at, after in zip(borders, borders[1:], borders[2:]):
            rows.append({"name": name, "device": device, "at": order[at]["path"], "at_ns": order[at]["base_ns"],
                         "ratio": math.exp(float(numpy.mean(logs[at:after]) - numpy.mean(logs[before:at]))),
                         "before": at - before, "after": after - at})
    return sorted(rows, key=lambda row: (-abs(math.log(row["ratio"])), row["name"], str(row["device"]), row["at_ns"]))
