"""Small programs for torch.compile; the comments at the ends of lines are what tests look for."""
import torch


def chain(a, b, c):
    d = (a + b) + c  # chain
    return d * b + c  # chain


def places(x, w):
    a = torch.softmax(x, -1)  # place
    b = torch.softmax(a @ w, -1)  # place
    return torch.softmax(b @ w, -1)  # place


def broken(x):
    y = torch.relu(x) + 1  # before
    print("in the middle")  # break
    return torch.sin(y) * 2  # after


def grows(x):
    return torch.cos(x) - 3  # grows


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(64, 64)
        self.norm = torch.nn.LayerNorm(64)

    def forward(self, x):
        h = torch.relu(self.first(x))  # layer
        h = self.norm(h)  # norm
        return torch.nn.functional.gelu(h) * x  # tail


def main():
    torch.manual_seed(0)
    torch.set_num_threads(2)
    large = [torch.rand(512, 512) for _ in range(2)]
    compiled = torch.compile(chain)
    for _ in range(3):
        result = compiled(large[0], torch.rand(1, 512), large[1])
    assert result.shape == (512, 512)
    torch.compile(places)(torch.rand(64, 64), torch.rand(64, 64))
    torch.compile(broken)(torch.rand(1000))
    growing = torch.compile(grows)
    for size in (1000, 1001, 1002):
        growing(torch.rand(size))
    model = torch.compile(Model())
    for _ in range(2):
        model(torch.rand(8, 64)).square().sum().backward()
    print("done")


main()
