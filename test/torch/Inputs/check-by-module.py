"""check-by-module.py REPORT.json TRACE.json GROUPS.json: the time by module is that of the kernels, each in the
deepest module that holds all that it names, and of the libraries' calls of the compiled regions. For programs
whose graphs call each kernel in one place.
"""

import collections
import json
import os
import sys

report, trace, groups = (json.load(open(path)) for path in sys.argv[1:])
expected = collections.defaultdict(lambda: [0, 0])
for kernel in report["kernels"]:
    paths = [each["path"].split(".") for each in kernel["modules"] if each["path"]]
    common = os.path.commonprefix(paths) if len(paths) == len(kernel["modules"]) else []
    row = expected[" > ".join(common) or "[no module]"]
    row[0] += kernel["calls"]
    row[1] += kernel["total_ns"]
found = {row["key"]: [row["calls"], row["total_ns"]] for row in groups["rows"]}
assert any(" > " in key for key in found), found
for key, (calls, total) in expected.items():
    assert found[key][0] >= calls and found[key][1] >= total, (key, found, dict(expected))

# What is more are the products, each of the module that it stands in.
events = [each for each in trace["traceEvents"] if each.get("ph") == "X"]


def inside(event, name):
    return any(each is not event and each["tid"] == event["tid"] and each["name"] == name
               and each["ts"] <= event["ts"] < each["ts"] + each["dur"] for each in events)


# Compilation runs some, too, and one may call another.
products = [round(each["dur"] * 1000) for each in events if each["name"] == "aten::addmm"
            and inside(each, "Torch-Compiled Region: 0/0") and not inside(each, "aten::addmm")]
more = {}
for key, (calls, total) in found.items():
    of_kernels = expected.get(key, [0, 0])
    more[key] = (calls - of_kernels[0], total - of_kernels[1])
linear = [row for key, row in more.items() if key.endswith("mlp > 0")]
assert products and sum(row[0] for row in linear) == len(products), (more, len(products))
assert sum(row[1] for row in linear) == sum(products), (more, sum(products))
compilation = sum(round(each["dur"] * 1000) for each in events
                  if each["name"] == "seamscope.compile" and not inside(each, "seamscope.compile"))
assert groups["of"] == "compiled code" and groups["compilation_ns"] == compilation > 0, (groups, compilation)
print(len(expected), "modules with all time of the kernels")
