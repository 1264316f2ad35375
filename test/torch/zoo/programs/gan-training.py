"""A small GAN: one step of the discriminator, then one of the generator."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.nn import functional as F


class Generator(nn.Module):
    def __init__(self, latent=32):
        super().__init__()
        self.project = nn.Linear(latent, 32 * 8 * 8)
        self.up = nn.Sequential(
            nn.ConvTranspose2d(32, 16, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(16, 1, 4, 2, 1)
        )

    def forward(self, z):
        x = F.relu(self.project(z)).view(-1, 32, 8, 8)
        return torch.tanh(self.up(x))


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 4, 2, 1),
            nn.LeakyReLU(0.2),
            nn.Conv2d(16, 32, 4, 2, 1),
            nn.LeakyReLU(0.2),
            nn.Flatten(),
        )
        self.score = nn.Linear(32 * 8 * 8, 1)

    def forward(self, x):
        return self.score(self.features(x)).squeeze(-1)


def make():
    torch.manual_seed(0)
    generator, discriminator = Generator(), Discriminator()
    generate = torch.compile(generator)
    discriminate = torch.compile(discriminator)
    g_optimizer = torch.optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999))
    d_optimizer = torch.optim.Adam(discriminator.parameters(), lr=2e-4, betas=(0.5, 0.999))
    real = torch.rand(8, 1, 32, 32) * 2 - 1
    noise = torch.randn(8, 32)
    ones, zeros = torch.ones(8), torch.zeros(8)

    def step():
        fake = generate(noise)

        d_optimizer.zero_grad()
        d_loss = F.binary_cross_entropy_with_logits(discriminate(real), ones)
        d_loss = d_loss + F.binary_cross_entropy_with_logits(discriminate(fake.detach()), zeros)
        d_loss.backward()
        d_optimizer.step()

        g_optimizer.zero_grad()
        g_loss = F.binary_cross_entropy_with_logits(discriminate(fake), ones)
        g_loss.backward()
        g_optimizer.step()
        return d_loss.detach(), g_loss.detach()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
