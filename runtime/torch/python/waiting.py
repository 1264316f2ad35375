#===- waiting.py - runs code when a program imports a module ---------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Shared by the parts of Seamscope in a Python process: how they run code after the import of a module, and
how they avoid disturbing the program. Each folder that `seamscope run` puts on PYTHONPATH has a copy; a
process uses the copy that was loaded first.
"""

import os
import sys

_printed = set()


def message(text):
    """Prints a line to stderr, each text once per process. Ignores errors, which must not stop the program."""
    if text in _printed:
        return
    _printed.add(text)
    try:
        # print() writes to stdout for None.
        if sys.stderr is not None:
            print(f"seamscope: {text}", file=sys.stderr, flush=True)
    except Exception:  # noqa: BLE001 - a full disk, a closed pipe, the program's own object
        pass


class Refused(Exception):
    """Something cannot be done; the text says why."""


_failed = set()


def failed(consequence, error):
    """Prints once that an error has a consequence: "CONSEQUENCE: ERROR"."""
    if consequence not in _failed:
        _failed.add(consequence)
        kind = "" if isinstance(error, (Refused, OSError)) else f"{type(error).__name__}: "
        message(f"{consequence}: {kind}{error}")


def guarded(consequence, default=None):
    """Decorates our functions that run inside the program. An exception is not raised into the program: a
    message that begins with `consequence` is printed once, and `default` is returned."""

    def guard(function):
        def called(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except Exception as error:  # noqa: BLE001 - any error of ours
                failed(consequence, error)
                return default

        return called

    return guard


# Functions to call if this process begins to record after its modules were imported.
on_recording = []


def _library_is_being_imported():
    """Whether a module of Python's standard library, or a replacement of it, is being imported."""
    names = getattr(sys, "stdlib_module_names", None)  # from Python 3.10 on
    return names is None or any(
        getattr(getattr(sys.modules.get(name), "__spec__", None), "_initializing", False)
        for name in names)


def aside(work):
    """Runs `work()` on another thread, waits for it, and returns its result. The other thread allocates from
    its own malloc arena, which leaves the top of the program's heap as it is. Otherwise malloc may return the
    memory of large temporaries to the system in each step, which makes some programs three times as slow."""
    import _thread

    # Deadlock: `work` might import the module that this thread is importing.
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
    """Loads a module of Seamscope from its file, since its folder is not on sys.path."""
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
    """A finder for one module: it uses the other finders, and calls `then` after the module was executed."""

    def __init__(self, name, then, consequence):
        self.name = name
        self.then = then
        self.consequence = consequence
        self.is_searching = False

    def find_spec(self, name, path=None, target=None):
        if name != self.name or self.is_searching:
            return None
        import importlib.util

        self.is_searching = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.is_searching = False
        loader = getattr(spec, "loader", None)
        run = getattr(loader, "exec_module", None)
        if run is None:
            return spec

        def exec_module(module):
            vars(loader).pop("exec_module", None)
            run(module)
            if self in sys.meta_path:
                sys.meta_path.remove(self)
                self.notify(module)

        try:
            loader.exec_module = exec_module
        except AttributeError:  # the program's own loader
            message(f"{self.consequence}: the loader of {name} cannot be changed")
        return spec

    def notify(self, module):
        guarded(self.consequence)(self.then)(module)


def wait_for(name, then, consequence):
    """Calls `then(module)` after the module's import; `consequence` is printed if that fails."""
    sys.meta_path.insert(0, Wait(name, then, consequence))


def when_imported(name, then, consequence):
    """Like wait_for, but calls `then` at once if the module is imported already."""
    waiting = Wait(name, then, consequence)
    if name in sys.modules:
        waiting.notify(sys.modules[name])
    else:
        sys.meta_path.insert(0, waiting)
