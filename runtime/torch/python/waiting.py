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


def _library_is_being_imported():
    """Whether this thread may be within the import of a module of Python's library, or of one that a
    program has in its place."""
    names = getattr(sys, "stdlib_module_names", None)  # from Python 3.10 on
    return names is None or any(
        getattr(getattr(sys.modules.get(name), "__spec__", None), "_initializing", False)
        for name in names)


def aside(work):
    """The result of `work()`, done on a thread of its own while this one waits. What a thread allocates
    lies in an arena of its own: on the program's heap the same blocks stay free, and the same ones lie at
    its top, as without us. It is by these that malloc decides whether the memory of large temporaries is
    given back and fetched again in each step, which makes some programs three times as slow."""
    import _thread

    # The two would wait for each other where the work imports what this thread is importing.
    if _library_is_being_imported():
        return work()
    done = _thread.allocate_lock()
    done.acquire()
    result, error = None, None

    def run():
        nonlocal result, error
        try:
            result = work()
        except BaseException as caught:  # noqa: BLE001 - raised again below
            error = caught
        finally:
            done.release()

    _thread.start_new_thread(run, ())
    done.acquire()
    if error is not None:
        raise error
    return result


def load(folder, name):
    """A module of ours, from its file: their folders are not on sys.path."""
    whole = f"_seamscope_{name}"
    if whole not in sys.modules:
        sys.modules[whole] = aside(lambda: _executed(whole, os.path.join(folder, name + ".py")))
    return sys.modules[whole]


def _executed(name, path):
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(name, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
