#===- waiting.py - waits for modules that a program imports ----------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""What the parts of Seamscope in a Python process have in common: how they wait for modules of torch and have
something done once these are there, and how they are kept from disturbing the program. A copy lies in each
folder that `seamscope run` puts on PYTHONPATH; of a process the first that is loaded serves both.
"""

import os
import sys

_said = set()


def message(text):
    """Says it in one line on stderr, once a process. Where stderr is gone nobody hears it, and that is
    not the program's concern either."""
    if text in _said:
        return
    _said.add(text)
    try:
        # For None print() would take stdout.
        if sys.stderr is not None:
            print(f"seamscope: {text}", file=sys.stderr, flush=True)
    except Exception:  # noqa: BLE001 - a full disk, a reader that went away, an object of the program's own
        pass


class Refused(Exception):
    """Why something is not done: a sentence for the user."""


_failed = set()


def failed(otherwise, error):
    """Says once that `otherwise` is so, because of an error of ours."""
    if otherwise not in _failed:
        _failed.add(otherwise)
        kind = "" if isinstance(error, (Refused, OSError)) else f"{type(error).__name__}: "
        message(f"{otherwise}: {kind}{error}")


def guarded(otherwise, default=None):
    """For each function of ours that the program calls without knowing: what goes wrong there is said once,
    beginning with `otherwise`, is not raised into the program, and the result is `default`."""

    def guard(function):
        def called(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except Exception as error:  # noqa: BLE001 - whatever it is
                failed(otherwise, error)
                return default

        return called

    return guard


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
            message(f"{self.otherwise}: {name} is loaded in a way that leaves no place to wait for it")
        return spec

    def tell(self, module):
        guarded(self.otherwise)(self.then)(module)


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
