#===- sitecustomize.py - prepares a Python process at its start ------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""`seamscope run` puts two folders on PYTHONPATH, each with a copy of this file. Python runs the first copy
when it starts. The copy runs begin.py of its folder, which prepares the process. Then it removes the folder
from sys.path and runs the next sitecustomize: that of the other folder, of the program, or of another tool.
The next one also runs if begin.py fails.
"""

import os
import sys


def _executed(name, path):
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(name, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _begin(here):
    waiting = sys.modules.get("_seamscope_waiting")
    if waiting is None:
        waiting = _executed("_seamscope_waiting", os.path.join(here, "waiting.py"))
        sys.modules[waiting.__name__] = waiting
    _executed("_seamscope_begin", os.path.join(here, "begin.py")).begin(waiting, here)


def _run_hidden(here):
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    sys.path[:] = [path for path in sys.path if not path or os.path.realpath(path) != here]
    spec = PathFinder.find_spec("sitecustomize")
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


def _start():
    here = os.path.dirname(os.path.realpath(__file__))
    try:
        _begin(here)
    except Exception as error:  # noqa: BLE001 - an error here must not stop the program
        if sys.stderr is not None:
            sys.stderr.write(f"seamscope: this Python is not recorded: {type(error).__name__}: {error}\n")
    _run_hidden(here)


_start()
