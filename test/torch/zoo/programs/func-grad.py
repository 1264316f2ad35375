"""torch.func.grad over functional_call of a small network, with a manual update."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.func import functional_call, grad

# Of the gradients in the course of a graph those stay apart that it computes in another order.
EXPECT = {"unknown": ("unattributed",)}


def make():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(32, 64), nn.Tanh(), nn.Linear(64, 1))
    parameters = {name: value.detach().clone() for name, value in model.named_parameters()}
    x = torch.randn(128, 32)
    y = torch.sin(x.sum(dim=1, keepdim=True))

    def loss_function(values, inputs, targets):
        prediction = functional_call(model, values, (inputs,))
        return ((prediction - targets) ** 2).mean()

    @torch.compile
    def update(values, inputs, targets):
        gradients = grad(loss_function)(values, inputs, targets)
        return {name: values[name] - 0.05 * gradients[name] for name in values}

    def step():
        nonlocal parameters
        parameters = update(parameters, x, y)
        return tuple(parameters.values())

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
