#===- _compile.py - torch.compile with instrumented kernels ------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""`compile`: torch.compile, with a warning if its kernels cannot be recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from seamscope._tree import message
from seamscope.torch._process import process

_warned = False


def _warn_about_compiler() -> None:
    """Warns once if kernels are compiled without the pass."""
    global _warned
    import torch._inductor.config  # noqa: F401

    this = process()
    if _warned or this.is_instrumented():
        return
    _warned = True
    message(f"torch compiles kernels with {this.compiler()}, not with seamscope-clang++: they are not "
        "recorded; leave CXX and torch._inductor.config.cpp.cxx alone, and import seamscope.torch "
        "before torch")


def compile(fn: Callable[..., Any] | None = None,  # noqa: A001
            **options: Any) -> Callable[..., Any]:
    """`torch.compile(fn, **options)` with kernels that Seamscope can record: seamscope-clang++
    compiles them, into Seamscope's cache, and torch records the Python lines of each kernel. The
    outputs are those of the same compiler without instrumentation. Can be used as a decorator.

    Importing `seamscope.torch` sets this up for the whole process, so that functions compiled by
    `torch.compile` itself are instrumented, too. This function also warns on stderr if kernels cannot
    be instrumented, for example if `CXX` names another compiler.
    """
    _warn_about_compiler()
    if fn is None:
        return lambda function: torch.compile(function, **options)
    return torch.compile(fn, **options)
