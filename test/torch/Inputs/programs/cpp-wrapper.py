"""The code around the kernels is C++ too."""
import torch
import torch._inductor.config as config
from found import around_a_product, both_ways


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
    product = around_a_product(found)
    assert found.tags(product["python"]) == {"product"} and "mm" in product["kernel"], product


both_ways(main, check)
