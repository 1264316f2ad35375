"""Checks traces of limited size.

usage: out-limit.py SEAMSCOPE PROGRAM FOLDER-FOR-SPOOLS

PROGRAM CALLS [kill] calls `early` CALLS times, then `late` on each of two threads.
"""

import glob
import gzip
import json
import os
import subprocess
import sys

tool, program, spools = sys.argv[1:]
CALLS = 10_000
base = dict(os.environ, SEAMSCOPE_SPOOL_DIR=spools, SEAMSCOPE_THROTTLE="off")


def run(*words, **more):
    got = subprocess.run(words, env=dict(base, **more), capture_output=True, text=True)
    assert got.returncode in (0, 137), got
    return got.stderr


def report(path):
    rows = json.loads(subprocess.check_output([tool, "report", "--json", path], env=base))
    return rows, {row["name"].split("(")[0]: row for row in rows["kernels"]}


def check_part(path, spool):
    """Checks that a part has the totals of the whole trace, which is in a spool."""
    whole, all_rows = report(spool)
    part, rows = report(path)
    told = part["trace"]["part"]
    assert os.path.samefile(told["all_in"], spool), told
    assert told["calls"] + told["left_out"] == 3 * CALLS and told["calls"] > 500, told
    assert os.path.getsize(path) < 1.3 * 2**20
    assert whole["trace"]["part"] is None
    for name, calls in (("early", CALLS), ("late", 2 * CALLS)):
        one, other = rows[name], all_rows[name]
        assert one["calls"] == other["calls"] == calls, (one, other)
        # A sum is rounded once, but the ends of each call are rounded.
        assert abs(one["total_ns"] - other["total_ns"]) <= calls, (one, other)
        assert abs(one["max_ns"] - other["max_ns"]) <= 1 and abs(one["min_ns"] - other["min_ns"]) <= 1
        # Shares of the window are not shown, since they would be of a part.
        assert one["self_ns"] is None and other["self_ns"] is not None
    assert abs(part["window_ns"] - whole["window_ns"]) <= 2, (part["window_ns"], whole["window_ns"])
    with open(path) as file:
        trace = json.load(file)
    begins = sorted(event["ts"] for event in trace["traceEvents"] if event["ph"] == "X")
    assert len(begins) == told["calls"] and begins[-1] * 1000 < told["until_ns"]
    # The part has the first calls, without gaps.
    all_json = "all.json"
    run(tool, "convert", spool, all_json)
    with open(all_json) as file:
        everything = json.load(file)["traceEvents"]
    everything = sorted(event["ts"] for event in everything if event["ph"] == "X")
    assert len(everything) == 3 * CALLS
    # The conversion may have used a later clock reading.
    assert all(abs(a - b) < 1 for a, b in zip(begins, everything)), (begins[-1], everything[len(begins)])
    text = subprocess.check_output([tool, "report", path], env=base, text=True)
    assert "a part: the" in text and "all of them are in" in text, text
    got = subprocess.run([tool, "report", "--by", "kernel", path], env=base, capture_output=True, text=True)
    assert got.returncode == 1 and spool.rpartition("/")[2] in got.stderr, got


# At exit.
said = run(program, str(CALLS), SEAMSCOPE="trace", SEAMSCOPE_OUT="k.json", SEAMSCOPE_OUT_LIMIT="1M")
assert said.count("\n") == 1 and f"of {3 * CALLS} calls" in said and "k.spool" in said, said
assert "SEAMSCOPE_OUT_LIMIT=1M" in said, said
check_part("k.json", "k.spool")
assert not os.listdir(spools)

# If a spool cannot be written next to the trace, it stays in its folder.
said = run(program, str(CALLS), SEAMSCOPE="trace", SEAMSCOPE_OUT="/dev/null", SEAMSCOPE_OUT_LIMIT="1M")
left = glob.glob(spools + "/*.spool")
assert len(left) == 1 and left[0] in said, (said, left)
assert report(left[0])[1]["late"]["calls"] == 2 * CALLS
assert report(left[0])[0]["trace"]["recording_end"] == "exit"
os.remove(left[0])

# The trace of a killed program is limited, too.
said = run(tool, "run", "-o", "killed.json", "--", program, str(CALLS), "kill", SEAMSCOPE_OUT_LIMIT="1M")
assert "killed.spool" in said, said
check_part("killed.json", "killed.spool")
assert not os.listdir(spools)

# No limit, or a limit that is not reached: the trace is complete, and there is no spool.
for limit in ("0", "1G"):
    said = run(program, str(CALLS), SEAMSCOPE="trace", SEAMSCOPE_OUT="w.json", SEAMSCOPE_OUT_LIMIT=limit)
    assert said == "" and not os.path.exists("w.spool"), said
    rows, by_name = report("w.json")
    assert rows["trace"]["part"] is None and by_name["late"]["calls"] == 2 * CALLS
said = run(program, "1", SEAMSCOPE="trace", SEAMSCOPE_OUT="w.json", SEAMSCOPE_OUT_LIMIT="much")
assert "SEAMSCOPE_OUT_LIMIT='much' is not a size" in said, said

# With the default name, a large trace is compressed.
assert not glob.glob("seamscope.*")
said = run(program, "180000", SEAMSCOPE="trace")
(name,) = glob.glob("seamscope.*")
assert name.endswith(".json.gz") and name in said, (name, said)
with gzip.open(name) as file:
    assert file.read(1) == b"{"
