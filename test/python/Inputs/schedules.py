"""schedule() returns the same as torch.profiler.schedule, for all small numbers."""
import itertools
import warnings

import seamscope.torch
import torch.profiler

warnings.simplefilter("ignore")
tried = 0
for wait, warmup, active, repeat, skip in itertools.product(range(3), range(3), range(-1, 4),
                                                            range(3), range(3)):
    numbers = dict(wait=wait, warmup=warmup, active=active, repeat=repeat, skip_first=skip)
    try:
        theirs = torch.profiler.schedule(**numbers)
    except AssertionError:
        theirs = None
    try:
        ours = seamscope.torch.schedule(**numbers)
    except ValueError:
        ours = None
    assert (ours is None) == (theirs is None), numbers
    if ours is not None:
        for step in range(40):
            assert ours(step) is theirs(step), (numbers, step)
            tried += 1
print(f"{tried} steps alike")

# It can be used in place of torch's schedule.
with torch.profiler.profile(schedule=seamscope.torch.schedule(wait=1, warmup=0, active=1)) as p:
    p.step()
    torch.ones(2) + 1
    p.step()
assert any(e.key == "aten::add" for e in p.key_averages())
for numbers in dict(wait=-1, warmup=0, active=1), dict(wait=0, warmup=0, active=0):
    try:
        seamscope.torch.schedule(**numbers)
    except ValueError as error:
        print(error)
