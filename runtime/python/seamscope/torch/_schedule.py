#===- _schedule.py - schedules of recorded steps -----------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Schedules like those of torch.profiler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from torch.profiler import ProfilerAction

#: Returns the action for a step; steps are numbered from 0.
ScheduleFunction = Callable[[int], ProfilerAction]


@dataclass(frozen=True)
class Schedule:
    """Skips `skip_first` steps, then repeats a cycle `repeat` times (0: until the end): `wait` steps off,
    `warmup` steps recorded and discarded, and `active` steps recorded.

    It can be called with a step's number like the result of `torch.profiler.schedule`, and can be
    passed to torch.profiler in its place.
    """

    wait: int
    warmup: int
    active: int
    repeat: int = 0
    skip_first: int = 0

    def __post_init__(self) -> None:
        if self.active <= 0 or min(self.wait, self.warmup, self.repeat, self.skip_first) < 0:
            raise ValueError(f"{self}: active must be at least 1, the others at least 0")

    def __call__(self, step: int) -> ProfilerAction:
        if step < 0:
            raise ValueError(f"step {step}: steps are counted from 0")
        step -= self.skip_first
        cycle = self.wait + self.warmup + self.active
        if step < 0 or (self.repeat and step >= self.repeat * cycle):
            return ProfilerAction.NONE
        step %= cycle
        if step < self.wait:
            return ProfilerAction.NONE
        if step < self.wait + self.warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD_AND_SAVE if step == cycle - 1 else ProfilerAction.RECORD


def schedule(*, wait: int, warmup: int, active: int, repeat: int = 0,
             skip_first: int = 0) -> Schedule:
    """The steps that `trace` records; the parameters are those of `torch.profiler.schedule`, see
    `Schedule`. Raises ValueError for invalid numbers."""
    return Schedule(wait, warmup, active, repeat, skip_first)
