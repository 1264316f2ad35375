"""One of two programs whose graphs are alike, and nothing else: the other is warm-second.py."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)

    def forward(self, image):
        hidden = self.conv(image)
        return torch.sigmoid(hidden) * 2


def alone(alpha):
    return torch.relu(alpha) + 1


torch.manual_seed(0)
model, plain = torch.compile(Net()), torch.compile(alone)
for _ in range(3):
    plain(torch.rand(64, 96))
    model(torch.rand(2, 3, 16, 16)).square().mean().backward()
