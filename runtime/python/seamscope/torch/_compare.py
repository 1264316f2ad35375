#===- _compare.py - compares a function compiled and in eager mode ------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""`compare`: like `seamscope run --baseline eager`, for one function in this process."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from seamscope._tree import Error, run_tool
from seamscope.torch._compile import compile as compile_function
from seamscope.torch._results import compare_results, kept, text_of
from seamscope.torch._trace import Recording, read_report

#: Calls of one side in a row. Few, so that changes on the machine affect both sides; several, so that
#: most calls find their own data in the processor's caches.
_TURN = 5


def _is_compiled(fn: Any) -> bool:
    # torch.compile sets the first attribute for modules and the second for functions.
    return hasattr(fn, "_orig_mod") or hasattr(fn, "_torchdynamo_orig_callable")


def _plain(compiled: Any) -> Any:
    """The argument of torch.compile."""
    module = getattr(compiled, "_orig_mod", None)
    return torch._dynamo.eval_frame.innermost_fn(compiled) if module is None else module


def _stance(name: str) -> contextlib.AbstractContextManager[Any]:
    try:
        stance: contextlib.AbstractContextManager[Any] = torch.compiler.set_stance(name)
    except AttributeError:
        raise Error(f"torch {torch.__version__} cannot run a compiled function without compiling "
                    "(torch.compiler.set_stance); compare needs torch 2.6 or newer") from None
    return stance


class _Side:
    """The calls of one kind, and the windows in which they ran."""

    def __init__(self, recording: Recording, stance: str, call: Callable[[], Any]) -> None:
        self.recording = recording
        self.stance = stance
        self.call = call
        self.windows: list[tuple[int, int]] = []
        self.steps = 0

    def warm_up(self, calls: int) -> list[Any]:
        """The results of the last two calls."""
        results: list[Any] = []
        with _stance(self.stance):
            for _ in range(calls):
                results = [*results[-1:], kept(self.call())]
        return results

    def take_turn(self, calls: int) -> None:
        with _stance(self.stance):
            self.recording.on()
            self.call()  # not counted: it finds the other side's data in the caches
            begin = self.recording.now()
            for _ in range(calls):
                end_step = self.recording.mark_step(self.steps)
                result = self.call()
                end_step()
                del result  # freeing it is not part of the step
                self.steps += 1
            self.windows.append((begin, self.recording.now()))
            self.recording.off()


def compare(fn: Callable[..., Any], *args: Any, repeat: int = 20, warmup: int = 3,
            out: str | os.PathLike[str] | None = None, quiet: bool = False,
            **kwargs: Any) -> dict[str, Any]:
    """Runs `fn(*args, **kwargs)` compiled and in eager mode, alternating in this process, and reports
    where the difference in time comes from.

    `fn` is a function or module, compiled or not. Each side calls it `repeat` times, after `warmup`
    calls that do not count, in which it is compiled. It must do the same in each call. `out` is a
    folder to keep, in the layout of `seamscope run --baseline eager`; without it no folder is kept.
    The report is printed unless `quiet`.

    Returns the report of `seamscope report --json` (docs/formats.md, Report JSON), with times in ns.
    `attribution` has the parts of both times, which add up exactly to the totals; `kernels` has each
    kernel with its eager operators and Python lines; `results` has the differences between the results
    of the last compiled and the last eager warm-up call (`compare_results`).

    Raises `TypeError` if `fn` cannot be called, `seamscope.Error` if `fn` runs no kernel compiled by
    torch, and the errors of `trace`.
    """
    if not callable(fn):
        raise TypeError(f"compare() takes a function or module to call, not {type(fn).__name__}: "
                        "compare(model, x), without calling it yourself")
    if repeat < 1 or warmup < 1:
        raise ValueError(f"repeat is {repeat} and warmup {warmup}: each must be at least 1")
    compiled = fn if _is_compiled(fn) else compile_function(fn)
    with contextlib.ExitStack() as stack:
        folder = Path(out).absolute() if out is not None else \
            Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="seamscope-"))) / "run"
        recording = Recording(folder, operators=True)
        recording.begin()
        stack.callback(recording.end)

        # Eager mode does not include torch's wrapper; the stance is for functions compiled inside `fn`.
        plain = _plain(compiled)
        sides = [_Side(recording, "default", lambda: compiled(*args, **kwargs)),
                 _Side(recording, "force_eager", lambda: plain(*args, **kwargs))]
        compiled_results, eager_results = (side.warm_up(warmup) for side in sides)
        results = compare_results(eager_results[-1], compiled_results[-1])
        eager_change = compare_results(eager_results[0], eager_results[-1])
        results["repeatable"] = not eager_change["max_abs"] and not eager_change["unlike"]
        del compiled_results, eager_results
        for done in range(0, repeat, _TURN):
            for side in sides:
                side.take_turn(min(_TURN, repeat - done))
        recording.write(sides[0].windows)
        recording.write(sides[1].windows, "eager/1/trace.json")
        recording.complete()
        recording.complete(folder / "eager" / "1")
        report = read_report(folder)
        if not (report.get("attribution") or {}).get("calls"):
            name = getattr(fn, "__qualname__", type(fn).__qualname__)
            raise Error(f"{name}: ran no kernel compiled by torch, so there is nothing to compare; "
                        "set TORCH_LOGS=graph_breaks to see why")
        if not quiet:
            print(run_tool("report", folder), end="")
            print(text_of(results), flush=True)
        return {**report, "results": results}
