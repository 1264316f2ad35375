#===- sitecustomize.py - has torch tell more of what it compiles -----------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""`seamscope run` puts this folder on PYTHONPATH, so that Python runs this file when it starts.

It waits for a module of torch and has it write down the nodes of backward kernels too. The folder is
taken off sys.path again, and the sitecustomize that Python would have run without it is run: the
program's own, or that of another tool that starts in this way.
"""

import os
import sys

MODULE = "torch._inductor.debug"


def _here():
    return os.path.dirname(os.path.realpath(__file__))


def _tell_of_backward(module):
    # torch keeps the map from kernels to nodes only where it knows of a graph from before autograd.
    # A backward graph is compiled later, outside of the place that knows it: torch then asks this
    # variable, and any number but None will do.
    if getattr(module, "_pre_grad_graph_id", 0) is None:
        module._pre_grad_graph_id = -1


class _WaitForDebug:
    """A finder that finds one module as the others do, and is told when it has been executed."""

    def __init__(self):
        self.asking = False

    def find_spec(self, name, path=None, target=None):
        if name != MODULE or self.asking:
            return None
        import importlib.util

        self.asking = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.asking = False
        loader = getattr(spec, "loader", None)
        run = getattr(loader, "exec_module", None)
        if run is None:
            return spec

        def exec_module(module):
            vars(loader).pop("exec_module", None)
            run(module)
            if self in sys.meta_path:
                sys.meta_path.remove(self)
            _tell_of_backward(module)

        try:
            loader.exec_module = exec_module
        except AttributeError:
            pass  # a loader of the program's own: kernels of backward graphs stay without nodes
        return spec


def _run_hidden():
    """Runs the sitecustomize that this one hides."""
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    spec = PathFinder.find_spec("sitecustomize")
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


sys.meta_path.insert(0, _WaitForDebug())
sys.path[:] = [path for path in sys.path if not path or os.path.realpath(path) != _here()]
_run_hidden()
