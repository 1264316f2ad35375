#===- _process.py - prepares this process for torch.compile ------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Sets from within the program what `seamscope run` sets before it starts. torch reads some of it at
its import, so do this before. If torch is imported already, what can still be set is set, and a message
says what to do about the rest."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import importlib.util
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from seamscope import _runtime
from seamscope._tree import Error, library, message, prefix, run_tool


_WAITING = "_seamscope_waiting"


def _load_file(name: str, place: Path) -> Any:
    """Loads a Python file of `seamscope run`, unless this process runs under it and has it already."""
    if name in sys.modules:
        return sys.modules[name]
    if name != _WAITING:
        _start_file("waiting")  # the others import it
    spec = importlib.util.spec_from_file_location(name, place)
    if spec is None or spec.loader is None or not place.exists():
        raise Error(f"{place}: not found; the installation is incomplete")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[name] = module
    return module


def _start_file(name: str) -> Any:
    """A file that prepares torch for a run."""
    return _load_file(f"_seamscope_{name}",
                      prefix() / "share" / "seamscope" / "start" / f"{name}.py")


def _is_loaded(library_name: str) -> bool:
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            return any(library_name in line for line in maps)
    except OSError:
        return False


def _inside(folder: int) -> Callable[[str, int], int]:
    """An opener for open(): creates a file in an open folder and replaces an entry of its name, even a link
    or a pipe."""
    def opener(name: str, flags: int) -> int:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)
        return os.open(name, flags | os.O_EXCL | os.O_NOFOLLOW, 0o666, dir_fd=folder)
    return opener


