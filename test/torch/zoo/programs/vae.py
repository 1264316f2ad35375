"""A convolutional variational autoencoder, one training step with the ELBO loss."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.nn import functional as F


class VAE(nn.Module):
    def __init__(self, latent=16):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 16, 4, 2, 1),
            nn.ReLU(),
            nn.Conv2d(16, 32, 4, 2, 1),
            nn.ReLU(),
            nn.Flatten(),
        )
        self.to_mean = nn.Linear(32 * 7 * 7, latent)
        self.to_logvar = nn.Linear(32 * 7 * 7, latent)
        self.from_latent = nn.Linear(latent, 32 * 7 * 7)
        self.decoder = nn.Sequential(
            nn.ConvTranspose2d(32, 16, 4, 2, 1),
            nn.ReLU(),
            nn.ConvTranspose2d(16, 1, 4, 2, 1),
        )

    def forward(self, x, noise):
        hidden = self.encoder(x)
        mean, logvar = self.to_mean(hidden), self.to_logvar(hidden)
        z = mean + noise * torch.exp(0.5 * logvar)
        y = self.from_latent(z).view(-1, 32, 7, 7)
        return self.decoder(y), mean, logvar


def elbo_loss(logits, target, mean, logvar):
    reconstruction = F.binary_cross_entropy_with_logits(logits, target, reduction="sum")
    divergence = -0.5 * torch.sum(1 + logvar - mean.square() - logvar.exp())
    return (reconstruction + divergence) / target.shape[0]


def make():
    torch.manual_seed(0)
    model = VAE()
    compiled = torch.compile(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    images = torch.rand(16, 1, 28, 28)
    noise = torch.randn(16, 16)

    def step():
        optimizer.zero_grad()
        logits, mean, logvar = compiled(images, noise)
        loss = elbo_loss(logits, images, mean, logvar)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
