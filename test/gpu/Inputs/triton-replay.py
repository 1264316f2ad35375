"""triton-replay.py FOLDER OUT [DEVICE]: notes a call of each kernel that torch.compile generates here, runs each alone,
and prints its times and those in the program. FOLDER has what `run pack` put there. Needs torch and Triton."""

import importlib.util
import json
import os
import statistics
import subprocess
import sys

folder, out = map(os.path.abspath, sys.argv[1:3])
device = sys.argv[3] if len(sys.argv) > 3 else "cuda"
os.makedirs(out, exist_ok=True)
os.environ["SEAMSCOPE_CALLS"] = os.path.join(out, "calls.jsonl")
if os.path.exists(os.environ["SEAMSCOPE_CALLS"]):
    os.remove(os.environ["SEAMSCOPE_CALLS"])

try:
    import torch
    import torch._inductor.async_compile as async_compile
except ImportError:
    sys.exit("no torch here: kernels of Triton are not checked")
if device == "cuda" and not torch.cuda.is_available():
    sys.exit("torch finds no GPU: kernels of Triton are not checked")
if device == "cpu":  # by Triton's interpreter
    import triton
    from fake_gpu import Driver

    triton.runtime.driver.set_active(Driver())
    torch._inductor.config.cpu_backend = "triton"


def module(name, alias):
    spec = importlib.util.spec_from_file_location(alias, os.path.join(folder, name + ".py"))
    made = importlib.util.module_from_spec(spec)
    sys.modules[alias] = made
    spec.loader.exec_module(made)
    return made


module("waiting", "_seamscope_waiting")
module("calls", "_seamscope_calls").watch_async_compile(async_compile)
wide = 64 if device == "cpu" else 8192


@torch.compile
def pointwise(x, y):
    return torch.relu(x * y + 1.5)


@torch.compile
def rows(x, index):
    return (x[index] * 3).sum(-1)


@torch.compile
def changed(x, y):
    x.mul_(y).add_(1)


x, y = (torch.rand(wide, wide, device=device) for _ in range(2))
index = torch.randint(0, wide, (wide,), device=device)
programs = (lambda: pointwise(x, y), lambda: rows(x, index), lambda: changed(x, y))
for each in programs:
    for _ in range(3):
        each()
in_place = {}
if device == "cuda":
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        for _ in range(50):
            for each in programs:
                each()
        torch.cuda.synchronize()
    for event in profile.events():
        in_place.setdefault(event.name, []).append(event.device_time * 1000)

failed = 0
with open(os.environ["SEAMSCOPE_CALLS"], encoding="utf-8") as file:
    calls = [json.loads(line) for line in file]
for call in calls:
    at = os.path.join(out, call["kernel"])
    os.makedirs(at, exist_ok=True)
    for name in ("measure.py", "triton_kernel.py"):
        with open(os.path.join(folder, name), encoding="utf-8") as source, \
                open(os.path.join(at, name), "w", encoding="utf-8") as copy:
            copy.write(source.read())
    with open(os.path.join(at, "kernel.py"), "w", encoding="utf-8") as file:
        file.write(call.pop("triton"))
    with open(os.path.join(at, "call.json"), "w", encoding="utf-8") as file:
        json.dump(call, file)
    ran = subprocess.run([sys.executable, "measure.py", "--seconds", "0.5", "--json", "measured.json"], cwd=at,
                         capture_output=True, text=True, timeout=300, check=False)
    if ran.returncode:
        failed += 1
        print(f"FAILED: {call['kernel']} alone: {ran.stderr[-500:]}")
        continue
    with open(os.path.join(at, "measured.json"), encoding="utf-8") as file:
        found = json.load(file)
    times = {each["name"]: each["median_ns"] for each in found["variants"]}
    seen = in_place.get(call["symbol"])
    print(f"{call['kernel']} with {call['config']}: alone " +
          ", ".join(f"{name} {ns / 1000:.2f} us" for name, ns in times.items()) +
          (f", in place {statistics.median(seen) / 1000:.2f} us" if seen else "") +
          f"; {(found['read'] + found['written']) / times['hot']:.0f} GB/s hot")
failed += not calls
print(f"{len(calls)} kernels of Triton, {failed} failures")
sys.exit(bool(failed))
