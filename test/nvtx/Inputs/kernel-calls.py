"""Prints the kernels of each trace by name, with how often each returned.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import collections
import json
import sys

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    count = collections.Counter(e["name"] for e in events if e.get("cat") == "cpu_op")
    for name, times in sorted(count.items()):
        print(name, times)
