"""A graph convolution: a sparse product outside of compile, a compiled epilogue."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import warnings

import torch


def random_graph(nodes, degree):
    """A normalised adjacency matrix in the CSR format."""
    rows = torch.arange(nodes).repeat_interleave(degree)
    columns = torch.randint(0, nodes, (nodes * degree,))
    values = torch.full((nodes * degree,), 1.0 / degree)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # The CSR layout is announced as beta.
        return torch.sparse_coo_tensor(
            torch.stack([rows, columns]), values, (nodes, nodes), check_invariants=False
        ).to_sparse_csr()


@torch.compile
def epilogue(aggregated, features, weight, bias):
    hidden = torch.cat([aggregated, features], dim=-1) @ weight + bias
    hidden = torch.relu(hidden)
    return hidden / hidden.norm(dim=-1, keepdim=True).clamp_min(1e-6)


def make():
    torch.manual_seed(0)
    adjacency = random_graph(2000, 8)
    features = torch.randn(2000, 32)
    weight = torch.randn(64, 32) * 0.1
    bias = torch.zeros(32)

    def step():
        aggregated = adjacency @ features
        return epilogue(aggregated, features, weight, bias)

    return step


if __name__ == "__main__":
    step = make()
    for _ in range(60):
        step()
