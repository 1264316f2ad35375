"""count-events.py TRACE PATTERN..: how many X events have a name in which each pattern is found."""

import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    names = [event["name"] for event in json.load(file)["traceEvents"] if event["ph"] == "X"]
for pattern in sys.argv[2:]:
    print(sum(bool(re.search(pattern, name)) for name in names))
