#===- triton.py - instruments Triton's kernels -------------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Instruments the kernels that Triton compiles from now on, in this process and in Inductor's compile
workers.

    import seamscope.triton

before the first launch. `seamscope run` with SEAMSCOPE_GPU=blocks or warps does the same in every Python
process of a program. If it is not possible, a message on stderr says why, and the program runs with
Triton's own kernels.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from types import ModuleType

from seamscope._tree import Error, library

if find_spec("triton") is None:
    raise ImportError("seamscope.triton needs triton, which this Python does not have: install it "
                      "(pip install triton); `import seamscope` alone works without it")

import triton as _triton

__all__ = ["Error", "installed"]


def _module(stem: str) -> ModuleType:
    # `seamscope run` may have loaded it.
    name = f"_seamscope_{stem}"
    if name not in sys.modules:
        path = library().parent / "seamscope" / "python" / f"{stem}.py"
        spec = spec_from_file_location(name, path)
        if spec is None or spec.loader is None or not path.exists():
            raise Error(f"{path}: not found; install the whole package")
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[name] = module
    return sys.modules[name]


def _install() -> bool:
    # The import asks for it. The library that collects the kernels' data reads this variable.
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


#: Whether kernels are instrumented; if not, a message on stderr said why.
installed: bool = _install()
