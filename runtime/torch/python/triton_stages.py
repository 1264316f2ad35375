#===- triton_stages.py - instruments Triton's kernels ----------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Triton compiles a kernel in stages, which a hook can change. This hook passes a kernel's LLVM IR through the
pass plugin before Triton generates PTX. The plugin runs in another process (`opt`), since it is built for
another LLVM than Triton, and a process can load only one.

A kernel that cannot be instrumented is compiled as usual, with a message that says why.
"""

import ctypes
import functools
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys

from _seamscope_waiting import Refused, guarded, load, message

HERE = os.path.dirname(os.path.realpath(__file__))
LIBRARY_FOLDER = os.path.dirname(os.path.dirname(HERE))
GPU_LIBRARY = os.path.join(LIBRARY_FOLDER, "libseamscope-cuda.so")
CONTROL = "__seamscope_gpu_control_v1"
#: Set for compile workers, since their parent may run without `seamscope run`.
WORKER = "SEAMSCOPE_TRITON_WORKER"
#: The module that starts compile workers.
POOLS = "torch._inductor.compile_worker.subproc_pool"
MODES = ("blocks", "warps")
#: Older majors cannot read the IR that Triton prints.
OLDEST_LLVM = 22
#: For one kernel, in seconds. The largest kernels seen take less than one second.
TIME_LIMIT = 300
PASS_OPTIONS = "gpu"


def asked_for():
    """Whether SEAMSCOPE_GPU asks for kernels to be timed."""
    mode = os.environ.get("SEAMSCOPE_GPU", "")
    if mode in MODES:
        return True
    if mode not in ("", "off"):
        message(f"SEAMSCOPE_GPU={mode!a} is invalid: GPU kernels are not timed; "
                f"use off, {' or '.join(MODES)}")
    return False


#: Modules next to this one that rewrite IR.
REWRITERS = ("triton_literals", "triton_older")


def _optimizer(major):
    """The path of an LLVM major's opt, or None. SEAMSCOPE_OPT overrides it."""
    named = os.environ.get("SEAMSCOPE_OPT")
    if named:
        return shutil.which(named)
    return shutil.which(f"opt-{major}") or shutil.which("opt", path=f"/usr/lib/llvm-{major}/bin")


