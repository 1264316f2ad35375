"""record-eager.py TRACE AVERAGES: a small CNN and a transformer block, forward and backward.

Records them with torch.profiler, shapes and stacks on, and writes key_averages() beside the trace.
"""

import json
import sys

import torch
from torch.profiler import ProfilerActivity, profile, record_function

torch.manual_seed(0)
torch.set_num_threads(1)
cnn = torch.nn.Sequential(
    torch.nn.Conv2d(3, 8, 3, padding=1),
    torch.nn.BatchNorm2d(8),
    torch.nn.ReLU(),
    torch.nn.MaxPool2d(2),
    torch.nn.Flatten(),
    torch.nn.Linear(8 * 16 * 16, 10),
)
block = torch.nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True)
image, label = torch.randn(4, 3, 32, 32), torch.randint(10, (4,))
tokens = torch.randn(2, 16, 32)


def step():
    with record_function("cnn"):
        torch.nn.functional.cross_entropy(cnn(image), label).backward()
    with record_function("transformer"):
        block(tokens).square().mean().backward()


step()
with profile(activities=[ProfilerActivity.CPU], record_shapes=True, with_stack=True) as recorded:
    for _ in range(3):
        step()
        recorded.step()
recorded.export_chrome_trace(sys.argv[1])
rows = [
    {"name": row.key, "calls": row.count, "total_us": row.cpu_time_total,
     "self_us": row.self_cpu_time_total}
    for row in recorded.key_averages()
]
with open(sys.argv[2], "w") as file:
    json.dump(rows, file)
