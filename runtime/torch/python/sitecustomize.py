#===- sitecustomize.py - waits for torch ----------------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""`seamscope run` puts this folder first on PYTHONPATH, so that Python runs this file when it starts.

It waits for `import torch`, then loads the bridge. The folder is taken off sys.path again, and the
sitecustomize that Python would have run without it is run.
"""

import os
import sys


def _here():
    return os.path.dirname(os.path.realpath(__file__))


def _start_bridge(torch):
    """Nothing that goes wrong here is the program's concern."""
    try:
        import importlib.util

        place = os.path.join(_here(), "bridge.py")
        spec = importlib.util.spec_from_file_location("_seamscope_torch_bridge", place)
        bridge = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(bridge)
        bridge.start(torch)
    except Exception as error:  # noqa: BLE001
        print(f"seamscope: torch's operators are not recorded: {error}", file=sys.stderr)


class _WaitForTorch:
    """A finder that finds torch as the others do, and is told when it has been executed."""

    def __init__(self):
        self.asking = False

    def find_spec(self, name, path=None, target=None):
        if name != "torch" or self.asking:
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
                _start_bridge(module)

        try:
            loader.exec_module = exec_module
        except AttributeError:
            print("seamscope: torch's operators are not recorded: torch is loaded in a way that "
                  "leaves no place to wait for it", file=sys.stderr)
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


if os.environ.get("SEAMSCOPE") in ("trace", "profile") and \
        os.environ.get("SEAMSCOPE_TORCH", "off") in ("on", "all"):
    sys.meta_path.insert(0, _WaitForTorch())
sys.path[:] = [path for path in sys.path if not path or os.path.realpath(path) != _here()]
_run_hidden()
