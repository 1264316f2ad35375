"""A small policy network compiled in the mode reduce-overhead."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self, observations=24, actions=6):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(observations, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh()
        )
        self.mean = nn.Linear(64, actions)
        self.value = nn.Linear(64, 1)

    def forward(self, observation):
        hidden = self.body(observation)
        return torch.tanh(self.mean(hidden)), self.value(hidden).squeeze(-1)


def make():
    torch.manual_seed(0)
    policy = torch.compile(Policy().eval(), mode="reduce-overhead")
    observation = torch.randn(512, 24)

    def step():
        with torch.no_grad():
            return policy(observation)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
