"""Compiled functions with causes of findings, or the same without them.

usage: advised.py causes|none, or advised.py --check WITH.json WITHOUT.json
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import sys

CAUSES = sys.argv[1] == "causes"
KINDS = {"graph-breaks", "fallback", "oversubscribed", "unrolled-loop", "scalar-code", "atomics", "eager-optimizer",
         "symbolic-floats", "constant-kernels"}


def main():
    import torch

    if CAUSES:
        torch.set_num_threads(4 * len(os.sched_getaffinity(0)))

    @torch.compile
    def picked(x, mask):
        y = torch.relu(x) * 2
        return torch.sin(y[mask] if CAUSES else y + mask) + 1

    @torch.compile
    def ordered(x):
        return (torch.sort(x, dim=-1).values if CAUSES else torch.exp(x)) * 2

    torch.manual_seed(0)
    x = torch.rand(256, 512)
    mask = x > 0.5
    with torch.no_grad():
        for _ in range(12):
            picked(x, mask)
            ordered(x)


def check(with_causes, without):
    found = {advice["kind"]: advice for advice in with_causes["advice"]}
    assert {"graph-breaks", "fallback", "oversubscribed"} <= set(found), found
    broken = found["graph-breaks"]
    assert "aten.nonzero.default" in broken["evidence"] and "advised.py:" in broken["evidence"], broken
    assert "capture_dynamic_output_shape_ops" in broken["remedy"], broken
    assert "aten::sort" in found["fallback"]["evidence"], found["fallback"]
    threads = 4 * len(os.sched_getaffinity(0))
    assert found["oversubscribed"]["evidence"].startswith(f"{threads} threads on "), found["oversubscribed"]
    others = KINDS & {advice["kind"] for advice in without["advice"]}
    assert not others, without["advice"]
    print("as the program has them")


if sys.argv[1] == "--check":
    check(*(json.load(open(path)) for path in sys.argv[2:]))
else:
    main()