class Process:
    """The preparation of this process."""

    def __init__(self) -> None:
        #: torch was imported before, and with it its own OpenMP runtime.
        self.late = "torch" in sys.modules
        self.began = time.time()
        self._bridge: Any = None
        found: dict[str, str] = json.loads(run_tool("run", "--print-environment"))
        #: The compiler of Inductor's kernels; None: the environment names another compiler.
        self.wrapper = found.get("CXX")
        # A cache that the program chose is not checked.
        cache, given = (all.get("TORCHINDUCTOR_CACHE_DIR") for all in (found, os.environ))
        for name in ("CXX", "PATH", "TORCHINDUCTOR_CACHE_DIR"):
            if name in found:
                os.environ[name] = found[name]
        if cache not in (None, given and os.path.abspath(given)):
            self._make_cache(Path(cache))
        os.environ.setdefault("INDUCTOR_PROVENANCE", "1")
        self.logs = self._logs_folder()
        self._one_openmp(found.get("LD_PRELOAD", ""))
        self.runtime = _runtime.Runtime()
        if self.runtime.first_mode == _runtime.OFF:
            self.runtime.write_nothing_at_exit()
        # steps.py and the bridge read these, as under `seamscope run`.
        os.environ["SEAMSCOPE_RUNTIME"] = str(library())
        os.environ["SEAMSCOPE_TORCH_OWNER"] = f"{os.getpid()}:{os.environ.get('RANK', '')}"
        os.register_at_fork(after_in_child=self._in_child)

    def _in_child(self) -> None:
        # A trace is of one process, so forked workers do not record.
        if self.runtime.first_mode == _runtime.OFF and self.runtime.mode() != _runtime.OFF:
            self.runtime.set_mode(_runtime.OFF)

    def _logs_folder(self) -> Path:
        """The folder of torch's structured logs. torch logs from its import on, since a function may be
        compiled long before it is traced."""
        given = os.environ.get("TORCH_TRACE")
        self._logs_are_ours = not given
        if given:
            return Path(given)
        folder = self._temporary("seamscope-torch-")
        os.environ["TORCH_TRACE"] = str(folder)
        return folder

    def _temporary(self, prefix: str) -> Path:
        """A folder that is removed when this process ends."""
        folder = tempfile.mkdtemp(prefix=prefix)
        owner = os.getpid()

        def remove() -> None:
            if os.getpid() == owner:
                shutil.rmtree(folder, ignore_errors=True)

        atexit.register(remove)
        return Path(folder)

    def bridge_file(self) -> Any:
        return _load_file("_seamscope_bridge",
                          prefix() / "lib" / "seamscope" / "python" / "bridge.py")

    def _make_cache(self, folder: Path) -> None:
        """Creates the cache safely, as `seamscope run` does: code in Inductor's cache is executed."""
        try:
            self.bridge_file().make_private(folder)
        except OSError as error:
            own = self._temporary("seamscope-inductor-")
            message(f"the cache {folder} is not used: {error}; kernels are compiled into {own}, which is "
                    "removed when the program ends")
            os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(own)

    def _one_openmp(self, preload: str) -> None:
        """Loads libomp first and globally, so that it also serves torch's calls of libgomp."""
        if _is_loaded("libomp"):
            return
        libomp = next((path for path in preload.split(":") if "libomp" in path), None)
        if self.late:
            message("torch was imported before seamscope.torch, with its own OpenMP runtime; "
                "compiled kernels load libomp as a second one, which makes small kernels many times "
                "slower: import seamscope.torch first, or start with `seamscope run`")
        elif libomp is not None:
            try:
                ctypes.CDLL(libomp, mode=ctypes.RTLD_GLOBAL)
            except OSError as error:
                message(f"{libomp} cannot be loaded: {error}; two OpenMP runtimes will run")

    def attach(self, torch: ModuleType) -> None:
        """Prepares torch after its import."""
        if self.late:
            self._set_late()
        wait = _start_file("waiting").when_imported
        provenance = _start_file("provenance")
        if self._logs_are_ours:
            wait("torch._logging._internal", _start_file("logs").watch_logging,
                 "torch's log of what it compiles is not watched")
        wait("torch._inductor.debug", provenance.watch_inductor,
             "kernels of backward passes lack nodes")
        wait("torch._functorch._aot_autograd.utils", provenance.watch_autograd,
             "kernels of backward passes have no operators")
        wait("torch._inductor.codecache", provenance.watch_cache,
             "graphs from a cache may have the lines of another program")
        wait("torch._dynamo", lambda _: self._mark_calls(torch),
             "calls of compiled functions are not marked")

    def _set_late(self) -> None:
        """Sets what torch has already read from the environment."""
        missed = []
        logging = sys.modules.get("torch._logging._internal")
        handler: Any = getattr(logging, "LOG_TRACE_HANDLER", None)
        if not hasattr(handler, "root_dir"):
            missed.append("TORCH_TRACE")
        elif handler.root_dir is None:
            handler.root_dir = str(self.logs)
        else:
            self.logs = Path(handler.root_dir)
        config = sys.modules.get("torch._inductor.config")
        if config is not None:
            try:
                if self.wrapper is not None:
                    config.cpp.cxx = (None, self.wrapper)
                config.trace.provenance_tracking_level = 1
            except AttributeError:
                missed.append("torch._inductor.config")
        if missed:
            message(f"torch was imported before seamscope.torch, so {' and '.join(missed)} cannot be "
                "set: kernels may lack their lines; import seamscope.torch first")

    def _mark_calls(self, torch: ModuleType) -> None:
        from torch._dynamo.eval_frame import OptimizeContext

        # Under `seamscope run` calls are marked already.
        if getattr(OptimizeContext.__init__, "__module__", "") != "_seamscope_steps":
            _start_file("steps").start(torch)

    def scopes(self) -> Any:
        """The object that records scopes in the trace; see _Scopes of steps.py."""
        return _start_file("steps")._Scopes(str(library()))

    def start_operators(self, torch: ModuleType) -> None:
        """Records torch's operators while recording is on."""
        if self._bridge is None:
            bridge = self.bridge_file()
            try:
                self._bridge = bridge.load_aside(_start_file("waiting"), torch)
            except (bridge.Refused, OSError) as error:
                raise Error(f"torch's operators cannot be recorded: {error}; set operators=False to "
                            "record only the kernels") from None
        self._bridge.seamscope_torch_pause(0)

    def stop_operators(self) -> None:
        if self._bridge is not None and self.runtime.first_mode == _runtime.OFF:
            self._bridge.seamscope_torch_pause(1)

    def compiler(self) -> str:
        """The compiler of Inductor's kernels, as far as it is known."""
        config = sys.modules.get("torch._inductor.config")
        chosen = getattr(getattr(config, "cpp", None), "cxx", None)
        if isinstance(chosen, Sequence) and not isinstance(chosen, str):
            chosen = next((each for each in chosen if each), None)
        return chosen if isinstance(chosen, str) else os.environ.get("CXX", "its own choice")

    def is_instrumented(self) -> bool:
        return Path(self.compiler()).name.startswith("seamscope-clang")

    def copy_logs(self, folder: Path) -> None:
        """Copies torch's logs of this process so far to the folder of a run."""
        # A log folder that the program chose may have logs of other programs.
        logs = [log for log in sorted([*self.logs.glob("*.log"), *self.logs.glob("*.log.gz")])
                if log.is_file() and log.stat().st_mtime >= self.began - 1]
        if not logs:
            return
        target = folder / "torch-trace"
        target.mkdir(exist_ok=True)
        # Links in the folder are not followed.
        held = os.open(target, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            for log in logs:
                with open(log, "rb") as source, open(log.name, "wb", opener=_inside(held)) as copy:
                    shutil.copyfileobj(source, copy)
        finally:
            os.close(held)


_process: Process | None = None


def process() -> Process:
    """The Process object, created at the first call."""
    global _process
    if _process is None:
        _process = Process()
    return _process
