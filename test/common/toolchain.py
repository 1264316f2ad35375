"""Compilers, plugins and the runtime of a build folder; commands that cannot hang."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ctypes
import dataclasses
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
# Limits of one command. Processor time stops what runs on for ever on a machine of any load, wall
# time what waits for ever, memory what would take the machine with it.
CPU_SECONDS = 180
WALL_SECONDS = 900
MEMORY_BYTES = 12 << 30


@dataclasses.dataclass
class Result:
    """How a command ended. `code` is negative for a signal, None where a limit stopped it."""

    command: list
    code: int | None
    stdout: bytes
    stderr: bytes
    user: float
    begin_ns: int
    end_ns: int

    @property
    def ok(self):
        return self.code == 0

    def problem(self):
        """One line of why it failed."""
        text = self.stderr.decode(errors="replace").strip().splitlines()
        errors = [line for line in text if "error" in line.lower()] or text[-1:]
        why = "stopped by a limit of time or memory" if self.code is None else \
            f"signal {-self.code}" if self.code < 0 else f"exit status {self.code}"
        return f"{why}: {errors[0][:300]}" if errors else why


def run(command, folder=None, environment=None, cpu=CPU_SECONDS, wall=WALL_SECONDS, stdin=None):
    """Runs a command within limits; the processor time includes that of its children."""

    def limit():
        # What runs in here ends with whoever runs it.
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    stopped = []
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begin = time.monotonic_ns()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=err,
                                   stdin=stdin or subprocess.DEVNULL, preexec_fn=limit,
                                   start_new_session=True)

        def stop():
            stopped.append(True)
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        timer = threading.Timer(wall, stop)
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        finally:
            timer.cancel()
        end = time.monotonic_ns()
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        code = process.returncode
        if stopped or code == -signal.SIGXCPU or (code == -signal.SIGKILL and usage.ru_utime >= cpu):
            code = None
        return Result(command, code, out.read(), err.read(), usage.ru_utime, begin, end)


class Toolchain:
    """clang and flang of one major with their plugin, from a build folder."""

    def __init__(self, major, build):
        self.major = major
        self.plugin = os.path.join(build, "lib", f"SeamscopePass-{major}.so")
        self.library = os.path.join(build, "lib")
        self.include = os.path.join(ROOT, "runtime", "include")
        self.clang = self.find("clang")
        self.clangxx = self.find("clang++")
        # Called flang-new until 19; None where there is none.
        self.flang = shutil.which(f"flang-{major}") or shutil.which(f"flang-new-{major}")

    def find(self, name):
        return shutil.which(f"{name}-{self.major}") or f"/usr/lib/llvm-{self.major}/bin/{name}"

    def holds_hooks(self, program):
        """Whether anything in the program is instrumented: without, it leaves no trace."""
        with open(program, "rb") as file:
            return b"__seamscope_register_v3" in file.read()

    @property
    def missing(self):
        """What is not there, or None."""
        for path in (self.clang, self.plugin, os.path.join(self.library, "libseamscope.so")):
            if not os.path.exists(path):
                return path
        return None

    def compiler(self, language):
        return {"c++": self.clangxx, "fortran": self.flang}.get(language, self.clang)

    def openmp(self):
        """-fopenmp, with a copy of omp.h where this clang has none of its own."""
        own = f"/usr/lib/llvm-{self.major}/lib/clang/{self.major}/include/omp.h"
        if os.path.exists(own):
            return ["-fopenmp"]
        copy = os.path.join(os.path.dirname(self.library), "test", "omp-include")
        newest = next((f"/usr/lib/llvm-{major}/lib" for major in range(30, 18, -1)
                       if os.path.exists(f"/usr/lib/llvm-{major}/lib/libomp.so")), None)
        return ["-fopenmp", f"-I{copy}"] + ([f"-L{newest}"] if newest else [])

    def link_runtime(self):
        return [f"-L{self.library}", "-lseamscope", f"-Wl,-rpath,{self.library}"]


def clean_environment(**extra):
    """The environment without the settings of Seamscope and OpenMP that the caller has."""
    kept = {key: value for key, value in os.environ.items()
            if not key.startswith(("SEAMSCOPE", "OMP_", "KMP_", "CCACHE"))}
    return {**kept, "LC_ALL": "C.UTF-8", **extra}
