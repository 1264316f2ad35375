"""Checks throttled sites: exact counts, and sites that are never throttled.

usage: throttle.py SEAMSCOPE PROGRAM
"""

import json
import os
import subprocess
import sys

tool, program = sys.argv[1:]


def record(mode, throttle, calls):
    environment = dict(os.environ, SEAMSCOPE=mode, SEAMSCOPE_OUT=mode + ".json")
    environment.pop("SEAMSCOPE_THROTTLE", None)
    if throttle:
        environment["SEAMSCOPE_THROTTLE"] = throttle
    run = subprocess.run([program, str(calls)], env=environment, capture_output=True, text=True,
                         timeout=60, check=True)
    with open(mode + ".json", encoding="utf-8") as file:
        trace = json.load(file)
    report = json.loads(subprocess.check_output([tool, "report", "--json", mode + ".json"],
                                                timeout=60))
    rows = {row["name"].split("(")[0]: row for row in report["kernels"]}
    for word in run.stdout.split():
        name, _, count = word.partition("=")
        assert rows[name]["calls"] == int(count), (mode, throttle, name, rows[name]["calls"], count)
    return run.stderr, trace, rows, report


def threads_of_tiny(trace):
    return [entry for entry in trace["seamscope"].get("throttled", []) if "tiny" in entry["name"]]


def record_throttled(mode, throttle):
    """Records until both threads throttle tiny. On a busy machine, and more so in an emulator,
    several of its calls are interrupted; then a few calls have most of its time, and it is not
    throttled."""
    for _ in range(5):
        recorded = record(mode, throttle, 1000000)
        if len({entry["tid"] for entry in threads_of_tiny(recorded[1])}) == 2:
            break
    return recorded


for mode in ("trace", "profile"):
    stderr, trace, rows, report = record_throttled(mode, None)
    assert stderr == "", stderr
    threads = threads_of_tiny(trace)
    assert len({entry["tid"] for entry in threads}) == 2, threads
    for entry in threads:
        assert entry["every"] == 128, entry
        every = (entry["timed"] + entry["untimed"]) / entry["timed"]
        # The mean of some thousand draws from 1 to 255.
        assert 118 < every < 138, entry
    sampled = rows["tiny"]["sampled"]
    assert sampled["timed"] == sum(entry["timed"] for entry in threads), (sampled, threads)
    assert sampled["counted"] > 500000 and sampled["stderr_ns"] > 0, sampled
    assert all("sampled" not in rows[name] for name in ("many", "half", "longer")), rows
    if mode == "trace":
        assert "sampled" not in rows["uneven"], rows
        assert os.path.getsize("trace.json") < 100e6  # all calls: over 200 MB
        own = [row["self_ns"] for row in report["kernels"]]
        waiting = sum(report[key] or 0 for key in ("blocked_ns", "preempted_ns", "spinning_ns", "recording_ns"))
        assert sum(own) + report["unattributed_ns"] + waiting == report["window_ns"], report["window_ns"]
        # Recursive calls are counted once.
        recursive, around = rows["recursive"], rows["recursing"]
        if "sampled" in recursive:
            assert recursive["total_ns"] <= around["total_ns"], (recursive, around)
            error = recursive["sampled"]["error_ns"]
            assert recursive["total_ns"] + error > 0.8 * around["total_ns"], (recursive, around)
        # An estimate does not exceed the kernel's time.
        assert rows["tiny"]["total_ns"] <= rows["many"]["total_ns"] + rows["half"]["total_ns"], rows
    text = subprocess.check_output([tool, "report", mode + ".json"], text=True, timeout=60)
    # Samples bound a time more closely where timed calls vary, as on a busy machine.
    by_samples = {name: row["sampled"].get("by_samples") for name, row in rows.items() if "sampled" in row}
    assert ("~ by samples" if all(by_samples.values()) else "~ 1 in 128 timed") in text, (by_samples, text)

    stderr, trace, rows, report = record(mode, "off", 200000)
    assert "throttled" not in trace["seamscope"] and "sampled" not in rows["tiny"]
    stderr, trace, rows, report = record_throttled(mode, "1000")
    assert rows["tiny"]["sampled"]["every"] == 1000, rows["tiny"]

stderr = record("trace", "1", 200000)[0]
assert "SEAMSCOPE_THROTTLE='1' is neither off nor a number from 2 to" in stderr, stderr
