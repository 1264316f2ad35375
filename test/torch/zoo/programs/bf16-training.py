"""A perceptron with bfloat16 weights and float32 masters, one training step."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.nn import functional as F


def make():
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Linear(128, 256), nn.SiLU(), nn.LayerNorm(256), nn.Linear(256, 16)
    ).to(torch.bfloat16)
    compiled = torch.compile(model)
    masters = [p.detach().float() for p in model.parameters()]
    optimizer = torch.optim.SGD(masters, lr=0.05)
    x = torch.randn(64, 128, dtype=torch.bfloat16)
    labels = torch.randint(0, 16, (64,))

    def step():
        model.zero_grad()
        loss = F.cross_entropy(compiled(x).float(), labels)
        loss.backward()
        # Update the float32 copies and round them back to the model.
        for master, parameter in zip(masters, model.parameters()):
            master.grad = parameter.grad.float()
        optimizer.step()
        with torch.no_grad():
            for master, parameter in zip(masters, model.parameters()):
                parameter.copy_(master)
        return loss.detach()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
