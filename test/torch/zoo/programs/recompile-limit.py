"""A function specialised on a Python integer until the recompile limit is reached."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

import torch

EXPECT = {"recompiles": True, "limit": True}


class Polynomial:
    """A power chosen by an attribute, which the compiler takes as a constant."""

    def __init__(self, degree):
        self.degree = degree

    @torch.compile(dynamic=False)
    def evaluate(self, x):
        result = torch.ones_like(x)
        for _ in range(self.degree):
            result = result * x + 0.5
        return torch.tanh(result)


def make():
    torch.manual_seed(0)
    polynomials = itertools.cycle([Polynomial(degree) for degree in range(1, 12)])
    x = torch.rand(256, 256)

    def step():
        return next(polynomials).evaluate(x)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
