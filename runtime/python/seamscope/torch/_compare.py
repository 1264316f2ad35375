#===- _compare.py - a function compiled, beside itself in eager mode ----------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""`compare`: what `seamscope run --baseline eager` does, for one function in this process."""

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

#: Calls of one kind in a row: what changes on the machine meets both kinds alike, and yet each
#: finds the processor's caches as it left them.
_TURN = 5


def _is_compiled(fn: Any) -> bool:
    # Attributes that torch gives to what torch.compile returns, for modules and for functions.
    return hasattr(fn, "_orig_mod") or hasattr(fn, "_torchdynamo_orig_callable")


def _plain(compiled: Any) -> Any:
    """What was given to torch.compile."""
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
            self.call()  # finds the other side's data in the caches
            begin = self.recording.now()
            for _ in range(calls):
                end_step = self.recording.mark_step(self.steps)
                result = self.call()
                end_step()
                del result  # giving its memory back is the caller's time
                self.steps += 1
            self.windows.append((begin, self.recording.now()))
            self.recording.off()


def compare(fn: Callable[..., Any], *args: Any, repeat: int = 20, warmup: int = 3,
            out: str | os.PathLike[str] | None = None, quiet: bool = False,
            **kwargs: Any) -> dict[str, Any]:
    """Runs `fn(*args, **kwargs)` compiled and in eager mode, in turns in this process, and says
    where the time between the two went.

    `fn` is a function or module, compiled already or not. It is called `repeat` times on each side,
    after `warmup` calls that do not count, in which it is compiled. It must do the same each time.
    `out`: a folder to keep, in the layout of `seamscope run --baseline eager`; else none is kept.
    The report is printed unless `quiet`.

    Returns what `seamscope report --json` says (docs/formats.md, Report JSON): under `attribution`
    the parts of both times, which add up to the totals to the ns; under `kernels` each kernel with
    its eager operators and lines of Python. Times are in ns. And under `results` how far the results of the
    last compiled and the last eager call of the warm-up are from each other (`compare_results`).

    Raises `TypeError` when `fn` cannot be called, `seamscope.Error` when it runs no kernel that torch
    compiled, or as `trace` does.
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

        # The stance is for what is compiled inside; torch's wrapper is not a part of eager mode.
        plain = _plain(compiled)
        sides = [_Side(recording, "default", lambda: compiled(*args, **kwargs)),
                 _Side(recording, "force_eager", lambda: plain(*args, **kwargs))]
        compiled_results, eager_results = (side.warm_up(warmup) for side in sides)
        results = compare_results(eager_results[-1], compiled_results[-1])
        again = compare_results(eager_results[0], eager_results[-1])
        results["repeatable"] = not again["max_abs"] and not again["unlike"]
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
            raise Error(f"{name}: no kernel that torch compiled ran in it, so there is nothing to "
                        "compare; TORCH_LOGS=graph_breaks tells why")
        if not quiet:
            print(run_tool("report", folder), end="")
            print(text_of(results), flush=True)
        return {**report, "results": results}
