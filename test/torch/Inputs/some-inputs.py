"""A trace of two steps with an operator each: some-inputs.py WHAT, the second one's, with or without inputs."""
import json
import sys

SECOND = {"with": ("aten::add", True), "without": ("aten::add", False), "region": ("Torch-Compiled Region: 0/0", False)}


def event(name, category, begin, duration, dims=False):
    args = {"Input Dims": [[2], [2]], "Input type": ["float", "float"]} if dims else {}
    return {"ph": "X", "cat": category, "name": name, "pid": 1, "tid": 1, "ts": begin, "dur": duration, "args": args}


name, dims = SECOND[sys.argv[1]]
json.dump({"traceEvents": [
    event("ProfilerStep#0", "user_annotation", 0, 90), event("aten::add", "cpu_op", 10, 20, True),
    event("ProfilerStep#1", "user_annotation", 100, 90), event(name, "cpu_op", 110, 20, dims)]}, sys.stdout)
