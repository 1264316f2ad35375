"""A trace that cannot be written is lost; the program in the block continues, whatever stderr is."""

import resource
import sys

import seamscope.torch
import torch


class Cell:
    """A stderr like that of notebooks, which is not a file; this one fails."""

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text
        raise OSError("the front end is gone")

    def flush(self):
        pass

    def fileno(self):
        raise OSError("not a file")


def limited(bytes_):
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, resource.RLIM_INFINITY))


def train(x):
    return torch.sin(x).sum()


x = torch.ones(64)
for stderr in (sys.stderr, Cell(), None):
    sys.stderr, before = stderr, sys.stderr
    with seamscope.torch.trace(f"{sys.argv[1]}/{type(stderr).__name__}",
                               seamscope.torch.schedule(wait=0, warmup=0, active=1, repeat=3)) as trace:
        for step in range(3):
            train(x)
            limited(100 if step < 2 else resource.RLIM_INFINITY)
            trace.step()
            limited(resource.RLIM_INFINITY)
    sys.stderr = before
    if isinstance(stderr, Cell):
        assert "the recording is lost" in stderr.text, stderr.text
    print("steps", step + 1, "traces", len(trace.traces))