class Instrumenter:
    """Runs the pass plugin by `opt`."""

    def __init__(self):
        plugins = {int(match[1]): os.path.join(LIBRARY_FOLDER, match[0])
                   for match in map(re.compile(r"SeamscopePass-(\d+)\.so").fullmatch,
                                    os.listdir(LIBRARY_FOLDER)) if match}
        usable = sorted((major for major in plugins if major >= OLDEST_LLVM), reverse=True)
        if not usable:
            raise Refused(f"{LIBRARY_FOLDER} has no pass plugin for LLVM {OLDEST_LLVM} or later")
        for major in usable:
            self.opt = _optimizer(major)
            if self.opt:
                self.plugin = plugins[major]
                break
        else:
            raise Refused(f"no opt of LLVM {usable[0]} found to load the pass plugin: install "
                          f"llvm-{usable[0]}, or name it with SEAMSCOPE_OPT")
        self.environment = dict(os.environ, SEAMSCOPE="off", SEAMSCOPE_PASS=PASS_OPTIONS, LC_ALL="C")
        self.environment.pop("LD_PRELOAD", None)
        self.stamp = self._stamp()

    def _run(self, arguments, text):
        try:
            return subprocess.run([self.opt, *arguments], input=text, env=self.environment,
                                  capture_output=True, check=False, timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            raise Refused(f"{self.opt} took more than {TIME_LIMIT} s") from None
        except OSError as error:
            raise Refused(f"{self.opt} does not run: {error.strerror}") from None

    def _stamp(self):
        """A hash of all that the result depends on, so that other results are never taken from a cache."""
        version = self._run(["--version"], b"")
        if version.returncode:
            raise Refused(f"{self.opt} --version ended with status {version.returncode}")
        text = hashlib.sha256(version.stdout + b"\0" + PASS_OPTIONS.encode() + b"\0")
        for path in (self.plugin, os.path.realpath(__file__),
                     *(os.path.join(HERE, f"{module}.py") for module in REWRITERS)):
            with open(path, "rb") as file:
                text.update(hashlib.sha256(file.read()).digest())
        return text.hexdigest()

    def instrumented(self, llir):
        """The instrumented module. Runs only this pass. Raises Refused."""
        literals, older = (load(HERE, module) for module in REWRITERS)
        try:
            text = literals.rewritten(llir)
        except literals.NotUnderstood as why:
            raise Refused(str(why)) from None
        result = self._passed(text)
        upgraded = older.upgraded(text, result)
        if upgraded:
            result = older.shown(self._passed(older.hidden(text, upgraded)))
        if CONTROL not in result:
            raise Refused("the pass found no kernel in its LLVM IR")
        return older.without_intrinsic_attributes(result)

    def _passed(self, text):
        """What opt prints for a module. Raises Refused."""
        ran = self._run([f"-load-pass-plugin={self.plugin}", "-passes=seamscope",
                         "-mtriple=nvptx64-nvidia-cuda", "-S", "-o", "-", "-"], text.encode())
        if ran.returncode:
            lines = ran.stderr.decode(errors="replace").strip().splitlines()
            why = next((line for line in lines if "error:" in line), lines[0] if lines else
                       f"ended with status {ran.returncode}")
            raise Refused(f"{os.path.basename(self.opt)}: {why}")
        return ran.stdout.decode()


class Stages:
    """The hook for triton.knobs.runtime.add_stages_inspection_hook; it also calls the hook set before it."""

    def __init__(self, instrumenter, before):
        self.instrumenter = instrumenter
        self.before = before

    def __call__(self, backend=None, stages=None, options=None, language=None, capability=None):
        if stages is None:
            return self.key()
        if self.before is not None:
            self.before(backend, stages, options, language, capability)
        target = getattr(backend, "target", None)
        if getattr(target, "backend", None) == "cuda" and "llir" in stages:
            stages["llir"] = functools.partial(self.llir, stages["llir"])
        return self.key()

    def key(self):
        """Called at every launch. The result becomes a part of Triton's cache keys."""
        stamp = self.instrumenter.stamp
        if self.before is None:
            return f"-seamscope-{stamp}", f'"{stamp}"'
        key, own_hash = self.before() or ("", "")
        return f"{key}-seamscope-{stamp}", f'{own_hash}, "{stamp}"' if own_hash else f'"{stamp}"'

    def llir(self, stage, source, metadata):
        text = stage(source, metadata)
        instrumented = guarded(f"kernel {name_of(str(text))} is not timed", text)
        return instrumented(self.instrumenter.instrumented)(str(text))


def name_of(llir):
    found = re.search(r'^define .*?ptx_kernel\b.*?@"?([^"(]+)', llir, re.MULTILINE)
    return ascii(found[1])[1:-1] if found else "of an unknown name"


@functools.cache
def _gpu_library():
    """The function that fills in a module's control block. Raises OSError or AttributeError."""
    function = ctypes.CDLL(GPU_LIBRARY).seamscope_gpu_module
    function.argtypes = [ctypes.c_void_p]
    function.restype = ctypes.c_int
    return function


def loaded(module, _function, name, metadata_group, _hash):
    """Called when a kernel's module was loaded on the device: sets its control block."""
    guarded(f"GPU kernels are not timed: {GPU_LIBRARY} cannot be used")(_set_up)(module, name, metadata_group)


def _set_up(module, name, metadata_group):
    if not _has_control(metadata_group):
        message(f"kernel {ascii(name)[1:-1]} is not timed: it was compiled without stamps")
        return
    result = _gpu_library()(module)
    if result:
        message(f"GPU kernels are not timed: {GPU_LIBRARY} rejected the module of {ascii(name)[1:-1]} "
                f"with error {result}")


def _has_control(metadata_group):
    """Whether a kernel is instrumented. Triton's cache also has kernels that could not be instrumented."""
    for name, path in metadata_group.items():
        if name.endswith(".cubin"):
            with open(path, "rb") as file:
                return CONTROL.encode() in file.read()
    return False


def separate_cache(knobs, stamp):
    """Uses a separate cache folder, for versions of Triton whose cache keys do not include the hook's key."""
    suffix = f"-seamscope-{stamp[:16]}"
    folder = knobs.cache.dir.rstrip("/")
    if not folder.endswith(suffix):
        os.environ["TRITON_CACHE_DIR"] = folder + suffix


def keys_ask_the_hook():
    compiler = sys.modules.get("triton.compiler.compiler")
    code = getattr(getattr(compiler, "compile", None), "__code__", None)
    return code is not None and "add_stages_inspection_hook" in code.co_names


@functools.cache
def instrumenter_here():
    """The Instrumenter of this process. Raises Refused or OSError."""
    return Instrumenter()


def separate_inductor():
    """Gives Inductor a separate cache, since its keys for Triton kernels do not include the hook's key, and
    turns off its launcher, which does not run Triton's hooks. Both are read after `import torch`."""
    if importlib.util.find_spec("triton") is None:
        return
    try:
        suffix = f"-gpu-{instrumenter_here().stamp[:16]}"
    except (Refused, OSError) as error:
        message(f"GPU kernels of Triton are not timed: {error}")
        return
    folder = os.environ.get("TORCHINDUCTOR_CACHE_DIR")
    if not folder:
        import getpass
        import tempfile
        user = re.sub(r'[\\/:*?"<>|]', "_", getpass.getuser())
        folder = os.path.join(tempfile.gettempdir(), f"torchinductor_{user}")
        # A default folder in /tmp: code that another user put there must not run.
        try:
            load(HERE, "private").make_private(folder + suffix)
        except OSError as error:
            folder = tempfile.mkdtemp(prefix="torchinductor-")
            message(f"kernels are cached in {folder}: {error}")
    if not folder.rstrip("/").endswith(suffix):
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder.rstrip("/") + suffix
    os.environ.setdefault("TORCHINDUCTOR_USE_STATIC_CUDA_LAUNCHER", "0")


def reach_workers(pools):
    """Makes Inductor's compile workers run our sitecustomize. They start with the parent's sys.path as
    PYTHONPATH, from which our folder was removed. `pools` is the module that starts them."""
    before = pools.python_subprocess_env
    if getattr(before, "of_seamscope", False):
        return

    @guarded("kernels that other processes compile are not timed")
    def add(environment):
        paths = environment.get("PYTHONPATH")
        # Operators of compile workers are not those of the program.
        return dict(environment, PYTHONPATH=os.pathsep.join([HERE, paths]) if paths else HERE,
                    SEAMSCOPE_TORCH="off", **{WORKER: "1"})

    def python_subprocess_env():
        environment = before()
        return add(environment) or environment

    python_subprocess_env.of_seamscope = True
    pools.python_subprocess_env = python_subprocess_env


def install(triton):
    """Instruments kernels that are compiled from now on. Returns whether that is possible; if not, a message
    says why."""
    version = getattr(triton, "__version__", "of an unknown version")
    knobs = getattr(triton, "knobs", None)
    runtime = getattr(knobs, "runtime", None)
    if not hasattr(runtime, "add_stages_inspection_hook") or \
            not hasattr(runtime, "kernel_load_end_hook"):
        message(f"GPU kernels of Triton are not timed: triton {version} has no "
                "knobs.runtime.add_stages_inspection_hook; a later version is needed")
        return False
    before = runtime.add_stages_inspection_hook
    if isinstance(before, Stages):
        return True
    try:
        instrumenter = instrumenter_here()
    except (Refused, OSError) as error:
        message(f"GPU kernels of Triton are not timed: {error}")
        return False
    if not keys_ask_the_hook():
        separate_cache(knobs, instrumenter.stamp)
    runtime.add_stages_inspection_hook = Stages(instrumenter, before)
    runtime.kernel_load_end_hook.add(loaded)
    return True
