#===- triton_stages.py - stamps in Triton's kernels ------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Triton compiles a kernel in stages, and lets others change them. Here the LLVM IR of a kernel goes through
the pass plugin before Triton makes PTX of it. That is done by a process of its own (`opt`): the plugin is
built for another LLVM than the one in Triton, and a process can hold only one of them.

A kernel that cannot be instrumented is compiled as without us, with one line that says why.
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
#: Set for a process that compiles for another one, which may not be run by `seamscope run`.
WORKER = "SEAMSCOPE_TRITON_WORKER"
#: What starts such processes.
POOLS = "torch._inductor.compile_worker.subproc_pool"
MODES = ("blocks", "warps")
#: Older majors do not read what Triton prints.
OLDEST_LLVM = 22
#: Of one kernel, in seconds. The largest seen take less than one.
TIME_LIMIT = 300
PASS_OPTIONS = "gpu"


def asked_for():
    """Whether SEAMSCOPE_GPU asks for kernels to be timed."""
    mode = os.environ.get("SEAMSCOPE_GPU", "")
    if mode in MODES:
        return True
    if mode not in ("", "off"):
        message(f"SEAMSCOPE_GPU={mode!a} is not understood: GPU kernels are not timed; "
                f"it is off, {' or '.join(MODES)}")
    return False


def _literals():
    name = "_seamscope_triton_literals"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, os.path.join(HERE, "triton_literals.py"))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[name] = module
    return sys.modules[name]


def _optimizer(major):
    """The path of opt of an LLVM major, or None. SEAMSCOPE_OPT names one."""
    named = os.environ.get("SEAMSCOPE_OPT")
    if named:
        return shutil.which(named)
    return shutil.which(f"opt-{major}") or shutil.which("opt", path=f"/usr/lib/llvm-{major}/bin")


class Instrumenter:
    """The plugin and the opt that loads it."""

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
            raise Refused(f"there is no opt of LLVM {usable[0]} to load the pass plugin: install "
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
        """A name for what decides about the result: two that differ never share a kernel."""
        told = self._run(["--version"], b"")
        if told.returncode:
            raise Refused(f"{self.opt} --version ended with status {told.returncode}")
        text = hashlib.sha256(told.stdout + b"\0" + PASS_OPTIONS.encode() + b"\0")
        for path in (self.plugin, os.path.realpath(__file__), os.path.join(HERE, "triton_literals.py")):
            with open(path, "rb") as file:
                text.update(hashlib.sha256(file.read()).digest())
        return text.hexdigest()

    def instrumented(self, llir):
        """The module with stamps. Nothing but the pass runs. Raises Refused."""
        literals = _literals()
        try:
            text = literals.rewritten(llir)
        except literals.NotUnderstood as why:
            raise Refused(str(why)) from None
        ran = self._run([f"-load-pass-plugin={self.plugin}", "-passes=seamscope",
                         "-mtriple=nvptx64-nvidia-cuda", "-S", "-o", "-", "-"], text.encode())
        if ran.returncode:
            lines = ran.stderr.decode(errors="replace").strip().splitlines()
            why = next((line for line in lines if "error:" in line), lines[0] if lines else
                       f"it ended with status {ran.returncode}")
            raise Refused(f"{os.path.basename(self.opt)}: {why}")
        result = ran.stdout.decode()
        if CONTROL not in result:
            raise Refused("the pass found no kernel in it")
        return result


class Stages:
    """What stands in triton.knobs.runtime.add_stages_inspection_hook, and in front of what stood there."""

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
        """Called at every launch. What it returns becomes a part of Triton's keys."""
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
    """A kernel's module is on the device: tells it where to write."""
    guarded(f"GPU kernels are not timed: {GPU_LIBRARY} cannot be used")(_set_up)(module, name, metadata_group)


def _set_up(module, name, metadata_group):
    if not _has_control(metadata_group):
        message(f"kernel {ascii(name)[1:-1]} is not timed: it was compiled without stamps")
        return
    result = _gpu_library()(module)
    if result:
        message(f"GPU kernels are not timed: {GPU_LIBRARY} refused the module of {ascii(name)[1:-1]} "
                f"with {result}")


def _has_control(metadata_group):
    """Whether what is in Triton's cache has stamps: one that could not be instrumented is kept there, too."""
    for name, path in metadata_group.items():
        if name.endswith(".cubin"):
            with open(path, "rb") as file:
                return CONTROL.encode() in file.read()
    return False


def separate_cache(knobs, stamp):
    """For a Triton whose cache does not ask the hook for a key: a folder beside the user's own."""
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
    """That of this process. Raises Refused or OSError."""
    return Instrumenter()


def separate_inductor():
    """Inductor keeps kernels of Triton in a cache of its own, by other keys, and has a launcher that
    runs none of Triton's hooks. Both are read after `import torch`."""
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
        # Of a name that nobody chose: what somebody else put there is not run.
        try:
            load(HERE, "private").make_private(folder + suffix)
        except OSError as error:
            folder = tempfile.mkdtemp(prefix="torchinductor-")
            message(f"kernels are kept in {folder}: {error}")
    if not folder.rstrip("/").endswith(suffix):
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder.rstrip("/") + suffix
    os.environ.setdefault("TORCHINDUCTOR_USE_STATIC_CUDA_LAUNCHER", "0")


def reach_workers(pools):
    """Has Inductor's processes that compile kernels begin with our sitecustomize. They are started
    with the parent's sys.path for PYTHONPATH, of which our folder has been taken off. `pools` is the
    module that starts them."""
    before = pools.python_subprocess_env
    if getattr(before, "of_seamscope", False):
        return

    @guarded("kernels that other processes compile are not timed")
    def add(environment):
        paths = environment.get("PYTHONPATH")
        # Nothing but kernels is of interest there: their operators are not the program's.
        return dict(environment, PYTHONPATH=os.pathsep.join([HERE, paths]) if paths else HERE,
                    SEAMSCOPE_TORCH="off", **{WORKER: "1"})

    def python_subprocess_env():
        environment = before()
        return add(environment) or environment

    python_subprocess_env.of_seamscope = True
    pools.python_subprocess_env = python_subprocess_env


def install(triton):
    """Has kernels that are compiled from now on instrumented; True if so. Says in one line why not."""
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
