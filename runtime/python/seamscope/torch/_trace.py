#===- _trace.py - records a part of the program ------------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""`trace`: a block of the program, or the steps of a schedule, as the folder of a run."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import torch
from torch.profiler import ProfilerAction

from seamscope import _runtime
from seamscope._tree import Error, message, run_tool
from seamscope.torch._process import Process, process
from seamscope.torch._schedule import ScheduleFunction

_RECORDS = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)


class Recording:
    """Recording on, one at a time in a process, into the folder of a run."""

    _now: Recording | None = None

    def __init__(self, folder: Path, operators: bool) -> None:
        self.process: Process = process()
        self.folder = folder
        self.operators = operators
        self._began_ns = 0
        self._scopes: Any = None

    def begin(self) -> None:
        if Recording._now is not None:
            raise Error(f"{self.folder}: this process is recording to {Recording._now.folder} "
                        "already; end that first")
        if self.process.runtime.first_mode == _runtime.PROFILE:
            raise Error(f"{self.folder}: SEAMSCOPE=profile keeps sums, of which no part can be "
                        "cut; unset it, or set it to trace")
        if self.operators:
            self.process.start_operators(torch)
        try:
            self._scopes = self.process.scopes()
            # Last: it empties the folder of an earlier run.
            run_tool("adopt", "--begin", self.folder)
        except BaseException:
            self.process.stop_operators()
            raise
        self._began_ns = time.time_ns()
        Recording._now = self

    def end(self) -> None:
        self.off()
        self.process.stop_operators()
        Recording._now = None

    def on(self) -> None:
        self.process.runtime.set_mode(_runtime.TRACE)

    def off(self) -> None:
        self.process.runtime.set_mode(self.process.runtime.first_mode)

    def now(self) -> int:
        ticks: int = self.process.runtime.now()
        return ticks

    def mark_step(self, number: int) -> Callable[[], None]:
        """Begins a step as torch.profiler marks them; the result ends it."""
        close: Callable[[], None] = \
            self._scopes.open(self._scopes.site(f"ProfilerStep#{number}"))
        return close

    def write(self, windows: list[tuple[int, int]], name: str = "trace.json") -> Path:
        """Writes a trace, `name` below the folder, of the calls that began in the windows."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self.process.runtime.write(path, windows)
        return path

    def complete(self, folder: Path | None = None) -> None:
        """Makes the folder, or one inside of it, that of a run."""
        target = folder or self.folder
        if folder is None:
            self.process.copy_logs(target)
        run_tool("adopt", target, "--start-ns", str(self._began_ns), "--wall-ns",
                 str(time.time_ns() - self._began_ns), "--", *command())


def command() -> list[str]:
    """The words that this program was started with."""
    return [os.fsdecode(word) for word in getattr(sys, "orig_argv", [sys.executable, *sys.argv])]


def read_report(folder: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(run_tool("report", "--json", folder, quiet=True))
    return report


class Trace:
    """What `trace` returns."""

    def __init__(self, out: str | os.PathLike[str], schedule: ScheduleFunction | None,
                 operators: bool, on_trace_ready: Callable[[Trace], object] | None) -> None:
        #: The folder that is written to.
        self.folder = Path(out).absolute()
        #: The traces that are complete, one a cycle.
        self.traces: list[Path] = []
        #: The number of the step that runs, from 0.
        self.step_num = 0
        self._schedule = schedule
        self._on_trace_ready = on_trace_ready
        self._recording = Recording(self.folder, operators)
        self._action: ProfilerAction | None = None
        self._begin: int | None = None  # of the window that is open
        self._close_step: Callable[[], None] | None = None
        self._steps_in_window = 0

    def __enter__(self) -> Trace:
        action = self._action_of(0)
        self._recording.begin()
        self.step_num = 0
        self.traces = []
        self._action = ProfilerAction.NONE
        try:
            self._move_to(action)
        except BaseException:
            self._recording.end()
            raise
        self._open_step()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 where: TracebackType | None) -> None:
        try:
            # What stands behind the last step() is recorded and is no step. Of a cycle that was cut
            # off there may be nothing to see.
            if self._schedule is not None and not self._steps_in_window:
                self._begin = None
            self._move_on(None)
        finally:
            self._losing(self._recording.end)
            self._action = None

    def step(self) -> None:
        """Ends a step, and begins the next one."""
        if self._action is None:
            raise Error(f"{self.folder}: step() outside of the `with` block of its trace")
        # Before anything changes: a schedule of the program's own may raise.
        action = self._action_of(self.step_num + 1)
        if self._close_step is not None:
            self._close_step()
            self._close_step = None
            self._steps_in_window += 1
        self.step_num += 1
        self._move_on(action)
        self._open_step()

    def report(self) -> dict[str, Any]:
        """What `seamscope report --json` says of the first trace: docs/formats.md, Report JSON.
        Times are in ns."""
        if not self.traces:
            raise Error(f"{self.folder}: no trace is complete yet; the schedule records none, or "
                        "the block has not ended")
        return read_report(self.folder)

    def _action_of(self, step: int) -> ProfilerAction:
        if self._schedule is None:
            return ProfilerAction.RECORD
        action = self._schedule(step)
        if not isinstance(action, ProfilerAction):
            raise Error(f"{self.folder}: the schedule answers {action!r} for step {step}, which is "
                        "no torch.profiler.ProfilerAction; use seamscope.torch.schedule")
        return action

    def _open_step(self) -> None:
        if self._action in _RECORDS:
            self._close_step = self._recording.mark_step(self.step_num)

    def _losing(self, work: Callable[[], object]) -> bool:
        """Does what a program that runs already does not wait for: where it fails (a full disk), what was
        recorded is lost, with a line on stderr, and the program goes on."""
        try:
            work()
        except (Error, OSError) as error:
            message(f"{self.folder}: what was recorded is not in it: {error}")
            return False
        return True

    def _move_on(self, action: ProfilerAction | None) -> None:
        done = len(self.traces)
        self._losing(lambda: self._move_to(action))
        if len(self.traces) > done and self._on_trace_ready is not None:
            self._on_trace_ready(self)

    def _move_to(self, action: ProfilerAction | None) -> None:
        before, self._action = self._action, action
        if self._begin is not None:
            saved = before is ProfilerAction.RECORD_AND_SAVE or action is None
            if saved or action not in _RECORDS:
                window = (self._begin, self._recording.now())
                self._begin = None
                if saved:
                    self._write(window)
                else:
                    message(f"{self.folder}: the schedule ends a cycle at step {self.step_num} without "
                        "RECORD_AND_SAVE: it is thrown away")
        if action is None or action is ProfilerAction.NONE:
            self._recording.off()
            return
        self._recording.on()
        if action in _RECORDS and self._begin is None:
            self._steps_in_window = 0
            self._begin = self._recording.now()

    def _write(self, window: tuple[int, int]) -> None:
        cycle = len(self.traces) + 1
        name = "trace.json" if cycle == 1 else f"trace-{cycle}.json"
        written = self._recording.write([window], name)
        self._recording.complete()
        self.traces.append(written)


def trace(out: str | os.PathLike[str], schedule: ScheduleFunction | None = None, *,
          operators: bool = True,
          on_trace_ready: Callable[[Trace], object] | None = None) -> Trace:
    """Records torch's operators and instrumented kernels of this process into the folder `out`, in
    the layout of `seamscope run`: `seamscope report out` reads it.

    ```
    with seamscope.torch.trace("out", seamscope.torch.schedule(wait=1, warmup=1, active=3)) as t:
        for batch in batches:
            train(batch)
            t.step()
    ```

    `schedule`: which steps, see `schedule()`; that of torch.profiler will do, too. None: all of the
    block. Each cycle's active steps are a trace, complete when the last of them ends: `trace.json`,
    then `trace-2.json` and so on. A cycle that the block's end cuts off is written if a step of it
    had ended.

    `operators` False: kernels alone, and the bridge to torch is not needed.
    `on_trace_ready`: called with the result of `trace` whenever a trace is complete.

    Raises `seamscope.Error` where the folder holds something else than an earlier run, when another
    trace is being recorded, or when torch's operators cannot be recorded. Once the block runs nothing is
    raised: a trace that cannot be written is lost, with a line on stderr.
    """
    return Trace(out, schedule, operators, on_trace_ready)
