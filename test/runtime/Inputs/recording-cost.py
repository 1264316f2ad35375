"""Checks the cost of recording in a report, and the report's exclude list.

usage: recording-cost.py SEAMSCOPE COMPILER ARGUMENTS
"""

import json
import os
import re
import subprocess
import sys

# Each call is recorded, which is the cost to measure.
os.environ["SEAMSCOPE_THROTTLE"] = "off"
tool, *compiler = sys.argv[1:]
program = "./many"
subprocess.run([*compiler, "-o", program], check=True)

for mode in ("trace", "profile"):
    trace = mode + ".json"
    environment = dict(os.environ, SEAMSCOPE=mode, SEAMSCOPE_OUT=trace)
    subprocess.run([program], env=environment, check=True)
    report = json.loads(subprocess.check_output([tool, "report", "--json", trace]))
    text = subprocess.check_output([tool, "report", trace], text=True)
    told = report["recording"]
    cost = told["call_cost_ns"]
    # A pair of stamps takes nanoseconds; a whole call cannot take less.
    assert 1 < told["stamp_bias_ns"] <= cost < 100_000, told
    assert told["calls"] == 300_002 and told["inside_known"] == (mode == "trace"), told
    assert abs(told["busiest_thread_ns"] - 300_002 * cost) < 300_002, told
    kernels = {re.match(r"\w+", row["name"]).group(): row for row in report["kernels"]}
    tiny, outer, sleeps = kernels["tiny"], kernels["outer"], kernels["sleeps"]
    assert abs(tiny["recording_own_ns"] - 300_000 * cost) < 300_000, tiny
    assert 0 < tiny["recording_inside_ns"] <= tiny["total_ns"], tiny
    if mode == "trace":
        assert outer["recording_inside_ns"] >= min(300_000 * (cost - 1), outer["total_ns"]), outer
    # One call and two stamps of 20 ms.
    assert sleeps["recording_inside_ns"] * 20 < sleeps["total_ns"], sleeps
    assert len(told["exclude"]) == 1 and "tiny" in told["exclude"][0], told
    found = re.search(r"SEAMSCOPE_PASS='(exclude=\S+)'", text)
    assert found and found.group(1) == "exclude=" + told["exclude"][0], text
    assert "Recording took about" in text, text

# Compiled again with the list, the short kernels are not recorded.
subprocess.run([*compiler, "-o", "few"], env=dict(os.environ, SEAMSCOPE_PASS=found.group(1)), check=True)
subprocess.run(["./few"], env=dict(os.environ, SEAMSCOPE="trace", SEAMSCOPE_OUT="few.json"), check=True)
few = json.loads(subprocess.check_output([tool, "report", "--json", "few.json"]))
names = [row["name"] for row in few["kernels"]]
assert not any("tiny" in name for name in names) and any("outer" in name for name in names), names
assert few["recording"]["exclude"] == [], few["recording"]
