"""Three additions and a multiplication through torch.compile.

usage: torch_compile.py [CALLS]
"""

import sys

import torch


def function(a0, a1, a2, a3, a4):
    return ((a0 + a1) + a2) * a3 + a4


def main():
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    torch.manual_seed(0)
    full, row = (16384, 512), (1, 512)
    arguments = [torch.randn(shape) for shape in (full, row, full, row, row)]
    compiled = torch.compile(function)
    for _ in range(calls):
        compiled(*arguments)


if __name__ == "__main__":
    main()
