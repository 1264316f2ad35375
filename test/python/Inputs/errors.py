"""errors.py FOLDER: errors of the package, each with one line that says what to do."""
import os
import sys

import seamscope.torch
from chain import A, events_of

folder = sys.argv[1]


def refused(what, *arguments, **options):
    try:
        with what(*arguments, **options):
            pass
    except (seamscope.Error, ValueError) as error:
        assert "\n" not in str(error), error
        print(type(error).__name__, error)
    else:
        raise AssertionError("was not refused")


trace = seamscope.torch.trace
os.mkdir(f"{folder}/full")
open(f"{folder}/full/mine", "w").close()
refused(trace, f"{folder}/full")
assert os.listdir(f"{folder}/full") == ["mine"]
refused(trace, f"{folder}/no/such")
refused(trace, f"{folder}/full/mine")
with trace(f"{folder}/outer") as outer:
    refused(trace, f"{folder}/inner")
    A.sin()
assert len(events_of(outer.traces[0], name="aten::sin")) == 1
assert not os.path.exists(f"{folder}/inner")
try:
    outer.step()
except seamscope.Error as error:
    print(error)
never = seamscope.torch.schedule(wait=5, warmup=0, active=1)
with trace(f"{folder}/never", never) as t:
    t.step()
try:
    t.report()
except seamscope.Error as error:
    print(error)
refused(trace, f"{folder}/none", lambda step: None)
# An earlier run is replaced.
with trace(f"{folder}/outer") as t:
    A.cos()
assert not events_of(t.traces[0], name="aten::sin")


class Stops(Exception):
    pass


def stops(step):
    if step == 2:
        raise Stops
    return seamscope.torch.schedule(wait=0, warmup=0, active=9)(step)


try:
    with trace(f"{folder}/stops", stops) as t:
        for _ in range(3):
            A.tan()
            t.step()
except Stops:
    assert len(events_of(t.traces[0], name="aten::tan")) == 2
# None of these errors had an effect.
with trace(f"{folder}/after") as t:
    A.sin()
assert len(events_of(t.traces[0], name="aten::sin")) == 1
print("done")
