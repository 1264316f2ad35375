#===- _compile.py - torch.compile with instrumented kernels ------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""`compile`: torch.compile, and a word where its kernels would not be seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from seamscope._tree import message
from seamscope.torch._process import process

_told = False


def _tell_of_compiler() -> None:
    """Says once when kernels are compiled without the pass."""
    global _told
    import torch._inductor.config  # noqa: F401

    this = process()
    if _told or this.is_instrumented():
        return
    _told = True
    message(f"torch compiles kernels with {this.compiler()}, not with seamscope-clang++: they are not "
        "recorded; leave CXX and torch._inductor.config.cpp.cxx alone, and import seamscope.torch "
        "before torch")


def compile(fn: Callable[..., Any] | None = None,  # noqa: A001
            **options: Any) -> Callable[..., Any]:
    """`torch.compile(fn, **options)`, with kernels that Seamscope sees: seamscope-clang++ compiles
    them, into a cache of Seamscope's own, and torch keeps the way from each kernel to its lines of
    Python. The outputs are those of the same compiler without instrumentation. Also a decorator.

    Importing `seamscope.torch` sets this up for the whole process, so functions compiled by
    `torch.compile` itself are instrumented as well; this function says in one line on stderr when
    something stands against it, such as another compiler in `CXX`.
    """
    _tell_of_compiler()
    if fn is None:
        return lambda function: torch.compile(function, **options)
    return torch.compile(fn, **options)
