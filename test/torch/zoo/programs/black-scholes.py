"""Prices and sensitivities of European options by the Black-Scholes formula."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

import torch


def normal_cdf(x):
    return 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0)))


@torch.compile
def black_scholes(spot, strike, rate, volatility, maturity):
    root = torch.sqrt(maturity)
    d1 = torch.log(spot / strike) + (rate + 0.5 * volatility**2) * maturity
    d1 = d1 / (volatility * root)
    d2 = d1 - volatility * root
    discount = torch.exp(-rate * maturity)
    call = spot * normal_cdf(d1) - strike * discount * normal_cdf(d2)
    put = call - spot + strike * discount
    density = torch.exp(-0.5 * d1**2) / math.sqrt(2.0 * math.pi)
    vega = spot * density * root
    return call, put, normal_cdf(d1), vega


def make():
    torch.manual_seed(0)
    count = 100_000
    spot = 80.0 + 40.0 * torch.rand(count)
    strike = 80.0 + 40.0 * torch.rand(count)
    volatility = 0.1 + 0.4 * torch.rand(count)
    maturity = 0.1 + 2.0 * torch.rand(count)
    rate = torch.tensor(0.02)

    def step():
        return black_scholes(spot, strike, rate, volatility, maturity)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
