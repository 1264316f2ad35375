"""Makes traces with one fault each and checks what reports say: python3 health.py SEAMSCOPE."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os

from smalltrace import event, kernels, names, report, run, write


def launch(number, begin, call="cudaLaunchKernel"):
    """An operator and its launch."""
    dims = {"Input Dims": [[512, 512], [512, 512]], "Input type": ["float", "float"]}
    return [event("cpu_op", "aten::mm", 10, 10, begin, 12.0, **dims),
            event("cuda_runtime", call, 10, 10, begin + 4, 6.0, correlation=number)]


def kernel(number, begin, duration=5.0, name="sgemm"):
    """What it launched."""
    return [event("kernel", name, 0, 7, begin, duration, device=0, stream=7, correlation=number)]


def whole(count, begin=1000.0):
    """Operators with their kernels."""
    return [each for i in range(count)
            for each in launch(i + 1, begin + 20 * i) + kernel(i + 1, begin + 15 + 20 * i)]


def check_whole():
    """Nothing is reported for a good trace."""
    found, shown = report(whole(5))
    assert found["health"] == [] and "5 of 5 kernels linked" in shown


def check_launches():
    """Launches without kernels: at the end, everywhere, for a graph."""
    lost = [each for i in range(5) for each in launch(101 + i, 1200.0 + 20 * i)]
    found, shown = report(whole(5) + lost)
    assert names(found) == [("launches-without-work", 5)], found["health"]
    assert found["devices"][0]["idle"]["unknown_ns"] == 192000 and "linked to" not in shown
    found, shown = report(lost)
    assert names(found) == [("launches-without-work", 5)]
    assert found["operators"][0]["flop_per_s"] is None and "GFLOP/s" not in shown
    found, _ = report(whole(2) + launch(9, 1100.0, "cudaGraphLaunch"))
    assert names(found) == [("launches-without-work", 1)]


def check_steps():
    """Each step has a row."""
    steps = [event("user_annotation", f"ProfilerStep#{i}", 10, 10, 1000.0 + 100 * i, 90.0) for i in range(3)]
    path = write(steps + whole(2) + launch(7, 1110.0) + launch(8, 1210.0))
    shown, _ = run("report", "--by", "step", path)
    assert all(f"ProfilerStep#{i}" in shown for i in range(3)), shown
    found, _ = report(open(path, encoding="utf-8").read())
    assert names(found) == [("launches-without-work", 2), ("steps-without-work", 2)]


def check_quotes():
    """An unescaped quote or backslash costs only its event, or its line of metadata."""
    good = [json.dumps(each, indent=1) for each in whole(6)]
    for odd in ('"a"b', '"a"', '"C:\\dir\\', '"a"{', '"say "hi" {['):
        bad = '{\n "ph": "X",\n "cat": "user_annotation",\n "name": %s",\n "ts": 1001.0,\n "dur": 3\n }' % odd
        for place in (0, 7, len(good)):
            texts = good[:place] + [bad] + good[place:]
            found, _ = report('{"schemaVersion": 1,\n "traceEvents": [\n' + ",\n".join(texts) + "\n]}\n")
            assert kernels(found)["sgemm"] == (6, 30000), (odd, place, kernels(found))
            assert names(found) == [("unreadable-events", 1)], (odd, place, found["health"])
    for line in ('"foo "bar"": "b/az",', '"path": "C:\\dir\\",', '"a": "x"y",', '"a": {"b": "x"y"},'):
        found, _ = report('{\n "schemaVersion": 1,\n %s\n "traceEvents": [\n%s\n]}' % (line, ",\n".join(good)))
        assert kernels(found)["sgemm"] == (6, 30000), (line, found)
        # An unused member may go unnoticed.
        assert {item["name"] for item in found["health"]} <= {"unreadable-events"}, (line, found["health"])
    # A line break in a string is an error of that event alone, too.
    broken = '{"ph": "X", "name": "a\nb [", "ts": 1001.0, "dur": 3}'
    found, _ = report("[" + ",\n".join([good[0], broken] + good[1:]) + "]")
    assert kernels(found)["sgemm"] == (6, 30000) and names(found) == [("unreadable-events", 1)]


def check_documents():
    """Several consecutive texts; an array without an end; text after the end."""
    def stream(number, ends):
        return json.dumps({"traceEvents": [event("kernel", name, None, number, 20.0 * i + number, 8.0)
                                           for i, name in enumerate(("foo", "bar"))]}) + ends
    found, _ = report(stream(0, "\n") + stream(7, "\n"))
    assert kernels(found) == {"foo": (2, 16000), "bar": (2, 16000)}, kernels(found)
    found, _ = report(stream(0, "") + stream(1, "") + stream(2, ""))
    assert kernels(found)["foo"] == (3, 24000)
    text = json.dumps(whole(3))
    for end in ("", ",", ",\n", "\n"):
        found, _ = report(text[:-1] + end)
        assert kernels(found)["sgemm"] == (3, 15000) and found["health"] == [], end
    for end in (text[:-9], text + " x", '{"traceEvents": ' + text):
        found, _ = report(end, code=1)
        assert found["health"][0]["name"] == "unreadable-events", found["health"]


def check_nothing_known():
    """One line and exit code 1, or a table by category and name."""
    counters = [{"ph": "C", "cat": "memory", "name": "m", "pid": 1, "ts": i, "args": {"n": i}} for i in range(4)]
    spans = [{"ph": phase, "cat": "net", "name": "m", "id": 1, "pid": 1, "ts": i} for i, phase in enumerate("be")]
    for text, words in (
            ("[[1,2,3],[[4,5,6],[7,8,9],[1,1,1]]]", "not a Chrome trace"),
            ('["a", 3, null]', "not a Chrome trace"),
            ("{}", "not a Chrome trace"),
            (json.dumps([{"ph": "X", "name": "k"}]), "not a Chrome trace"),
            (json.dumps(counters), '4 "memory"'),
            (json.dumps(spans + counters), '"net"')):
        out, said = run("report", write(text), code=1)
        assert out == "" and said.count("\n") == 1 and words in said, (text, out, said)
    nodes = [event("Session", "run", 1, 1, 0.0, 500.0)] + [
        event("Stage", name, 1, 1, 10.0 * i, 4.0) for i, name in enumerate(("mm", "relu", "mm"))]
    found, shown = report(nodes)
    assert names(found) == [("unknown-categories", 4)] and "3 Stage" in shown
    rows = {(row["category"], row["name"]): (row["calls"], row["total_ns"]) for row in found["event_names"]}
    assert rows == {("Session", "run"): (1, 500000), ("Stage", "mm"): (2, 8000), ("Stage", "relu"): (1, 4000)}
    # If some events have a category, those without one are not kernels.
    found, _ = report(whole(2) + [event(None, "Total Frontend", 1, 1, 0.0, 9.0)])
    assert set(kernels(found)) == {"sgemm"} and names(found) == [("unknown-categories", 1)]


def check_compilation():
    """torch's compilation is not part of the window."""
    found, shown = report(whole(1) + [event("cpu_op", "dynamo", 10, 10, 1100.0, 5000.0),
                                      event("cpu_op", "aten::mm", 10, 10, 1200.0, 10.0)] + whole(1, 7000.0)[:1])
    assert names(found) == [("compilation", 1)] and found["compilation_ns"] == 5000000
    assert found["window_ns"] == 1012000 and "without 5.000 ms of compilation" in shown
    assert {row["name"]: row["calls"] for row in found["operators"]} == {"aten::mm": 2}


