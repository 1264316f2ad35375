"""A function that torch.compile cannot take whole."""
import torch
from found import both_ways


def halves(x):
    y = torch.relu(x) + 1  # before
    torch._dynamo.graph_break()  # break
    return torch.sin(y) * 2  # after


def loops(x):
    total = x * 3  # loop
    if total.sum() > 0:  # branch
        total = torch.exp(total) - 1  # then
    return total


def main():
    torch.manual_seed(0)
    for function in (halves, loops):
        compiled = torch.compile(function)
        for _ in range(2):
            x = torch.rand(1000)
            torch.testing.assert_close(compiled(x), function(x))


def check(found):
    assert found.check_kernels() == 4
    breaks = {entry["line"]: entry for entry in found.report["graph_breaks"]}
    assert set(breaks) == {found.line_of("break"), found.line_of("branch")}, breaks
    for entry in breaks.values():
        assert entry["file"] == found.program and entry["reason"], entry
        assert found.source[entry["line"] - 1] == entry["code"], entry
    asked, branch = breaks[found.line_of("break")], breaks[found.line_of("branch")]
    assert asked["function"] == "halves" and "graph_break()" in asked["reason"], asked
    assert branch["function"] == "loops", branch
    assert "data-dependent" in branch["reason"].lower(), branch
    for tag, operators in {
        "before": {"aten::relu": 1, "aten::add": 1},
        "after": {"aten::sin": 1, "aten::mul": 1},
        "loop": {"aten::mul": 1, "aten::sum": 1, "aten::gt": 1},
        "then": {"aten::exp": 1, "aten::sub": 1},
    }.items():
        kernel = found.kernel(tag)
        assert found.operators(kernel) == operators, (tag, kernel["eager_ops"])
        assert kernel["calls"] == 2, kernel
    assert len({found.kernel(tag)["graph"] for tag in ("before", "after")}) == 2
    assert not found.report["recompiles"], found.report["recompiles"]


both_ways(main, check)
