"""under-both.py TRACE: many operators, recorded by Seamscope's bridge and by torch.profiler at once.

Forward, backward, an optimizer, user annotations, several threads. What is printed are the
program's results: they must not depend on who watches.
"""

import sys
import threading

import torch
from torch.profiler import ProfilerActivity, profile, record_function

torch.manual_seed(0)
torch.set_num_threads(2)
model = torch.nn.Sequential(
    torch.nn.Conv2d(3, 8, 3, padding=1), torch.nn.BatchNorm2d(8), torch.nn.ReLU(),
    torch.nn.Flatten(), torch.nn.Linear(8 * 8 * 8, 10)
)
block = torch.nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)
lstm = torch.nn.LSTM(8, 16, batch_first=True)
table = torch.nn.Embedding(50, 16)
optimizer = torch.optim.Adam(model.parameters(), foreach=True)
image, label = torch.randn(2, 3, 8, 8), torch.randint(10, (2,))
tokens = torch.randint(50, (2, 6))


def odd_inputs():
    a = torch.rand(4, 5, requires_grad=True)
    torch.cat([a, a.detach()], dim=1)
    torch.stack([a, a])[:, 1:3, ::2].contiguous()
    a[torch.tensor([0, 2]), :]
    torch.zeros(2, 2, dtype=torch.float64)
    torch.full((2,), True)
    torch.rand(3, dtype=torch.complex64) * (1 + 2j)
    torch.clamp(a, min=0.1)
    a.to_sparse()
    a.bfloat16().int().sum(dtype=torch.int64)
    torch.einsum("ij,kj->ik", a, a)
    torch.nn.functional.conv2d(torch.rand(1, 1, 4, 4), torch.rand(1, 1, 2, 2), padding="same")
    torch.empty(0, 3).sum(), torch.tensor(3.5).item()
    torch.linspace(0, float("inf"), 3), torch.rand(()) * float("nan")
    torch.nested.nested_tensor([torch.rand(2, 3), torch.rand(1, 3)]) * 2
    torch.arange(40).view(list([1] * 31 + [40]))


def step():
    with record_function("a step with \N{GREEK SMALL LETTER ALPHA}"):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(image), label)
        loss.backward()
        optimizer.step()
    with record_function("rest"):
        (block(table(tokens)).square().mean() + lstm(torch.ones(2, 3, 8))[0].sum()).backward()
    with torch.no_grad():
        odd_inputs()
    return loss


def other_thread():
    x = torch.rand(30, requires_grad=True)
    with record_function("elsewhere"):
        (x.exp() * x).sum().backward()


step()
with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as recorded:
    with record_function("both record from here"):
        pass
    for _ in range(3):
        loss = step()
        recorded.step()
    with record_function("both record up to here"):
        pass
thread = threading.Thread(target=other_thread)
thread.start()
thread.join()
recorded.export_chrome_trace(sys.argv[1])
print(f"{loss.item():.6f}")
