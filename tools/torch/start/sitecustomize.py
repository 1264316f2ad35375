#===- sitecustomize.py - has torch tell more of what it compiles -----------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""`seamscope run` puts this folder on PYTHONPATH, so that Python runs this file when it starts.

It waits for modules of torch: some are to write down the nodes of backward kernels too, another to
mark the calls of compiled functions in the trace. The folder is taken off sys.path again, and the
sitecustomize that Python would have run without it is run: the program's own, or that of another tool
that starts in this way.
"""

import os
import sys


def _here():
    return os.path.dirname(os.path.realpath(__file__))


def _start(name, function, given, what):
    """Calls a function of a file beside this one. Nothing that goes wrong here is the program's
    concern."""
    try:
        import importlib.util

        known = "_seamscope_" + name
        if known not in sys.modules:
            spec = importlib.util.spec_from_file_location(known, os.path.join(_here(), name + ".py"))
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            sys.modules[known] = module
        getattr(sys.modules[known], function)(given)
    except Exception as error:  # noqa: BLE001
        print(f"seamscope: {what}: {error}", file=sys.stderr)


def _watch_autograd(utils):
    _start("provenance", "watch_autograd", utils, "kernels of backward passes have no operators")


def _watch_inductor(debug):
    _start("provenance", "watch_inductor", debug, "kernels of backward passes have no nodes")


def _mark_steps(_dynamo):
    _start("steps", "start", sys.modules["torch"], "calls of compiled functions are not marked")


class _Wait:
    """A finder that finds one module as the others do, and is told when it has been executed."""

    def __init__(self, name, then):
        self.name = name
        self.then = then
        self.asking = False

    def find_spec(self, name, path=None, target=None):
        if name != self.name or self.asking:
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
            self.then(module)

        try:
            loader.exec_module = exec_module
        except AttributeError:
            pass  # a loader of the program's own: backward kernels stay without nodes, calls unmarked
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


sys.meta_path.insert(0, _Wait("torch._inductor.debug", _watch_inductor))
sys.meta_path.insert(0, _Wait("torch._functorch._aot_autograd.utils", _watch_autograd))
if os.environ.get("SEAMSCOPE") == "trace":
    sys.meta_path.insert(0, _Wait("torch._dynamo", _mark_steps))
sys.path[:] = [path for path in sys.path if not path or os.path.realpath(path) != _here()]
_run_hidden()