def check_identity():
    """Ranks after the events; labels of processes."""
    os.makedirs("ranks", exist_ok=True)
    for rank in range(2):
        text = {"traceEvents": whole(3, 1000.0 + rank), "distributedInfo": {"rank": rank}}
        write(json.dumps(text), f"ranks/{rank}.json")
    found = json.loads(run("report", "--json", "--rank", "1", "ranks")[0])
    assert found["trace"]["rank"] == 1 and kernels(found)["sgemm"] == (3, 15000), found["trace"]
    assert "has no rank 2; there are 0, 1" in run("report", "--rank", "2", "ranks", code=1)[1]
    os.makedirs("processes", exist_ok=True)
    for pid in (4711, 4712):
        end = {"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": 20.0}
        text = {"baseTimeNanoseconds": 1790857026000000000, "traceEvents": [
            event("cpu_op", "aten::mm", pid, pid, 10.0, 5.0),
            event("kernel", "k", 0, 7, 16.0, 2.0, device=0), end]}
        write(json.dumps(text), f"processes/{pid}.json")
    shown, _ = run("report", "processes")
    assert "process 4711 " in shown and "process 4712 " in shown, shown


def check_overlaps():
    """A kernel of 1.6 s that overlaps three later ones: no claim is based on it."""
    events = [each for i in range(5)
              for each in launch(i + 1, 1000.0 + 20 * i) + kernel(i + 1, 1015.0 + 20 * i, 1.6e6 if i == 1 else 5.0)]
    found, shown = report(events)
    assert names(found) == [("overlapping-work", 1)] and found["devices"][0]["busy_ns"] == 40000
    idle = found["devices"][0]["idle"]
    assert (idle["host_ns"], idle["latency_ns"], idle["unknown_ns"]) == (10000, 5000, 30000), idle
    assert not [row for row in found["advice"] if row["kind"] == "launch-bound"], found["advice"]  # of one gap
    assert "on average" not in shown


def check_documents_of_other_kinds():
    """Problems are in the head of each document, and in its JSON."""
    bad = write(whole(5) + [each for i in range(5) for each in launch(101 + i, 1200.0 + 20 * i)], "bad.json")
    good = write(whole(5), "good.json")
    words = "launches-without-work: 5 of 10 launches (cudaLaunchKernel) have no kernel in the trace"
    for command, key in ((("report", "--by", "op", bad), "health"), (("kernels", bad), "health"),
                         (("diff", good, bad), "b.health"), (("diff", bad, good), "a.health")):
        shown = run(*command)[0]
        side = {"b.health": "B: ", "a.health": "A: "}.get(key, "")
        assert side + words in shown, (command, shown)
        found = json.loads(run(*command, "--json")[0])
        for part in key.split("."):
            found = found[part]
        assert [(item["name"], item["count"]) for item in found] == [("launches-without-work", 5)], (command, found)
    # The baseline of a report is checked, too.
    run("report", "--baseline", bad, good)


for check in (check_whole, check_launches, check_steps, check_quotes, check_documents, check_nothing_known,
              check_compilation, check_identity, check_overlaps,
              check_documents_of_other_kinds):
    check()
