"""Steps that wait and steps that compute in Python, outside of all operators: idle time and overhead."""
import time

import torch
from found import both_ways
from torch.profiler import record_function

STEPS = 16
WAITS, COMPUTES = 0.004, 0.002  # s, in each step


def main():
    @torch.compile
    def work(x):
        return torch.relu(x) * 2 + 1

    x = torch.rand(64, 64)
    for number in range(STEPS):
        with record_function(f"ProfilerStep#{number}"):
            y = work(x)
            time.sleep(WAITS)
            with record_function("in Python"):
                end = time.thread_time() + COMPUTES
                while time.thread_time() < end:
                    pass
            y.sum()


def check(found):
    steps = found.report["attribution"]["steps"]
    assert steps
    for step in steps:
        for side in ("eager_ns", "compiled_ns"):
            part = {part["name"]: part[side] for part in step["parts"]}
            assert sum(part.values()) == step[side], step
            # A machine with other work adds to the waits, never to the time computed.
            assert part["idle"] >= 0.99e9 * WAITS, (side, part)
            assert part["overhead"] >= 0.9e9 * COMPUTES, (side, part)


if __name__ == "__main__":
    both_ways(main, check)
