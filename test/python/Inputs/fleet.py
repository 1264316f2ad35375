"""fleet.py traces FOLDER: writes the traces of 12 nights of 4 ranks, with known changes.
fleet.py ingest MASTER FOLDER TABLES [KILL]: reads them on Spark; KILL: executor or driver, which is killed in between.
fleet.py check FOLDER TABLES: asks the tables by DuckDB, and compares with what was put in and with `seamscope report`.
fleet.py both FOLDER TABLES: reads them, and compares the answers of Spark with those of DuckDB."""

import glob
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

NIGHTS, RANKS, CALLS = 12, 4, 20
#: Mean time of a call, in us.
KERNELS = {"steady": 50, "slower": 80, "drifts": 40, "also": 20, "large": 300, "small": 5}
SLOWER_FROM, DRIFTS_FROM = 6, 8
what, *arguments = sys.argv[1:]


def factor(kernel, night, rank):
    return ((1.10 if kernel == "slower" and night >= SLOWER_FROM else 1) *
            (1.15 if kernel == "drifts" and night >= DRIFTS_FROM else 1) * (1.3 if rank == 2 else 1))


def write_traces(folder):
    chance = random.Random(1)
    for night in range(NIGHTS):
        for rank in range(RANKS):
            events, now = [], 1000.0
            of_trace = {name: mean * factor(name, night, rank) * chance.gauss(1, 0.01)
                        for name, mean in KERNELS.items()}
            for step in range(CALLS):
                begin = now
                for name, mean in of_trace.items():
                    duration = round(mean * chance.gauss(1, 0.02), 3)
                    events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": round(now, 3),
                                   "dur": duration, "args": {"device": 0, "stream": 7, "correlation": len(events) + 1}})
                    now += duration + 1
                events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 1, "tid": 1,
                               "ts": round(begin, 3), "dur": round(now - begin, 3)})
            at = os.path.join(folder, f"night{night:02}")
            os.makedirs(at, exist_ok=True)
            with open(os.path.join(at, f"rank{rank}.json"), "w", encoding="utf-8") as file:
                json.dump({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "GPU"}],
                           "distributedInfo": {"rank": rank, "world_size": RANKS},
                           "baseTimeNanoseconds": (1_700_000_000 + 86400 * night) * 10**9, "traceEvents": events}, file)
    with open(os.path.join(folder, "broken.json"), "w", encoding="utf-8") as file:
        file.write('{"traceEvents": 7}')


def spark_of(master):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession
    made = SparkSession.builder.master(master)
    for name, value in {"driver.host": "127.0.0.1", "driver.bindAddress": "127.0.0.1", "ui.enabled": "false",
                        "ui.showConsoleProgress": "false",
                        "sql.shuffle.partitions": "4", "executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
                        "executor.memory": "1g"}.items():
        made = made.config("spark." + name, value)
    made = made.getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


def paths(folder):
    folder = os.path.abspath(folder)
    return sorted(glob.glob(os.path.join(folder, "night*", "*.json"))) + [
        os.path.join(folder, name) for name in ("broken.json", "absent.json")]


def children(parent, pattern):
    found = subprocess.run(["pgrep", "-P", str(parent), "-f", pattern], capture_output=True, text=True, check=False)
    return [int(each) for each in found.stdout.split()]


def kill_soon(whom, tables):
    """While traces are read, or while tables are written."""
    def wait():
        if whom == "driver":
            while not glob.glob(os.path.join(tables, "trace", "shard=*")):
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGKILL)
        while not glob.glob(os.path.join(tables, ".staging", "*", "rows", "_temporary")):
            time.sleep(0.01)
        time.sleep(3)
        # The driver's Java virtual machine starts them.
        for java in children(os.getpid(), "java"):
            executor = children(java, "CoarseGrainedExecutorBackend")[0]
            os.kill(executor, signal.SIGKILL)
            print("killed an executor", flush=True)
    threading.Thread(target=wait, daemon=True).start()


def close(one, other, share):
    return abs(one / other - 1) < share


