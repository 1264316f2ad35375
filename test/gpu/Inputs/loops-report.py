"""loops-report.py REPORT.json: checks the loops of the kernel `two` of loops.cu in a report."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    (kernel,) = [each for each in json.load(file)["kernels"] if each["name"] == "two"]
first, second = kernel["loops"]
assert (first["source"]["line"], second["source"]["line"]) == (18, 23), kernel["loops"]
assert first["parent"] is None and second["parent"] is None and first["id"] != second["id"]
for loop in first, second:
    assert loop["self_ns"] == loop["total_ns"] > 0 and loop["launches"] == 3, loop
    # Each warp enters it once: five blocks of two, three times; more if its threads enter one by one.
    assert 30 <= loop["calls"] <= 30 * 32, loop
assert first["total_ns"] + second["total_ns"] <= kernel["total_ns"], kernel
ratio = second["total_ns"] / first["total_ns"]
assert 3.6 < ratio < 4.4, ratio
assert abs(second["clocks"] / first["clocks"] / ratio - 1) < 0.01
print("two: a second loop of four times the first's time, no more together than the kernel")
