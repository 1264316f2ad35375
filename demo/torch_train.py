"""Five training steps of a small transformer, recorded by torch.profiler with shapes.

usage: torch_train.py TRACE
"""

import sys

import torch
from torch.profiler import ProfilerActivity, profile, schedule


def main():
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.TransformerEncoderLayer(256, 4, 1024, dropout=0.0, batch_first=True),
        torch.nn.TransformerEncoderLayer(256, 4, 1024, dropout=0.0, batch_first=True),
        torch.nn.Linear(256, 1000),
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    tokens, labels = torch.randn(8, 128, 256), torch.randint(1000, (8 * 128,))
    with profile(
        activities=[ProfilerActivity.CPU],
        schedule=schedule(wait=0, warmup=2, active=5),
        on_trace_ready=lambda done: done.export_chrome_trace(sys.argv[1]),
        record_shapes=True,
    ) as profiler:
        for _ in range(7):
            loss = torch.nn.functional.cross_entropy(model(tokens).flatten(0, 1), labels)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            profiler.step()


if __name__ == "__main__":
    main()