def answers(fleet):
    from seamscope import fleet as of
    begin = [(1_700_000_000 + 86400 * night) * 10**9 for night in (SLOWER_FROM, DRIFTS_FROM)]
    changed = of.regressions(fleet, f"t.rank <> 2 and t.base_ns < {begin[0]}",
                             f"t.rank <> 2 and t.base_ns >= {begin[1]}")
    return changed, of.stragglers(fleet), of.drift(fleet, "t.rank = 0"), of.hosts(fleet)


def check(folder, tables):
    from seamscope.fleet import Fleet
    fleet = Fleet(tables)
    print("status:", *(f"{row['status']} {row['n']}" for row in fleet.sql(
        "select status, count(*) as n from trace group by status order by status")))
    print("rows:", *(f"{name} {fleet.sql(f'select count(*) as n from {name}')[0]['n']}" for name in
                     ("trace", "kernel_stat", "step_stat")))
    for path in paths(folder)[:5]:
        tool = os.path.join(os.environ["SEAMSCOPE_PREFIX"], "bin", "seamscope")
        report = json.loads(subprocess.run([tool, "report", "--json", path], stdout=subprocess.PIPE, check=True,
                                           timeout=60).stdout)
        wanted = {(row["name"], row["calls"], row["total_ns"], row["p99_ns"]) for row in report["kernels"]}
        found = {(row["name"], row["calls"], row["total_ns"], row["p99_ns"]) for row in fleet.sql(
            f"select k.* from kernel_stat k join trace t on k.trace_id = t.trace_id where t.path = '{path}'")}
        assert found == wanted, (path, found ^ wanted)
    changed, slow, drifts, _ = answers(fleet)
    found = {row["name"]: row for row in changed if row["is_change"]}
    assert found.keys() == {"slower", "drifts"}, changed
    for name, ratio in (("slower", 1.10), ("drifts", 1.15)):
        row = found[name]
        assert row["low"] < ratio < row["high"] and close(row["ratio"], ratio, 0.02), row
    print("regressions:", *sorted(found))
    assert {row["rank"] for row in slow[:NIGHTS]} == {2} and slow[NIGHTS]["ratio"] < 1.05, slow
    assert close(slow[0]["ratio"], 1.3, 0.06) and slow[0]["slower_kernels"] == len(KERNELS), slow[0]
    print("straggler: rank 2 in each run")
    at = {row["name"]: (os.path.basename(os.path.dirname(row["at"])), row["ratio"]) for row in drifts
          if abs(row["ratio"] - 1) > 0.05}
    assert at.keys() == {"slower", "drifts"} and at["slower"][0] == f"night{SLOWER_FROM:02}", drifts
    assert at["drifts"][0] == f"night{DRIFTS_FROM:02}" and close(at["drifts"][1], 1.15, 0.03), drifts
    print("drift: found where it began")


if what == "traces":
    write_traces(*arguments)
elif what == "ingest":
    from seamscope.spark import ingest
    master, folder, tables, *kill = arguments
    spark = spark_of(master)
    if kill:
        kill_soon(kill[0], tables)
    print("ingested:", json.dumps(ingest(spark, paths(folder), tables, shards=4, timeout=60), sort_keys=True))
elif what == "check":
    check(*arguments)
elif what == "both":
    from seamscope.fleet import Fleet
    from seamscope.spark import ingest
    folder, tables = arguments
    spark = spark_of("local[2]")
    print("ingested:", json.dumps(ingest(spark, paths(folder), tables, shards=4, slices=True), sort_keys=True))
    # Some again: nothing is lost, and nothing is there twice.
    print("again:", json.dumps(ingest(spark, paths(folder)[:3], tables, shards=4), sort_keys=True))
    fleet = Fleet(tables)
    assert answers(fleet) == answers(Fleet(tables, spark))
    events = "select count(*) as n, sum(dur) as ns from slice where kind = 'kernel'"
    print("Spark answers as DuckDB does; slices of kernels:", fleet.sql(events)[0]["n"])
