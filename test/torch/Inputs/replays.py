"""replays.py TOOL RUN some|all: kernels of a run are replayed, each of them or one of each kind."""

import json
import os
import shutil
import subprocess
import sys

tool, run, which = sys.argv[1:]


def output(*command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=500, check=True, **more).stdout


with open(os.path.join(run, "calls.jsonl"), encoding="utf-8") as file:
    calls = [json.loads(line) for line in file]
# Two graphs have kernels of one name: the larger one is replayed.
TWICE = "cpp_fused_add_0"
assert [call["kernel"] for call in calls].count(TWICE) == 2, calls
calls = [call for call in calls if call["kernel"] != TWICE]
names = [call["kernel"] for call in calls]
assert len(names) >= 6 and len(set(names)) == len(names) and all(call["call"] == 1 for call in calls), names
rows = {row["name"]: row for row in json.loads(output(tool, "report", "--json", run))["kernels"]}
with_new = 0
loops = {}
replayed = [call for call in calls if which == "all" or "_softmax_" in call["kernel"] or "sum" in call["kernel"]]
for call in replayed:
    document = json.loads(output(tool, "replay", call["kernel"], run, "--json", "--seconds", "0.05"))
    found = document["replay"]
    row = rows[call["kernel"]]
    assert found["calls"] == row["calls"] and found["in_place"]["calls"] == row["calls"], (found, row)
    assert row["min_ns"] <= found["in_place"]["min_ns"] <= row["min_ns"] + 1, (found, row)
    assert not found["captured"] and found["threads"] == call["threads"], found
    states = [state["state"] for state in found["states"]]
    # Only memory that is not read can be new.
    assert states[:4] == ["in place", "hot", "written", "cold"], states
    assert states[4:] in ([], ["new", "cold and new"]), states
    with_new += len(states) > 4
    loops[call["kernel"]] = found["loops"]
    assert all(0 < state["min_ns"] <= state["low_ns"] <= state["median_ns"] <= state["high_ns"] and state["calls"] >= 6
               for state in found["states"][1:]), found
    tensors = [each for each in call["arguments"] if "dtype" in each]
    assert tensors and found["bytes"] > 0, call
assert with_new >= len(replayed) / 2, with_new
found = json.loads(output(tool, "replay", TWICE, run, "--json", "--seconds", "0.05"))["replay"]
assert found["bytes"] == 2 * 2000 * 500 * 4 and found["calls"] == 3, found
# Integers have limits, and no other type has.
limits = [each["limits"] for call in calls for each in call["arguments"] if each.get("dtype") == "int64" and
          each.get("limits")]
assert any(0 <= low < high < 100 for low, high in limits), limits

# What clang made of the loops, with their nodes. The kernel of exp is vector code of Inductor.
assert all(loop["code"] in ("vector", "written", "scalar") and loop["place"].startswith("kernel.cpp:")
           for of in loops.values() for loop in of), loops
(name,) = [name for name in loops if "_softmax_" in name]
assert any("exp" in (loop["nodes"] or "") and loop["code"] == "written" for loop in loops[name]), loops

# With changes. Which are faster is up to the machine, but each is measured or says why not.
if which == "all":
    document = json.loads(output(tool, "replay", names[0], run, "--json", "--seconds", "0.02", "--vary"))
    varied = document["replay"]["varied"]
    kinds = {row["kind"] for row in varied}
    assert {"compiler", "flags", "eager"} <= kinds <= {"threads", "compiler", "flags", "eager"}, varied
    for row in varied:
        assert (row["problem"] is None) == (row["ratio"] is not None), row
        if row["ratio"] is not None:
            assert 0 < row["ratio_low"] <= row["ratio"] <= row["ratio_high"] and row["median_ns"] > 0, row
        assert row["verdict"] in ("faster", "slower", "same", "-"), row
    assert all(row["problem"] is None for row in varied if row["kind"] in ("flags", "eager")), varied

# Without operators, one at a time. The parts, what is left, and what overlaps are the kernel.
(name,) = [name for name in names if "_softmax_" in name]
found = json.loads(output(tool, "replay", name, run, "--json", "--seconds", "0.02", "--ablate"))["replay"]
rows, whole = found["ablated"], found["ablation"]
assert any(".exp()" in row["operator"] and row["part_ns"] is not None for row in rows), rows
assert all(row["operator"].startswith("kernel.cpp:") and (row["problem"] is None) == (row["part_ns"] is not None) and
           (row["problem"] or row["part_low_ns"] <= row["part_ns"] <= row["part_high_ns"]) for row in rows), rows
parts = sum(row["part_ns"] or 0 for row in rows)
assert whole["kernel_ns"] == whole["floor_ns"] + whole["overlapped_ns"] + parts, found
assert 0 < whole["floor_ns"], whole

# Elsewhere, with the folder's own build: without torch, so that vector functions may be missing.
name = next(name for name in names if "sum" in name)
shutil.copytree(os.path.join(run, "replay", name), "elsewhere")
shutil.rmtree(os.path.join(run, "replay"))
shutil.copytree("elsewhere", "copy")
for name in ("replay", "replay.o"):
    os.remove(os.path.join("copy", name))
environment = {key: value for key, value in os.environ.items() if not key.startswith(("SEAMSCOPE", "CXX"))}
output("cmake", "-S", "copy", "-B", "copy/build", "-DCMAKE_CXX_COMPILER=clang++-22", env=environment)
output("cmake", "--build", "copy/build", env=environment)
text = output("copy/build/replay", "--seconds", "0.02", env=environment)
assert "cold and new" in text, text
assert "torch" not in output("ldd", "copy/build/replay"), text
