"""How often the first operator of `report --estimate` is the one that costs most when operators of a fused loop are
left out in turn, and timed.

A loop counts as agreed if the operator that the estimate names first costs most when it is left out, or at least 95 %
of that; or if both say that no operator costs: the estimate that the loop is bound by memory, and leaving out any of
them saves less than a tenth. A loop without an estimate is not agreed."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import fnmatch
import glob
import json
import os
import subprocess

from measure import bar, build, clean, fail, here, run
from torch_ops import find_python

program = os.path.join(here, "operator_loops.py")
tool = os.path.join(build, "bin", "seamscope")
CHEAP, TIE = 0.1, 0.95


def loops(python):
    return json.loads(run([python, program, "names"]))


def measured(python, out, name):
    """The time of a call in ns and how much less it takes without each operator, by its number."""
    file, = glob.glob(os.path.join(out, "generated", "*.main.cpp"))
    found = json.loads(run(["timeout", "300", python, program, "leave-out", file, name]))
    return found["ns"], {int(key): cost for key, cost in found["costs"].items()}


def estimated(out, roofs):
    """The names of the kernel's operators by number, and its estimate, whose loops are one."""
    report = json.loads(run([tool, "report", "--json", "--estimate", "--machine", roofs, out]))
    kernel, = [each for each in report["kernels"] if each.get("operators")]
    estimate, = kernel["estimate"]
    return {each["number"]: each["name"] for each in kernel["operators"][:-1]}, estimate


def agrees(first, ns, costs, names, estimate):
    most = max(costs.values())
    if estimate["costs"] and estimate["answer"]:  # bound by memory
        return most < CHEAP * ns
    if not estimate["costs"] or most < CHEAP * ns:
        return False
    return max((cost for number, cost in costs.items() if names.get(number) == first), default=0) >= TIE * most


def measure_loop(python, folder, name, roofs, quiet):
    """Whether both agree, and a line about it."""
    out = os.path.join(folder, name.replace(" ", "-"))
    done = subprocess.run(["timeout", "300", tool, "run", "-o", out, "--", python, program, "run", name],
                          env={**clean, "TORCHINDUCTOR_FX_GRAPH_CACHE": "0"}, capture_output=True, text=True)
    if done.returncode:
        fail(f"{name}: {done.stderr[-500:]}")
    quiet.wait()
    ns, costs = measured(python, out, name)
    names, estimate = estimated(out, roofs)
    first = estimate["costs"][0]["name"] if estimate["costs"] else None
    agreed = agrees(first, ns, costs, names, estimate)
    most = max(costs, key=costs.get)
    said = estimate["answer"] or f"{first} {estimate['costs'][0]['share_percent']:.0f} %"
    ratio = (estimate["modelled_ns"] or 0) / estimate["measured_ns"]
    return agreed, (f"  {name:20} {ns:10.0f} ns  left out: {names.get(most, '-')} {100 * costs[most] / ns:.0f} %; "
                    f"estimated: {said}; model {ratio:.2f}; {'agreed' if agreed else 'NOT agreed'}")


def measure_operators(folder, quiet, only=None):
    python = find_python()
    if not python:
        fail("torch is not there: ./dev setup")
    library = run([python, "-c", "import os, torch; "
                                 "print(os.path.join(os.path.dirname(torch.__file__), 'lib', 'libtorch_cpu.so'))"])
    roofs = os.path.join(folder, "roofs.json")
    quiet.wait()
    run(["timeout", "300", tool, "machine", "--sleef", library.strip(), "-o", roofs])
    chosen = [each for each in loops(python) if fnmatch.fnmatch(each, only or "*")]
    if not chosen:
        fail(f"no loop has a name like {only}")
    count = 0
    for name in chosen:
        agreed, line = measure_loop(python, folder, name, roofs, quiet)
        count += agreed
        print(line, flush=True)
    bar("loops whose most expensive operator the estimate names", count / len(chosen), 0.9, "",
        f"{count} of {len(chosen)}", least=True)
