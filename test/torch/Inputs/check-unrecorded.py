"""Checks the key `unrecorded` of a report against the logs of steps, read without the tool.

usage: check-unrecorded.py REPORT.json FOLDER"""
import json
import statistics
import struct
import sys

STEP = struct.Struct("<IIQQQII")


COMPILES, RECORDED = 1, 2


def steps(folder):
    """Time in ns, page faults and flags of each step."""
    with open(f"{folder}/steps.bin", "rb") as file:
        file.seek(16)
        count = struct.unpack("<Q", file.read(8))[0]
        file.seek(1 << 16)
        rows = [STEP.unpack(file.read(STEP.size)) for _ in range(count)]
    return [(end - begin, faults, flags) for _, flags, begin, end, faults, _, _ in rows]


def steady(first, second, recorded):
    """Pairs of steps that compile nothing, the first recorded or not and the second not."""
    return [(a, b) for a, b in zip(first, second) if not (a[2] | b[2]) & COMPILES
            and bool(a[2] & RECORDED) == recorded and not b[2] & RECORDED]


def trimmed(times):
    """Mean without a tenth at each end."""
    cut = len(times) // 10
    return statistics.mean(sorted(times)[cut:len(times) - cut])


def in_turns(log):
    """Of each two calls, one recorded and one not, whichever comes first."""
    pairs = []
    for first, second in zip(log[::2], log[1::2]):
        assert (first[2] ^ second[2]) & RECORDED, (first, second)
        pairs.append((first, second) if first[2] & RECORDED else (second, first))
    return pairs


def check(row, names, pairs):
    # The first ones may be warm-up.
    assert len(pairs) / 2 <= row["steps"] <= len(pairs), (row, len(pairs))
    pairs = pairs[-row["steps"]:]
    for name, log in zip(names, zip(*pairs)):
        assert abs(row[name]["mean_ns"] - trimmed([ns for ns, _, _ in log])) < 1, row
        assert row[name]["median_ns"] == statistics.median_low(ns for ns, _, _ in log), row
        assert row[name]["page_faults"] == statistics.median_low(f for _, f, _ in log), row
    ratio = row["ratio"]
    if ratio is None:  # one of them had to give its processors to other work
        assert max(row[name]["preempted"] for name in names) >= 1, row
        return
    value = row[names[0]]["mean_ns"] / row[names[1]]["mean_ns"]
    assert ratio["low"] <= ratio["value"] <= ratio["high"], row
    assert abs(ratio["value"] / value - 1) < 1e-4, row


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = json.load(file)["unrecorded"]
    folder = sys.argv[2]
    logs = {"compiled": (steps(folder), steps(f"{folder}/unrecorded/compiled")),
            "eager": (steps(f"{folder}/eager/1"), steps(f"{folder}/unrecorded/eager"))}
    assert all(len(log) == 24 for both in logs.values() for log in both), logs
    assert all(log[0][2] & COMPILES for log in logs["compiled"]), "the first call compiles"
    kinds = ("recorded", "unrecorded")
    for key, (whole, turns) in logs.items():
        assert all(flags & RECORDED for _, _, flags in whole), key
        # Left to chance, and not every second one.
        recorded = [flags & RECORDED for _, _, flags in turns]
        assert recorded not in ([0, RECORDED] * 12, [RECORDED, 0] * 12), key
        check(found[key]["of_runs"], kinds, steady(whole, turns, True))
        check(found[key]["in_turns"], kinds, steady(*zip(*in_turns(turns)), True))
    assert [f & RECORDED for _, _, f in logs["eager"][1]] == [f & RECORDED for _, _, f in logs["compiled"][1]]
    own = steps(f"{folder}/own-compiler")
    assert found["speedup_of_own"] and found["speedup"]["runs"] == 1, found["speedup"]
    check(found["speedup"], ("eager", "compiled"), steady(logs["eager"][1], own, False))


main()
