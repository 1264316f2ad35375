"""Calls of one compiled function with inputs of two sizes. As a check: input-steps.py --check N TRACE, and with a
report, --check N TRACE REPORT: which calls have the inputs of their operators in the trace, and that they are right."""
import json
import sys

SIZES = (8, 24)
CALLS = 20  # of each size
FIRST = 3


def sizes():
    """The size changes with each fifth call."""
    return [SIZES[call // 5 % 2] for call in range(CALLS * len(SIZES))]


def main():
    import torch

    weight = torch.rand(16, 16)
    function = torch.compile(lambda x: torch.relu(x @ weight), dynamic=True)
    for size in sizes():
        function(torch.rand(size, 16))
        torch.rand(2).sum()  # between two steps; belongs to the one before


def check(every, trace, report=None):
    with open(trace, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    steps = [e for e in events if str(e.get("name", "")).startswith("seamscope.compiled ")]
    steps.sort(key=lambda e: e["ts"])
    products = [e for e in events if e.get("name") == "aten::mm"]
    sums = [e for e in events if e.get("name") == "aten::sum"]
    assert len(steps) == CALLS * len(SIZES), len(steps)
    recorded = []
    for number, (step, size) in enumerate(zip(steps, sizes())):
        begin = step["ts"]
        end = steps[number + 1]["ts"] if number + 1 < len(steps) else float("inf")
        # The last one: torch tries the operator out while it compiles.
        product = max((e for e in products if begin <= e["ts"] < begin + step["dur"]), key=lambda e: e["ts"])
        between = [e for e in sums if begin + step["dur"] <= e["ts"] < end]
        dims = product["args"].get("Input Dims")
        # The third one is the result, which Inductor allocates.
        assert dims is None or dims[:2] == [[size, 16], [16, 16]], (number, size, dims)
        assert {"Input Dims" in e["args"] for e in between} == {dims is not None}, number
        assert all(e["dur"] > 0 for e in [product, *between])
        recorded.append(dims is not None)
    for size in SIZES:
        of_size = [has for has, its in zip(recorded, sizes()) if its == size]
        assert all(of_size[:FIRST]), of_size
        for turn in range(1, CALLS // every):
            assert sum(of_size[turn * every : (turn + 1) * every]) == 1, of_size
    if report is not None:
        with open(report, encoding="utf-8") as file:
            said = json.load(file).get("operator_inputs")
        if all(recorded):
            assert said is None, said
            said = {"numbers": [f"1-{len(steps)}"], "steps": len(steps), "recorded": len(steps)}
        numbers = []
        for each in said["numbers"]:
            first, _, last = each.partition("-")
            numbers += range(int(first), int(last or first) + 1)
        assert numbers == [number + 1 for number, has in enumerate(recorded) if has], said
        assert (said["steps"], said["recorded"]) == (len(steps), len(numbers)), said
    print(f"inputs of {sum(recorded)} steps of {len(steps)}")


if sys.argv[1:2] == ["--check"]:
    check(int(sys.argv[2]), *sys.argv[3:])
else:
    main()
