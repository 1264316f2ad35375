"""The same convolution and the same relu as in warm-first.py: of other variables, lines and modules,
the relu behind another kernel, so that Inductor numbers it otherwise, and compiled in another order.
"""
import torch
from torch import nn


class Picture(nn.Module):
    def __init__(self):
        super().__init__()
        self.filters = nn.Conv2d(3, 8, 3, padding=1)

    def forward(self, given):
        result = self.filters(given)
        result = result.sigmoid()
        return result * 2


def behind(beta):
    gamma = torch.softmax(beta @ beta.t(), -1)
    delta = gamma @ beta
    epsilon = delta.relu()
    return delta, epsilon + 1


torch.manual_seed(0)
picture, both = torch.compile(Picture()), torch.compile(behind)
for _ in range(3):
    picture(torch.rand(2, 3, 16, 16)).square().mean().backward()
    both(torch.rand(64, 96))
