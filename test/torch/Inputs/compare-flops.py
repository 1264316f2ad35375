"""compare-flops.py REPORT FLOPS: the report's FLOPs beside FlopCounterMode's, operator by operator."""

import json
import sys

with open(sys.argv[1]) as file:
    operators = json.load(file)["operators"]
with open(sys.argv[2]) as file:
    counted = json.load(file)
ours = {
    row["name"].removeprefix("aten::"): row["flop"]
    for row in operators
    if row["work"] in ("matmul", "convolution", "attention") and row["flop"] is not None
}
# FlopCounterMode counts what it has no formula for (mv, dot) as nothing.
extra = {"mv", "dot", "addr"}
wrong = [
    f"{name}: {ours.get(name)}, torch counts {counted.get(name)}"
    for name in sorted(set(ours) | set(counted))
    if ours.get(name) != counted.get(name) and name not in extra
]
if wrong or len(counted) < 7:
    sys.exit("\n".join(wrong) or f"only {sorted(counted)} counted")
