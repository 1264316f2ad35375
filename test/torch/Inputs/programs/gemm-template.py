"""A matrix product that Inductor writes itself, with what follows it fused in."""
import torch
import torch._inductor.config as config
from found import both_ways


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(64, 128)

    def forward(self, x):
        h = self.linear(x)  # product
        return torch.relu(h) * 2  # behind


def main():
    torch.manual_seed(0)
    config.freezing = True  # a template wants weights that do not change
    config.max_autotune = True
    config.max_autotune_gemm_backends = "CPP"
    model = Layer().eval()
    compiled = torch.compile(model)
    with torch.no_grad():
        for _ in range(3):
            x = torch.rand(256, 64)
            torch.testing.assert_close(compiled(x), model(x), rtol=1e-4, atol=1e-4)


def check(found):
    assert found.check_kernels() == 1
    kernel = found.kernel("product")
    assert kernel is found.kernel("behind") and kernel["calls"] == 3, kernel
    assert "mm" in kernel["name"] and kernel["template"] == "gemm", kernel["name"]
    assert kernel["category"] == "template", kernel["category"]
    assert found.operators(kernel) == {"aten::linear": 1, "aten::relu": 1, "aten::mul": 1}
    text = open(kernel["generated"]["file"]).read()
    assert "micro_gemm" in text


both_ways(main, check)
