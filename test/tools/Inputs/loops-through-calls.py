"""A trace of kernels that call each other, on standard output."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json

events = []


def call(name, begin, long, kernel=None):
    events.append({"ph": "X", "cat": "loop" if kernel else "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": begin,
                   "dur": long, "args": {"kernel": kernel or name}})


call("hot", 0, 500)
call("three", 1000, 100)
call("three [loop]", 1000, 20, "three")
call("scale", 1020, 30)
call("scale [loop]", 1025, 25, "scale")
call("both", 1055, 40)
call("both [loop]", 1060, 30, "both")
call("both", 2000, 40)
call("both [loop]", 2000, 30, "both")
call("many", 3000, 66)
at = 3000
for number in range(22):
    long = 1 if number in (1, 2) else 3
    call(f"many {number if number < 3 else number + 2} [loop]", at, long, "many")
    at += long
print(json.dumps(events))
