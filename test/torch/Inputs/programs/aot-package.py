"""A model that is compiled ahead of time, packed, loaded and run."""
import os
import tempfile
import torch
from found import around_a_product, both_ways


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(64, 128)

    def forward(self, x):
        h = torch.relu(x) + 1  # before
        h = self.linear(h)  # product
        return torch.softmax(h, -1)  # after


def main():
    torch.manual_seed(0)
    model = Model().eval()
    x = torch.rand(32, 64)
    with torch.no_grad(), tempfile.TemporaryDirectory() as folder:
        exported = torch.export.export(model, (x,))
        package = torch._inductor.aoti_compile_and_package(
            exported, package_path=os.path.join(folder, "model.pt2"))
        loaded = torch._inductor.aoti_load_package(package)
        for _ in range(3):
            x = torch.rand(32, 64)
            torch.testing.assert_close(loaded(x), model(x))


def check(found):
    product = around_a_product(found)
    # What is called inside of a module of torch's own has that line, and the program's.
    assert "mm" in product["kernel"] and len(product["python"]) == 2, product
    assert product["python"][0]["file"].endswith("nn/modules/linear.py"), product
    assert found.tags(product["python"][1:]) == {"product"}, product


both_ways(main, check)
