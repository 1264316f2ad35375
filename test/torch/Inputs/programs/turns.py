"""A training loop whose turns the program times itself, and what a report of it must say.

As a check: turns.py --check TRACE REPORT TIMES. It adds up the trace's events itself. Beside an eager run:
turns.py --check-baseline REPORT TIMES, the times of the run with torch's own compiler, which is the last.
"""
import json
import sys
import time


def main(times):
    import torch

    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.GELU(), torch.nn.Linear(512, 256))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    compiled = torch.compile(model)
    x = torch.rand(128, 256)
    begins = []
    for _ in range(24):
        begins.append(time.perf_counter_ns())
        loss = torch.nn.functional.mse_loss(compiled(x), x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with open(times, "w", encoding="utf-8") as file:
        json.dump([after - before for before, after in zip(begins, begins[1:])], file)


def check(trace, report, times):
    steps = json.load(open(report, encoding="utf-8"))["compiled_steps"]
    events = [e for e in json.load(open(trace, encoding="utf-8"))["traceEvents"] if e.get("ph") == "X"]
    assert steps["by"] == "turns", steps
    calls = sorted((e["ts"], e["tid"]) for e in events if e["name"].startswith("seamscope.compiled "))
    turns = [(begin, after) for (begin, _), (after, _) in zip(calls, calls[1:])]
    assert len(turns) == 23 == steps["steps"] + steps["compiling"] + steps["warm_up"], steps
    turns = turns[-steps["steps"]:]
    assert steps["steps"] >= 11, steps

    # By the program's own clock, in the same order.
    own = json.load(open(times, encoding="utf-8"))[-steps["steps"]:]
    assert abs(sum(own) - steps["total_ns"]) < 0.01 * sum(own), (sum(own), steps)

    thread = calls[0][1]
    for part, wanted in (("gemm", ("aten::mm", "aten::addmm")), ("memory_bound", ("cpp_fused_",))):
        found = [e for e in events if e["tid"] == thread and e["name"].startswith(wanted) and
                 any(begin <= e["ts"] < end for begin, end in turns)]
        # Calls inside of others of the same kind count once.
        outer = [e for e in found if not any(o is not e and o["ts"] <= e["ts"] and
                                             e["ts"] + e["dur"] <= o["ts"] + o["dur"] for o in found)]
        ns = sum(round(1000 * e["dur"]) for e in outer)
        (said,) = [p for p in steps["parts"] if p["name"] == part]
        assert abs(ns - said["total_ns"]) <= 2 * len(outer), (part, ns, said)
        assert said["calls"] == len(outer), (part, len(outer), said)
    assert sum(p["total_ns"] for p in steps["parts"]) == steps["total_ns"], steps
    assert 0 < steps["backward_ns"] < steps["total_ns"], steps
    print("as the program's own clock and the trace say")


def check_baseline(report, times):
    report = json.load(open(report, encoding="utf-8"))
    attribution, unrecorded, own = report["attribution"], report["unrecorded"], report["own_compiler"]
    assert attribution["steps_by"] == "turns" and not attribution["steps_marked"], attribution["steps_by"]
    assert "compiled_steps" not in report
    for side in ("eager_ns", "compiled_ns"):
        # A turn has a backward pass of its own, of about a third of it.
        assert 0.1 < attribution["backward"][side] / attribution["total"][side] < 0.9, attribution["backward"]
        assert sum(part[side] for part in attribution["parts"]) == attribution["total"][side]
    # About one of the turns, by the program's own clock, which is read before torch's wrapper begins.
    turns = json.load(open(times, encoding="utf-8"))
    assert any(abs(own["own_median_ns"] - turn) < 0.25 * turn for turn in turns), (own, turns)
    # Calls alone are shorter than turns.
    assert unrecorded["compiled"]["in_turns"]["unrecorded"]["mean_ns"] < 0.8 * unrecorded["speedup"]["compiled"]["mean_ns"]
    print("turns in all runs")


if sys.argv[1] == "--check-baseline":
    check_baseline(*sys.argv[2:])
elif sys.argv[1] == "--check":
    check(*sys.argv[2:])
else:
    main(sys.argv[1])
