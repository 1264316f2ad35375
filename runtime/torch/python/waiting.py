#===- waiting.py - waits for modules that a program imports ----------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""What the files named sitecustomize.py have in common that `seamscope run` puts on PYTHONPATH. A copy
lies beside each; of a process the first that is loaded serves both.

They wait for modules of torch and have something done once these are there. Then they take their folder
off sys.path and run the sitecustomize that Python would have run without it: the program's own, or that
of another tool that starts in this way.
"""

import os
import sys

# To be called where this process begins to record later than when its modules were imported.
on_recording = []


def load(folder, name):
    """A module of ours, from its file: their folders are not on sys.path."""
    from importlib.util import module_from_spec, spec_from_file_location

    whole = f"_seamscope_{name}"
    if whole not in sys.modules:
        spec = spec_from_file_location(whole, os.path.join(folder, name + ".py"))
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[whole] = module
    return sys.modules[whole]


class Wait:
    """A finder that finds one module as the others do, and is notified when it has been executed."""

    def __init__(self, name, then, otherwise):
        self.name = name
        self.then = then
        self.otherwise = otherwise
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
                self.tell(module)

        try:
            loader.exec_module = exec_module
        except AttributeError:  # a loader of the program's own
            print(f"seamscope: {self.otherwise}: {name} is loaded in a way that leaves no place to "
                  "wait for it", file=sys.stderr)
        return spec

    def tell(self, module):
        # Nothing that goes wrong here is the program's concern.
        try:
            self.then(module)
        except Exception as error:  # noqa: BLE001
            print(f"seamscope: {self.otherwise}: {type(error).__name__}: {error}", file=sys.stderr)


def wait_for(name, then, otherwise):
    """Has `then(module)` called once the module is there; `otherwise` is what is said when it cannot."""
    sys.meta_path.insert(0, Wait(name, then, otherwise))


def when_imported(name, then, otherwise):
    """As wait_for, and at once where the module is there already."""
    waiting = Wait(name, then, otherwise)
    if name in sys.modules:
        waiting.tell(sys.modules[name])
    else:
        sys.meta_path.insert(0, waiting)


def run_hidden(folder):
    """Takes the folder off sys.path and runs the sitecustomize that the one in it hides."""
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    sys.path[:] = [path for path in sys.path if not path or os.path.realpath(path) != folder]
    spec = PathFinder.find_spec("sitecustomize")
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)
