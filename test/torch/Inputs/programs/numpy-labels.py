"""NumPy code under torch.compile: in eager mode it is NumPy that runs."""
import numpy as np
import torch


@torch.compile
def labels(x, means):
    return np.argmin(np.linalg.norm(x - means[:, None], axis=2), axis=0)


rng = np.random.default_rng(0)
x, means = rng.standard_normal((2000, 8)).astype(np.float32), rng.standard_normal((8, 8)).astype(np.float32)
for _ in range(12):
    labels(x, means)
