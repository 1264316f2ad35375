"""A graph break by a logging call in the middle of forward."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import logging

import torch
from torch import nn

EXPECT = {"breaks": True}

logger = logging.getLogger("network")
logger.addHandler(logging.NullHandler())
logger.propagate = False
logger.setLevel(logging.INFO)


class LoggedNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(96, 96)
        self.decoder = nn.Linear(96, 96)

    def forward(self, x):
        code = torch.tanh(self.encoder(x))
        logger.info("code has the shape %s", tuple(code.shape))
        return self.decoder(code) + x


def make():
    torch.manual_seed(0)
    model = torch.compile(LoggedNetwork().eval())
    x = torch.randn(128, 96)

    def step():
        with torch.no_grad():
            return model(x)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
