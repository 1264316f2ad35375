"""A spectral layer: Fourier transform, complex weights and back."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch import nn
from torch.nn import functional as F


class SpectralLayer(nn.Module):
    def __init__(self, channels=16, modes=24):
        super().__init__()
        self.modes = modes
        scale = 1.0 / channels
        self.weight = nn.Parameter(
            scale * torch.randn(channels, channels, modes, dtype=torch.complex64)
        )
        self.local = nn.Conv1d(channels, channels, 1)

    def forward(self, x):
        spectrum = torch.fft.rfft(x)
        low = torch.einsum("bim,iom->bom", spectrum[..., : self.modes], self.weight)
        phase = torch.polar(torch.ones(self.modes), torch.linspace(0.0, 1.0, self.modes))
        padded = F.pad(low * phase, (0, spectrum.shape[-1] - self.modes))
        return torch.relu(torch.fft.irfft(padded, n=x.shape[-1]) + self.local(x))


def make():
    torch.manual_seed(0)
    model = torch.compile(SpectralLayer().eval())
    x = torch.randn(8, 16, 256)

    def step():
        with torch.no_grad():
            return model(x)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
