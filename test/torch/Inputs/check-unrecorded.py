"""Checks the key `unrecorded` of a report against the logs of steps, read without the tool.

usage: check-unrecorded.py REPORT.json FOLDER"""
import json
import statistics
import struct
import sys

STEP = struct.Struct("<IIQQQII")


def steps(folder):
    """Time in ns and page faults of the steps that compile nothing."""
    with open(f"{folder}/steps.bin", "rb") as file:
        file.seek(16)
        count = struct.unpack("<Q", file.read(8))[0]
        file.seek(1 << 16)
        rows = [STEP.unpack(file.read(STEP.size)) for _ in range(count)]
    return [(end - begin, faults, flags) for _, flags, begin, end, faults, _, _ in rows]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = json.load(file)["unrecorded"]
    folder = sys.argv[2]
    logs = {"recorded": steps(folder), "eager recorded": steps(f"{folder}/eager/1"),
            "eager": steps(f"{folder}/unrecorded/eager"),
            "compiled": steps(f"{folder}/unrecorded/compiled")}
    assert {len(log) for log in logs.values()} == {24}, logs
    assert logs["recorded"][0][2] & 1 and logs["compiled"][0][2] & 1, "the first call compiles"
    assert all(flags & 2 for _, _, flags in logs["recorded"] + logs["eager recorded"])
    assert not any(flags & 2 for _, _, flags in logs["eager"] + logs["compiled"])
    for key, first, second, names in (
            ("eager", "eager recorded", "eager", ("recorded", "unrecorded")),
            ("compiled", "recorded", "compiled", ("recorded", "unrecorded")),
            ("speedup", "eager", "compiled", ("eager", "compiled"))):
        row, sides = found[key], (logs[first], logs[second])
        # All but the first ones: what is compiled, and warm-up.
        kept = row["steps"]
        assert 12 <= kept <= 24, row
        for name, log in zip(names, sides):
            log = log[-kept:]
            assert abs(row[name]["mean_ns"] - statistics.mean(ns for ns, _, _ in log)) < 1, row
            assert row[name]["median_ns"] == statistics.median_low(ns for ns, _, _ in log), row
            assert row[name]["page_faults"] == statistics.median_low(f for _, f, _ in log), row
        ratio = row["ratio"]
        value = row[names[0]]["mean_ns"] / row[names[1]]["mean_ns"]
        assert ratio["low"] <= ratio["value"] <= ratio["high"], row
        assert abs(ratio["value"] / value - 1) < 1e-5, row


main()
