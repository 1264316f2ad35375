"""Checks the estimates in a report: what must hold on any machine."""
import json
import sys

loops = known = 0
for kernel in json.load(open(sys.argv[1]))["kernels"]:
    names = {each["name"] for each in kernel.get("operators") or []}
    assert ("estimate" in kernel) == bool(names), kernel["name"]
    for loop in kernel.get("estimate", []):
        loops += 1
        shares = [cost["share_percent"] for cost in loop["costs"]]
        assert loop["source"] == "estimated", loop
        assert all(0 <= share <= 100 for share in shares) and shares == sorted(shares, reverse=True), loop
        assert all(cost["name"] in names - {None} for cost in loop["costs"]), (loop, names)
        assert loop["costs"] or loop["answer"].startswith("no estimate: "), loop
        if loop["costs"]:
            known += 1
            assert 0.5 <= loop["modelled_ns"] / loop["measured_ns"] <= 1.5, loop
            first = [cost["first"] for cost in loop["costs"]]
            assert first == sorted(first, reverse=True) and any(first) == (not loop["answer"]), loop
            assert loop["bound"] in ("arithmetic", "math functions", "divider", "reduction", "L1", loop["level"]), loop
# A busy machine leaves some loops without an estimate, but not all of them.
assert known, "no loop has costs"
print(f"{loops} loops, {known} with costs")
