#===- triton.py - Triton's kernels under Seamscope ---------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Has the kernels that Triton compiles from now on time themselves, in this process and in those in
which Inductor has kernels compiled.

    import seamscope.triton

before the first launch. `seamscope run` with SEAMSCOPE_GPU=blocks or warps does the same in every Python
of a program. What cannot be done is said in one line on stderr,
and the program goes on with Triton's own kernels.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from types import ModuleType

from seamscope._tree import Error, library

if find_spec("triton") is None:
    raise ImportError("seamscope.triton needs triton, which this Python has not: install it (pip "
                      "install triton); `import seamscope` alone works without it")

import triton as _triton

__all__ = ["Error", "installed"]


def _module(stem: str) -> ModuleType:
    # `seamscope run` may have loaded it.
    name = f"_seamscope_{stem}"
    if name not in sys.modules:
        path = library().parent / "seamscope" / "python" / f"{stem}.py"
        spec = spec_from_file_location(name, path)
        if spec is None or spec.loader is None or not path.exists():
            raise Error(f"{path}: is not there; install the package whole")
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[name] = module
    return sys.modules[name]


def _install() -> bool:
    # Who imports this asks for it. The library that collects what kernels write reads the variable.
    if os.environ.get("SEAMSCOPE_GPU", "off") in ("", "off"):
        os.environ["SEAMSCOPE_GPU"] = "blocks"
    waiting = _module("waiting")
    stages = _module("triton_stages")
    if not stages.asked_for():
        return False
    stages.separate_inductor()
    if not stages.install(_triton):
        return False
    waiting.when_imported(stages.POOLS, stages.reach_workers,
                          "kernels that other processes compile are not timed")
    return True


#: Whether kernels are instrumented; if not, a line on stderr has said why.
installed: bool = _install()
