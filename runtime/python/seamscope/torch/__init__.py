#===- __init__.py - torch.compile under Seamscope ----------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Records functions compiled by torch.compile, and compares them with eager mode, from within the
program.

Import this before torch: it sets what torch reads at its import, as `seamscope run` does (compiler,
cache, logs of torch.compile, one OpenMP runtime). Nothing is recorded before `trace` or `compare`.
"""

from __future__ import annotations

from importlib.util import find_spec as _find_spec

if _find_spec("torch") is None:
    raise ImportError("seamscope.torch needs torch, which this Python does not have: install torch "
                      "(pip install torch); `import seamscope` alone works without it")

from seamscope.torch import _process

_this = _process.process()

import torch as _torch

_this.attach(_torch)

from seamscope._tree import Error
from seamscope.torch._compare import compare
from seamscope.torch._compile import compile
from seamscope.torch._schedule import Schedule, schedule
from seamscope.torch._trace import Trace, trace

__all__ = ["Error", "Schedule", "Trace", "compare", "compile", "schedule", "trace"]
