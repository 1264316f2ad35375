"""check-clocks.py SEAMSCOPE FOLDER RANKS: reports of simulated fleets find the clocks and the waits that were put in,
within the errors that they state."""

import json
import subprocess
import sys

from clock_fleet import Fleet

tool, folder, ranks = sys.argv[1], sys.argv[2], int(sys.argv[3])


def run(*words):
    return subprocess.run([tool, "report", *words], check=True, capture_output=True, text=True, timeout=600).stdout


def combined(path, found):
    """A trace that `combine` makes has the same times, to the ns."""
    made = f"{folder}/combined.json"
    subprocess.run([tool, "combine", "--align", "collectives", "-o", made, path], check=True, capture_output=True,
                   timeout=600)
    with open(made, encoding="utf-8") as file:
        written = json.load(file)["seamscope_combined"]
    assert written["clocks"] == found["clocks"], written["clocks"]
    if found["clocks"] == "aligned by collectives":
        assert [row["clock_error_ns"] for row in written["inputs"]] == [row["clock_error_ns"] for row in found["ranks"]]
    theirs = json.loads(run("--json", made))
    for key in "window_ns", "kernels", "devices":
        assert theirs[key] == found[key], (path, key)


def check(name, fleet, basis, most_error):
    """`most_error`: in transfer times, above which an error would be of no use."""
    path = f"{folder}/{name}"
    fleet.write(path)
    found = json.loads(run("--json", path))
    assert found["clocks"] == basis, (name, found["clocks"])
    moved = basis == "aligned by collectives"
    worst = off = 0
    for rank, row in enumerate(found["ranks"]):
        assert row["rank"] == rank and row["clock_reference"] == "rank 0", (name, row)
        (first, at_first), (last, at_last) = fleet.offsets(rank)
        given = row["clock_offset_ns"]
        rate = row["clock_rate_ppm"] or 0
        assert moved or given == rate == 0, (name, row)
        for time, truth in (first, at_first), (last, at_last):
            stated = given + rate * (time - first) / 1e6
            off = max(off, abs(stated - truth))
            assert abs(stated - truth) <= row["clock_error_ns"], (name, rank, stated, truth, row["clock_error_ns"])
        worst = max(worst, row["clock_error_ns"])
    assert worst <= most_error * fleet.transfer_ns, (name, worst)
    shares = found["communication"]["ranks"]
    for rank, share in enumerate(shares):
        difference = abs(share["wait_ns"] - fleet.waits[rank])
        assert difference <= share["wait_error_ns"], (name, rank, share, fleet.waits[rank])
        # By a right clock, they are those that were put in; roundings aside.
        if basis == "aligned" and not fleet.offset_ns:
            assert difference == 0 and share["caused_ns"] == fleet.caused[rank], (name, rank, share)
        assert abs(share["caused_ns"] - fleet.caused[rank]) <= share["caused_error_ns"], (name, rank, share)
    sure = [rank for rank, share in enumerate(shares) if share["caused_ns"] > share["caused_error_ns"]]
    # Alone in its group, it is the only one that others wait for long.
    assert fleet.tensor < ranks or sure == [fleet.late], (name, sure)
    if ranks <= 64:  # of many, it takes long
        combined(path, found)
    print(f"{name}: sure of {len(sure)} ranks, off by at most {off / 1000:.1f} us, stated {worst / 1000:.1f} us")


check("right", Fleet(ranks), "aligned", 4)
check("one group", Fleet(ranks, tensor=ranks, offset_ns=2_000_000_000), "aligned by collectives", 4)
check("close", Fleet(ranks, offset_ns=1000), "aligned", 4)
check("offsets", Fleet(ranks, offset_ns=2_000_000_000), "aligned by collectives", 4)
check("unknown", Fleet(ranks, offset_ns=2_000_000_000, base=False), "aligned by collectives", 4)
check("drift", Fleet(ranks, offset_ns=1_000_000, drift_ppm=50, compute_ns=20_000_000, late_ns=20_000_000),
      "aligned by collectives", 8)
# Rank 0 shares groups with few of them.
check("chained", Fleet(ranks, offset_ns=50_000_000, world=False, base=False), "aligned by collectives", 4)

# A rank that lacks one is not matched, but still aligned by the other groups.
fleet = Fleet(ranks, offset_ns=50_000_000, drops=2)
fleet.write(f"{folder}/drops")
found = json.loads(run("--json", f"{folder}/drops"))
assert all(row["clock_error_ns"] is not None for row in found["ranks"])
assert not any(row["group"] == "0" for row in found["communication"]["skew"]), found["communication"]["skew"]
text = " ".join(run(f"{folder}/drops").split())
assert f"{ranks * fleet.steps - 1} of which ranks have different numbers" in text, text
assert "collectives contradict the times of the traces; times are aligned by collectives" in text, text
print("drops: not matched")
