"""A fully connected autoencoder with the loss inside the compiled function."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.nn import functional as F


class Autoencoder(nn.Module):
    def __init__(self, sizes=(784, 256, 64, 16)):
        super().__init__()
        encoder, decoder = [], []
        for wide, narrow in zip(sizes, sizes[1:]):
            encoder += [nn.Linear(wide, narrow), nn.GELU()]
            decoder = [nn.Linear(narrow, wide), nn.GELU()] + decoder
        self.encoder = nn.Sequential(*encoder[:-1])
        self.decoder = nn.Sequential(*decoder[:-1], nn.Sigmoid())

    def forward(self, x):
        return self.decoder(self.encoder(x))


def make():
    torch.manual_seed(0)
    model = Autoencoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    data = torch.rand(64, 784)

    @torch.compile
    def compute_loss(batch):
        return F.mse_loss(model(batch), batch)

    def step():
        optimizer.zero_grad()
        loss = compute_loss(data)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
