"""check-by-module.py REPORT.json GROUPS.json: the time by module is that of the kernels, each in the deepest
module that holds all that it names. For programs whose graphs call each kernel in one place.
"""

import collections
import json
import os
import sys

report, groups = (json.load(open(path)) for path in sys.argv[1:])
expected = collections.defaultdict(lambda: [0, 0])
for kernel in report["kernels"]:
    paths = [each["path"].split(".") for each in kernel["modules"] if each["path"]]
    common = os.path.commonprefix(paths) if len(paths) == len(kernel["modules"]) else []
    row = expected[" > ".join(common) or "[no module]"]
    row[0] += kernel["calls"]
    row[1] += kernel["total_ns"]
found = {row["key"]: [row["calls"], row["total_ns"]] for row in groups["rows"]}
assert found == expected, (found, dict(expected))
assert any(" > " in key for key in found), found
print(len(found), "modules with all time of the kernels")
