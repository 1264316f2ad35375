"""same-reports.py COLD WARM: reports of two runs of a program say the same of its graphs and kernels:
all but times, and what differs from process to process. No graph of the second is of another program.
"""
import json
import os
import sys

cold, warm = (json.load(open(path)) for path in sys.argv[1:])


def what(value, key=""):
    """The value without what differs between any two runs."""
    if isinstance(value, dict):
        return {name: what(each, name) for name, each in value.items()
                if not name.endswith(("_ns", "histogram")) and
                name not in ("process", "pid", "tid", "imbalance", "window_share", "gbps", "threads_used", "roof", "work_time")}
    if isinstance(value, list):
        rows = [what(each) for each in value]
        # The longest comes first, which may be another one each time.
        return sorted(rows, key=json.dumps) if key in ("regions", "waits", "tasks", "loops", "work_by_thread") else rows
    # Caches and folders of runs lie apart; the name of a generated file is its hash.
    return os.path.basename(value) if key == "file" and value and value.endswith(".main.cpp") else value


def by_name(kernels):
    return sorted(what(kernels), key=lambda kernel: kernel["name"])


assert by_name(cold["kernels"]) == by_name(warm["kernels"]), "\n".join(
    f"{a}\n{b}\n" for a, b in zip(by_name(cold["kernels"]), by_name(warm["kernels"])) if a != b)
assert what(cold["graphs"]) == what(warm["graphs"])
assert cold["kernels"] and not any(use["old_lines"] for kernel in warm["kernels"]
                                   for use in kernel["uses"])
print(f"the same {len(cold['kernels'])} kernels")
