"""trace.py FOLDER: records the steps of a schedule and a block, and checks the traces."""
import json
import os
import pathlib
import sys

import seamscope.torch  # before torch
import torch
from chain import A, B, chain, events_of, kernels_of, steps_of
from seamscope._runtime import OFF, TRACE
from seamscope.torch._process import process

out = sys.argv[1]
compiled = seamscope.torch.compile(chain)
expected = chain(A, B)
compiled(A, B)

# Steps 0: skipped; 1, 2: wait and warm up; 3 to 5: active; 6, 7; 8 to 10; nothing more.
schedule = seamscope.torch.schedule(skip_first=1, wait=1, warmup=1, active=3, repeat=2)
ready = []


def check_complete(t):
    """A trace is complete when its last step ends, and has all that a report needs."""
    ready.append(t.step_num)
    path = t.traces[-1]
    first = 3 if len(t.traces) == 1 else 8
    names = [f"ProfilerStep#{n}" for n in range(first, first + 3)]
    steps = sorted(steps_of(path), key=lambda e: e["ts"])
    assert [e["name"] for e in steps] == names, steps
    kernels = kernels_of(path)
    assert len(kernels) == 3, kernels
    for step in steps:
        inside = [e for e in kernels
                  if step["ts"] <= e["ts"] and e["ts"] + e["dur"] <= step["ts"] + step["dur"]]
        assert len(inside) == 1, (step, kernels)
    # It also has torch's operators: one `sin` per step, with its shape.
    sines = events_of(path, name="aten::sin")
    assert len(sines) == 3 and all(e["args"]["Input Dims"] == [[512, 512]] for e in sines), sines
    manifest = json.load(open(os.path.join(out, "manifest.json")))
    assert manifest["schema"] == "seamscope.run/1"
    assert manifest["traces"] == [p.name for p in t.traces], manifest
    assert len(manifest["torch_logs"]) == 1 and manifest["generated"], manifest
    assert manifest["torch"] == torch.__version__ and not manifest["notes"], manifest
    assert manifest["command"][1:] == sys.argv, manifest


with seamscope.torch.trace(out, schedule, on_trace_ready=check_complete) as t:
    for _ in range(14):
        y = compiled(A, B)
        A.sin()
        t.step()
torch.testing.assert_close(y, expected)
assert ready == [6, 11], ready
assert [p.name for p in t.traces] == ["trace.json", "trace-2.json"]
assert t.step_num == 14
kernels = [k for k in t.report()["kernels"] if k["name"].startswith("cpp_fused")]
assert kernels[0]["calls"] == 3 and kernels[0]["python"][0]["code"] == \
    "return torch.relu(a * b + 1) - a", kernels

# A block: calls before and after it are not recorded. A cycle that the end of the block cuts off is.
A.cos()
with seamscope.torch.trace(out + "-block") as t:
    A.tan()
assert [e["name"] for e in events_of(t.traces[0], cat="cpu_op")] == ["aten::tan"]
A.cos()
with seamscope.torch.trace(out + "-cut", torch.profiler.schedule(wait=0, warmup=1, active=5)) as t:
    for _ in range(3):
        A.tan()
        t.step()
assert [e["name"] for e in steps_of(t.traces[0])] == ["ProfilerStep#1", "ProfilerStep#2"]
assert len(t.traces) == 1 and len(events_of(t.traces[0], name="aten::tan")) == 2
# A block that ends with its last active step leaves no empty trace.
always = seamscope.torch.schedule(wait=0, warmup=0, active=2)
with seamscope.torch.trace(out + "-whole", always) as t:
    for _ in range(4):
        A.tan()
        t.step()
assert [len(steps_of(path)) for path in t.traces] == [2, 2]

# Without operators: only kernels.
with seamscope.torch.trace(out + "-kernels", operators=False) as t:
    A.tan()
    compiled(A, B)
assert not events_of(t.traces[0], name="aten::tan") and len(kernels_of(t.traces[0])) == 1

# Outside of a block operators are not observed; switching recording on does not observe them again.
runtime = process().runtime
runtime.set_mode(TRACE)
begin = runtime.now()
A.tan()
compiled(A, B)
runtime.write(pathlib.Path(out, "by-hand.json"), [(begin, runtime.now())])
runtime.set_mode(OFF)
assert len(events_of(f"{out}/by-hand.json", cat="cpu_op")) == 1

# A forked child does not record, and leaves no files.
with seamscope.torch.trace(out + "-fork") as t:
    child = os.fork()
    if not child:
        A.tan()
        os._exit(0)
    os.waitpid(child, 0)
    A.sin()
assert [e["name"] for e in events_of(t.traces[0], cat="cpu_op")] == ["aten::sin"]

# An exception passes through, and the recording is kept.
try:
    with seamscope.torch.trace(out + "-raises") as t:
        A.tan()
        raise KeyError("of the program")
except KeyError:
    assert len(events_of(t.traces[0], name="aten::tan")) == 1
print("all as the schedule says")
