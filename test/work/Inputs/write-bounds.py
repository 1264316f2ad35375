"""Writes a trace of three kernels of 1 s: bounds of work that are close, bounds that are not, and a
description that is no JSON."""

import json

# word 0 counts calls, 1 and 2 what ran certainly and at most
CLASSES = [
    {"word": 1, "lines": [[-1, 0, {"f32.add": 1}]]},
    {"word": 2, "at_most": True, "lines": [[-1, 0, {"f32.add": 1}]]},
    {"word": 3, "lines": [[-1, 0, {"read": 1}]]},
    {"word": 4, "lines": [[-1, 0, {"write": 1}]]},
    {"word": 5, "at_most": True, "lines": [[-1, 0, {"write": 1}]]},
]
WORDS = {
    "near": [1, 3 * 10**9 - 50, 50, 8 * 10**9, 4 * 10**9 - 40, 40],
    "far": [1, 10**9, 10**9, 8 * 10**9, 0, 4 * 10**9],
    "broken": [1],
}


def work(name, words):
    counts = json.dumps({"classes": CLASSES, "files": []}) if len(words) > 1 else "{"
    return {"function": name, "kernel": name, "calls": 1, "words": words, "counts": counts}


events = [
    {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 2e6 * at, "dur": 1e6,
     "args": {"kernel": name}}
    for at, name in enumerate(WORDS)
]
head = {"format": 1, "version": "0.1.0", "mode": "trace", "work": [work(*of) for of in WORDS.items()]}
print(json.dumps({"traceEvents": events, "seamscope": head}))
