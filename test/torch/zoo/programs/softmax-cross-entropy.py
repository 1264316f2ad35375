"""Cross-entropy with label smoothing and a z-loss, forward and backward."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import torch
from torch.nn import functional as F


@torch.compile
def smoothed_loss(logits, labels, smoothing=0.1):
    log_probabilities = F.log_softmax(logits, dim=-1)
    likelihood = log_probabilities.gather(1, labels.unsqueeze(1)).squeeze(1)
    uniform = log_probabilities.mean(dim=-1)
    loss = -((1 - smoothing) * likelihood + smoothing * uniform)
    penalty = torch.logsumexp(logits, dim=-1).square()
    return (loss + 1e-4 * penalty).mean()


def make():
    torch.manual_seed(0)
    weight = torch.randn(1000, 64).mul_(0.1).requires_grad_()
    features = torch.randn(128, 64)
    labels = torch.randint(0, 1000, (128,))

    def step():
        weight.grad = None
        loss = smoothed_loss(features @ weight.T, labels)
        loss.backward()
        with torch.no_grad():
            weight.sub_(weight.grad, alpha=0.5)
        return loss.detach()

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
