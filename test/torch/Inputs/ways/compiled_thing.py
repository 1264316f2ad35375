"""A compiled function and a call of it, for programs that are started in different ways."""
import torch


@torch.compile
def work(x):
    return torch.relu(x) * 3 + 1  # work


def call(times):
    x = torch.rand(256, 64)
    for _ in range(times):
        torch.testing.assert_close(work(x), torch.relu(x) * 3 + 1)


if __name__ == "__main__":
    call(2)
