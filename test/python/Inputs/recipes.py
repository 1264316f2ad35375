"""recipes.py TRACE...: queries of tools/sql give the figures that the report has."""

import collections
import json
import math
import sys

import seamscope
from seamscope._tree import run_tool


def rows(relation):
    return [dict(zip(relation.columns, row)) for row in relation.fetchall()]


checked = collections.Counter()


def equal(path, what, ours, theirs):
    assert ours == theirs, f"{path}: {what}: {ours}, not {theirs}"
    checked[what] += 1


for path in sys.argv[1:]:
    tables = seamscope.open(path, quiet=True)
    found = {name: rows(tables.recipe(name)) for name in seamscope.recipes()}
    kernels = rows(tables.sql("select * from kernels"))
    profile = tables.sql("select mode from trace").fetchall()[0][0] == "profile"
    if profile or any(each["sampled_every"] for each in kernels):
        continue  # calls that are not in the trace
    timed = {(each["name"], each["device"]): each for each in kernels if each["calls"]}
    # The report's kernels are also annotations, and those of names that tell equal ones apart.
    same = [each for each in found["top-kernels"] if (each["name"], each["device"]) in timed]
    for each in same:
        its = timed[each["name"], each["device"]]
        if its["calls"] == each["calls"]:
            equal(path, "total_ns", each["total_ns"], its["total_ns"])
    for each in found["p99-of-kernels"]:
        its = timed.get((each["name"], each["device"]))
        if its and its["calls"] == each["calls"]:
            equal(path, "p50_ns", each["p50_ns"], its["p50_ns"])
            equal(path, "p99_ns", each["p99_ns"], its["p99_ns"])
            equal(path, "max_ns", each["max_ns"], its["max_ns"])
    devices = {each["id"]: each for each in rows(tables.sql("select * from devices"))}
    for each in found["device-busy"]:
        equal(path, "busy_ns", each["busy_ns"], devices[each["device"]]["busy_ns"])
    gaps = collections.Counter()
    for each in found["gap-causes"]:
        gaps[each["device"]] += each["total_ns"]
    for device, its in devices.items():
        within = its["idle_ns"] - its["idle_outside_ns"]
        # Of what is unknown, some was before the first or after the last work.
        assert within - its["idle_unknown_ns"] <= gaps[device] <= within, (path, gaps, its)
    of_kernels = tables.sql("select sum(gap_ns) from slice where kind = 'kernel'").fetchall()[0][0]
    equal(path, "gaps", of_kernels or 0, sum(each["gap_total_ns"] or 0 for each in kernels))
    copies = {(each["name"], each["device"]): each for each in rows(tables.sql("select * from copies_rows"))}
    for each in found["copies"]:
        if its := copies.get((each["name"], each["device"])):
            equal(path, "copies", (each["calls"], each["total_ns"]), (its["calls"], its["total_ns"]))
    operators = {each["name"]: each for each in rows(tables.sql("select * from operators"))}
    assert sum(each["device_ns"] for each in found["operators"]) <= sum(
        each["device_ns"] or 0 for each in operators.values()), path
    for each in found["flops"]:
        its = timed.get((each["name"], each["device"]))
        if its and its["flop"] is not None and its["flop_calls"] == its["calls"]:
            equal(path, "flop", each["flop"], its["flop"])
            if its["flop_per_s"]:
                assert math.isclose(each["gflop_per_s"] * 1e9, its["flop_per_s"], rel_tol=1e-9), (each, its)
    ranks = {each["rank"]: each for each in rows(tables.sql("select * from ranks"))}
    for each in found["ranks"]:
        if each["rank"] in ranks:
            # The report's time counts kernels that run at once only once.
            equal(path, "ranks", each["calls"], ranks[each["rank"]]["kernel_calls"])
            assert each["total_ns"] >= ranks[each["rank"]]["kernel_ns"], each
    for each, its in zip(found["rank-waits"], sorted(rows(tables.sql("select * from communication_ranks")),
                                                     key=lambda row: (-row["caused_ns"], row["rank"]))):
        equal(path, "rank waits", (each["rank"], each["wait_ns"]), (its["rank"], its["wait_ns"]))
    equal(path, "memory", sorted(each["peak_bytes"] for each in found["memory-peak"]),
          sorted(each["peak_bytes"] for each in rows(tables.sql("select * from memory"))))
    equal(path, "collectives", sum(each["total_ns"] for each in found["collectives"]),
          sum(each["total_ns"] for each in rows(tables.sql("select * from communication_collectives"))))
    of_size = collections.Counter()
    for each in found["p99-by-size"]:
        of_size[each["name"], each["device"]] += each["calls"]
    for key, calls in of_size.items():
        if key in timed and timed[key]["bytes_calls"] is not None:
            equal(path, "calls by size", calls, timed[key]["bytes_calls"])
    in_steps = collections.Counter()
    for each in found["steps"]:
        in_steps[each["step"]] += each["kernel_ns"]
    for each in found["step-imbalance"]:
        assert each["imbalance"] >= 1 and each["most_ns"] <= each["total_ns"], each
        if in_steps[each["step"]]:
            equal(path, "steps", each["total_ns"], in_steps[each["step"]])
    long = tables.sql("select gap_ns from slice where gap_ns >= 1000000 order by gap_ns desc").fetchall()
    equal(path, "long gaps", [each["gap_ns"] for each in found["gaps-and-host"]], [each for each, in long])
    assert all(each["host_ns"] is None or each["host_ns"] <= each["gap_ns"] for each in found["gaps-and-host"])
    by_module = json.loads(run_tool("report", "--by", "module", "--json", path, quiet=True))
    if found["modules"] and by_module["of"] == "device work":
        # Of several devices and ranks, all together; an instance has one name in both.
        equal(path, "modules", sorted((each["module"], each["calls"], each["total_ns"]) for each in found["modules"]),
              sorted((each["key"], each["calls"], each["total_ns"]) for each in by_module["rows"]))
print(len(seamscope.recipes()), "recipes,", ", ".join(f"{count} {what}" for what, count in checked.items()))
