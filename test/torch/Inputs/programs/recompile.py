"""A function that torch.compile has to compile again: another type, another number."""
import torch
from found import both_ways


def typed(x):
    return torch.cos(x) - 3  # typed


def numbered(x, scale, flag):
    y = x.abs() * scale  # scaled
    if flag:
        return y.sqrt() + 1  # flagged
    return y.exp() + 1  # other


def main():
    torch.manual_seed(0)
    compiled = torch.compile(typed)
    for dtype in (torch.float32, torch.float64, torch.float32):
        compiled(torch.rand(1000, dtype=dtype))
    compiled = torch.compile(numbered)
    for flag in (True, False):
        compiled(torch.rand(1000), 2.0, flag)


def check(found):
    found.check_kernels()
    again = {entry["function"]: entry for entry in found.report["recompiles"]}
    assert len(found.report["recompiles"]) == 2 and set(again) == {"typed", "numbered"}, again
    for name, reason in {"typed": "dtype mismatch", "numbered": "flag"}.items():
        entry = again[name]
        assert entry["file"] == found.program, entry
        assert found.source[entry["line"] - 1].startswith(f"def {name}("), entry
        (failed,) = entry["failed"]
        assert reason in failed["reason"], failed
        first, second = failed["graph"].split("/"), entry["graph"].split("/")
        assert first[0] == second[0] and first[1] == "0" and second[1] == "1", entry
    kernels = found.kernels("typed")
    assert sorted(kernel["calls"] for kernel in kernels) == [1, 2], kernels
    assert sorted(kernel["graph"][-2:] for kernel in kernels) == ["/0", "/1"]
    for kernel in kernels:
        assert found.operators(kernel) == {"aten::cos": 1, "aten::sub": 1}, kernel["eager_ops"]
        kind = {1: "f64", 2: "f32"}[kernel["calls"]]
        assert all(node["type"].startswith(kind) for node in kernel["nodes"]), kernel["nodes"]
    flagged, other = found.kernel("flagged"), found.kernel("other")
    assert flagged["graph"] == again["numbered"]["failed"][0]["graph"]
    assert other["graph"] == again["numbered"]["graph"]
    assert found.operators(flagged) == {"aten::abs": 1, "aten::mul": 1, "aten::sqrt": 1,
                                        "aten::add": 1}
    assert found.operators(other) == {"aten::abs": 1, "aten::mul": 1, "aten::exp": 1,
                                      "aten::add": 1}
    assert not found.report["graph_breaks"]


both_ways(main, check)
