"""The code around the kernels is C++ too."""
import torch
import torch._inductor.config as config
from found import both_ways


def mixed(x, w):
    h = torch.relu(x) + 1  # before
    h = h @ w  # product
    return torch.softmax(h, -1)  # after


def main():
    torch.manual_seed(0)
    config.cpp_wrapper = True
    compiled = torch.compile(mixed)
    for _ in range(3):
        x, w = torch.rand(64, 32), torch.rand(32, 16)
        torch.testing.assert_close(compiled(x, w), mixed(x, w))


def check(found):
    before, after = found.kernel("before"), found.kernel("after")
    assert before["name"].startswith("cpp_fused_") and "relu" in before["name"], before
    assert after["name"].startswith("cpp_fused_") and "softmax" in after["name"], after
    assert found.operators(before) == {"aten::relu": 1, "aten::add": 1}, before["eager_ops"]
    assert found.operators(after) == {"aten::softmax": 1}, after["eager_ops"]
    for kernel in (before, after):
        assert kernel["calls"] == 3 and kernel["nodes"] and kernel["template"] is None
        text = open(kernel["generated"]["file"]).read().split("\n")[kernel["generated"]["line"] - 1:]
        assert any(kernel["name"] + "(" in line for line in text[:3]) or "{" in text[0], text[:3]
        assert kernel["generated"]["file"].startswith(found.folder), kernel["generated"]
    (product,) = [call for graph in found.report["graphs"] for call in graph["calls"]
                  if call["extern"]]
    assert found.tags(product["python"]) == {"product"} and "mm" in product["kernel"], product


both_ways(main, check)
