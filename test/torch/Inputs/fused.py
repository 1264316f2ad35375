"""Compiles and runs the fused loop [add, add, mul, add] a few times."""
import torch


def fused(a0, a1, a2, a3, a4):
    return ((a0 + a1) + a2) * a3 + a4


def main():
    torch.manual_seed(0)
    torch.set_num_threads(2)
    large = [torch.rand(2048, 512) for _ in range(2)]
    small = [torch.rand(1, 512) for _ in range(3)]
    arguments = (large[0], small[0], large[1], small[1], small[2])
    compiled = torch.compile(fused)
    for _ in range(5):
        result = compiled(*arguments)
    torch.testing.assert_close(result, fused(*arguments))
    print("same result")


main()
