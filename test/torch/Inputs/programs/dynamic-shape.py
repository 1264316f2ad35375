"""One graph for tensors of many sizes."""
import torch
from found import both_ways


def marked(x):
    y = torch.tanh(x) * x.shape[0]  # marked
    return y + 1  # marked too


def asked(x, y):
    return torch.softmax(x + y, -1)  # asked


def main():
    torch.manual_seed(0)
    compiled = torch.compile(marked)
    for size in (100, 200, 300):
        x = torch.rand(size, 16)
        torch._dynamo.mark_dynamic(x, 0)
        torch.testing.assert_close(compiled(x), marked(x))
    compiled = torch.compile(asked, dynamic=True)
    for size in (20, 30):
        x, y = torch.rand(size, size + 1), torch.rand(size, 1)
        torch.testing.assert_close(compiled(x, y), asked(x, y))


def check(found):
    assert found.check_kernels() == 2
    assert not found.report["recompiles"] and not found.report["graph_breaks"]
    kernel = found.kernel("marked")
    assert kernel is found.kernel("marked too") and kernel["calls"] == 3, kernel
    assert kernel["name"].startswith("cpp_fused_") and "tanh" in kernel["name"]
    assert found.operators(kernel) == {"aten::tanh": 1, "aten::mul": 1, "aten::add": 1}
    # The size is a name, not the number of one call.
    (tanh,) = [node for node in kernel["nodes"] if node["target"] == "torch.ops.aten.tanh.default"]
    assert tanh["type"].startswith("f32[s") and ", 16]" in tanh["type"], tanh
    kernel = found.kernel("asked")
    assert kernel["calls"] == 2 and found.operators(kernel) == {"aten::add": 1, "aten::softmax": 1}


both_ways(main, check)
