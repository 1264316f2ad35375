"""many-kernels.py N FILE: a trace of N kernels, each called once with a region of 4 threads."""
import json
import sys

count, path = int(sys.argv[1]), sys.argv[2]
events = []
for i in range(count):
    at = i * 10000.0
    events.append({"ph": "X", "cat": "cpu_op", "name": f"kernel_{i}", "pid": 1, "tid": 1, "ts": at,
                   "dur": 1000.0 + i, "args": {"kernel": f"kernel_{i}", "file": "k.cpp",
                                               "line": i + 1}})
    for thread in range(4):
        name = f"kernel_{i} [parallel k.cpp:{i + 1}]"
        events.append({"ph": "X", "cat": "omp_region", "name": name, "pid": 1, "tid": 1 + thread,
                       "ts": at + 1, "dur": 900.0,
                       "args": {"kernel": f"kernel_{i}", "region": name, "thread": thread,
                                "file": "k.cpp", "line": i + 1}})
with open(path, "w") as file:
    json.dump({"traceEvents": events}, file)
