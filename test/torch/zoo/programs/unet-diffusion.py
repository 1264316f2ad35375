"""One denoising step of a small diffusion U-Net with attention in the middle."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

import torch
from torch import nn
from torch.nn import functional as F


def timestep_embedding(timesteps, dim):
    """Sinusoidal embedding of the diffusion time."""
    half = dim // 2
    frequencies = torch.exp(-math.log(10000.0) * torch.arange(half) / half)
    angles = timesteps[:, None].float() * frequencies[None, :]
    return torch.cat([angles.cos(), angles.sin()], dim=-1)


class ResBlock(nn.Module):
    def __init__(self, in_channels, out_channels, time_dim):
        super().__init__()
        self.norm1 = nn.GroupNorm(8, in_channels)
        self.conv1 = nn.Conv2d(in_channels, out_channels, 3, padding=1)
        self.time = nn.Linear(time_dim, out_channels)
        self.norm2 = nn.GroupNorm(8, out_channels)
        self.conv2 = nn.Conv2d(out_channels, out_channels, 3, padding=1)
        self.skip = nn.Conv2d(in_channels, out_channels, 1)

    def forward(self, x, embedding):
        y = self.conv1(F.silu(self.norm1(x)))
        y = y + self.time(F.silu(embedding))[:, :, None, None]
        y = self.conv2(F.silu(self.norm2(y)))
        return y + self.skip(x)


class AttentionBlock(nn.Module):
    def __init__(self, channels, heads=4):
        super().__init__()
        self.heads = heads
        self.norm = nn.GroupNorm(8, channels)
        self.qkv = nn.Conv1d(channels, 3 * channels, 1)
        self.out = nn.Conv1d(channels, channels, 1)

    def forward(self, x):
        batch, channels, height, width = x.shape
        tokens = self.norm(x).flatten(2)
        qkv = self.qkv(tokens).reshape(batch, 3, self.heads, channels // self.heads, -1)
        q, k, v = (part.transpose(-1, -2) for part in qkv.unbind(1))
        y = F.scaled_dot_product_attention(q, k, v)
        y = y.transpose(-1, -2).reshape(batch, channels, height * width)
        return x + self.out(y).reshape(batch, channels, height, width)


class UNet(nn.Module):
    def __init__(self, base=16, time_dim=64):
        super().__init__()
        self.base = base
        self.time_mlp = nn.Sequential(
            nn.Linear(base, time_dim), nn.SiLU(), nn.Linear(time_dim, time_dim)
        )
        self.stem = nn.Conv2d(3, base, 3, padding=1)
        self.down1 = ResBlock(base, base, time_dim)
        self.pool1 = nn.Conv2d(base, base, 3, stride=2, padding=1)
        self.down2 = ResBlock(base, 2 * base, time_dim)
        self.pool2 = nn.Conv2d(2 * base, 2 * base, 3, stride=2, padding=1)
        self.middle1 = ResBlock(2 * base, 4 * base, time_dim)
        self.attention = AttentionBlock(4 * base)
        self.up2 = ResBlock(6 * base, 2 * base, time_dim)
        self.up1 = ResBlock(3 * base, base, time_dim)
        self.out_norm = nn.GroupNorm(8, base)
        self.out = nn.Conv2d(base, 3, 3, padding=1)

    def forward(self, x, timesteps):
        embedding = self.time_mlp(timestep_embedding(timesteps, self.base))
        skip1 = self.down1(self.stem(x), embedding)
        skip2 = self.down2(self.pool1(skip1), embedding)
        y = self.attention(self.middle1(self.pool2(skip2), embedding))
        y = F.interpolate(y, scale_factor=2.0, mode="nearest")
        y = self.up2(torch.cat([y, skip2], dim=1), embedding)
        y = F.interpolate(y, scale_factor=2.0, mode="nearest")
        y = self.up1(torch.cat([y, skip1], dim=1), embedding)
        return self.out(F.silu(self.out_norm(y)))


def make():
    torch.manual_seed(0)
    model = torch.compile(UNet().eval())
    noisy = torch.randn(2, 3, 32, 32)
    timesteps = torch.tensor([10, 500])
    alpha = torch.tensor([0.99, 0.4]).view(2, 1, 1, 1)

    @torch.no_grad()
    def step():
        noise = model(noisy, timesteps)
        return (noisy - (1 - alpha).sqrt() * noise) / alpha.sqrt()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
