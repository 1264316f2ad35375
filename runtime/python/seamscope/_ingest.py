#===- _ingest.py - what a fleet keeps of a trace ------------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""`python -m seamscope._ingest TRACE [SLICES]` prints, as JSON, what the tables of a fleet have of a trace, and writes
its slices to the file SLICES as an Arrow stream. A process of its own for each trace, so that one that is broken, too
large or slow ends alone.
"""

from __future__ import annotations

import json
import sys
from typing import Any

#: Columns of a fleet's tables, beside trace_id and shard, by Arrow's name of their type. Those of `kernel_stat` and
#: `health` are columns of the report's tables, docs/formats.md.
TRACE = {"host": "string", "producer": "string", "mode": "string", "rank": "int64", "world_size": "int64",
         "base_ns": "int64", "window_ns": "int64", "seamscope_version": "string"}
KERNEL_STAT = {"name": "string", "device": "int64", "category": "string", "calls": "int64", "total_ns": "int64",
               "self_ns": "int64", "min_ns": "int64", "p50_ns": "int64", "p99_ns": "int64", "max_ns": "int64",
               "flop": "double", "bytes": "double"}
STEP_STAT = {"step": "int64", "ts": "int64", "dur": "int64"}
HEALTH = {"name": "string", "count": "int64", "ns": "int64", "consequence": "string"}
STEP = "ProfilerStep#"


def found(path: str, slices: str | None) -> dict[str, Any]:
    import pyarrow
    import pyarrow.compute as compute

    from seamscope._tables import open as open_trace

    with open_trace(path, quiet=True) as trace:
        def rows(table: str, columns: dict[str, str]) -> list[dict[str, Any]]:
            return pyarrow.table(trace[table]).select(list(columns)).to_pylist()

        about = pyarrow.table(trace["trace"]).to_pylist()[0]
        about["host"] = about["host_name"]
        about["window_ns"] = pyarrow.table(trace["report"]).to_pylist()[0]["window_ns"]
        events = pyarrow.table(trace["slice"])
        names = compute.cast(events["name"], pyarrow.string())
        steps = events.filter(compute.starts_with(names, STEP)).select(["name", "ts", "dur"]).to_pylist()
        if slices:
            with pyarrow.ipc.new_stream(slices, events.schema) as out:
                out.write_table(events)
        return {"trace": {name: about[name] for name in TRACE}, "kernel_stat": rows("kernels", KERNEL_STAT),
                "step_stat": [{"step": int(each["name"][len(STEP):]), "ts": each["ts"], "dur": each["dur"]}
                              for each in steps if each["name"][len(STEP):].isdigit()],
                "health": rows("health", HEALTH)}


if __name__ == "__main__":
    from seamscope._tree import Error

    try:
        json.dump(found(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None), sys.stdout)
    except Error as error:
        print(f"seamscope: {error}", file=sys.stderr)
        sys.exit(1)
