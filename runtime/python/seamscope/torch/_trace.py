#===- _trace.py - records a part of the program ------------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""`trace`: records a block of the program, or the steps of a schedule, into the folder of a run."""

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
    """A recording into the folder of a run; a process has at most one at a time."""

    _current: Recording | None = None

    def __init__(self, folder: Path, operators: bool) -> None:
        self.process: Process = process()
        self.folder = folder
        self.operators = operators
        self._began_ns = 0
        self._scopes: Any = None

    def begin(self) -> None:
        if Recording._current is not None:
            raise Error(f"{self.folder}: this process is already recording to "
                        f"{Recording._current.folder}; end that first")
        if self.process.runtime.first_mode == _runtime.PROFILE:
            raise Error(f"{self.folder}: SEAMSCOPE=profile keeps only sums and no calls; unset it, or "
                        "set it to trace")
        if self.operators:
            self.process.start_operators(torch)
        try:
            self._scopes = self.process.scopes()
            # Last, since it empties the folder of an earlier run.
            run_tool("adopt", "--begin", self.folder)
        except BaseException:
            self.process.stop_operators()
            raise
        self._began_ns = time.time_ns()
        Recording._current = self

    def end(self) -> None:
        self.off()
        self.process.stop_operators()
        Recording._current = None

    def on(self) -> None:
        self.process.runtime.set_mode(_runtime.TRACE)

    def off(self) -> None:
        self.process.runtime.set_mode(self.process.runtime.first_mode)

    def now(self) -> int:
        ticks: int = self.process.runtime.now()
        return ticks

    def mark_step(self, number: int) -> Callable[[], None]:
        """Begins a step, marked like those of torch.profiler; call the result to end it."""
        close: Callable[[], None] = \
            self._scopes.open(self._scopes.site(f"ProfilerStep#{number}"))
        return close

    def write(self, windows: list[tuple[int, int]], name: str = "trace.json") -> Path:
        """Writes a trace of the calls that began in the windows to the file `name` in the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self.process.runtime.write(path, windows)
        return path

    def complete(self, folder: Path | None = None) -> None:
        """Completes the folder, or one inside of it, as the folder of a run."""
        target = folder or self.folder
        if folder is None:
            self.process.copy_logs(target)
        run_tool("adopt", target, "--start-ns", str(self._began_ns), "--wall-ns",
                 str(time.time_ns() - self._began_ns), "--", *command())


def command() -> list[str]:
    """The command line of this program."""
    return [os.fsdecode(word) for word in getattr(sys, "orig_argv", [sys.executable, *sys.argv])]


def read_report(folder: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(run_tool("report", "--json", folder, quiet=True))
    return report


class Trace:
    """A trace that is being recorded; `trace` returns it."""

    def __init__(self, out: str | os.PathLike[str], schedule: ScheduleFunction | None,
                 operators: bool, on_trace_ready: Callable[[Trace], object] | None) -> None:
        #: The folder of the traces.
        self.folder = Path(out).absolute()
        #: The completed traces, one per cycle.
        self.traces: list[Path] = []
        #: The number of the current step, from 0.
        self.step_num = 0
        self._schedule = schedule
        self._on_trace_ready = on_trace_ready
        self._recording = Recording(self.folder, operators)
        self._action: ProfilerAction | None = None
        self._begin: int | None = None  # begin of the open window
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
            # Calls after the last step() are recorded, but are not a step. A cycle that was cut off
            # before its first step() is discarded.
            if self._schedule is not None and not self._steps_in_window:
                self._begin = None
            self._move_on(None)
        finally:
            self._try(self._recording.end)
            self._action = None

    def step(self) -> None:
        """Ends the current step and begins the next one."""
        if self._action is None:
            raise Error(f"{self.folder}: step() outside of the `with` block of its trace")
        # Before anything changes, since the program's schedule may raise.
        action = self._action_of(self.step_num + 1)
        if self._close_step is not None:
            self._close_step()
            self._close_step = None
            self._steps_in_window += 1
        self.step_num += 1
        self._move_on(action)
        self._open_step()

    def report(self) -> dict[str, Any]:
        """The report of `seamscope report --json` of the first trace (docs/formats.md, Report JSON).
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
            raise Error(f"{self.folder}: the schedule returned {action!r} for step {step}, which is "
                        "not a torch.profiler.ProfilerAction; use seamscope.torch.schedule")
        return action

    def _open_step(self) -> None:
        if self._action in _RECORDS:
            self._close_step = self._recording.mark_step(self.step_num)

    def _try(self, work: Callable[[], object]) -> bool:
        """Runs `work`. If it fails (a full disk), the recording is lost and a message says so, but the
        program continues."""
        try:
            work()
        except (Error, OSError) as error:
            message(f"{self.folder}: the recording is lost: {error}")
            return False
        return True

    def _move_on(self, action: ProfilerAction | None) -> None:
        done = len(self.traces)
        self._try(lambda: self._move_to(action))
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
                        "RECORD_AND_SAVE: the cycle is discarded")
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
    """Records torch's operators and the instrumented kernels of this process into the folder `out`, in
    the layout of `seamscope run`; `seamscope report out` reads it.

    ```
    with seamscope.torch.trace("out", seamscope.torch.schedule(wait=1, warmup=1, active=3)) as t:
        for batch in batches:
            train(batch)
            t.step()
    ```

    `schedule`: the steps to record, see `schedule()`; schedules of torch.profiler work, too. None: the
    whole block. The active steps of each cycle are a trace, which is written when the last of them
    ends: `trace.json`, then `trace-2.json` and so on. If the block ends within a cycle, the cycle is
    written if one of its steps has ended.

    `operators=False` records only kernels, which does not need the bridge to torch.
    `on_trace_ready` is called with the result of `trace` whenever a trace is complete.

    Raises `seamscope.Error` if the folder has other files than those of an earlier run, if another
    trace is being recorded, or if torch's operators cannot be recorded. In the block nothing is raised:
    a trace that cannot be written is lost, with a message on stderr.
    """
    return Trace(out, schedule, operators, on_trace_ready)
