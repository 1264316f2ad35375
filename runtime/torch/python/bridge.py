#===- bridge.py - builds, caches and loads the bridge to torch -------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""The bridge is C++ code that includes torch's headers, so it works with one build of torch. It is compiled
at its first use, with any installed compiler, and cached for this user, torch and Seamscope.
"""

import contextlib
import ctypes
import fcntl
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

from _seamscope_waiting import Refused, guarded, load, message

HERE = os.path.dirname(os.path.realpath(__file__))
make_private = load(HERE, "private").make_private
SOURCES = os.path.join(os.path.dirname(HERE), "torch")
RUNTIME_FOLDER = os.path.dirname(os.path.dirname(HERE))
RUNTIME = os.path.join(RUNTIME_FOLDER, "libseamscope.so")
LIBRARY = "libseamscope_torch.so"
OLDEST = (2, 0)
MOST_INPUTS_EVERY = 1 << 20
LEAST_ROOM = 64 << 20  # bytes on the disk of the cache, as for kernels in `seamscope run`


def version_of(torch):
    """The version as text and as numbers: ("2.13.0+cpu", (2, 13)). Refuses old versions."""
    text = str(getattr(torch, "__version__", "of an unknown version"))
    try:
        number = tuple(int(part) for part in text.split("+")[0].split(".")[:2])
    except ValueError:
        raise Refused(f"torch {text} has a version number of an unknown form") from None
    if number < OLDEST:
        raise Refused(f"torch {text} is older than {'.'.join(map(str, OLDEST))}")
    return text, number


def recorded_here(rank):
    """Whether this process records. In a tree of processes, only the first one that imports torch and each
    rank of a distributed run record; with SEAMSCOPE_TORCH=all, all processes record."""
    owner, _, owners_rank = os.environ.get("SEAMSCOPE_TORCH_OWNER", "").partition(":")
    if os.environ.get("SEAMSCOPE_TORCH") != "all" and owner and owner != str(os.getpid()):
        if not rank or owners_rank:
            return False
    os.environ["SEAMSCOPE_TORCH_OWNER"] = f"{os.getpid()}:{rank}"
    return True


def compilers():
    """Compiler commands to try, the user's choice first."""
    for command in (os.environ.get("SEAMSCOPE_TORCH_CXX"), os.environ.get("CXX"), "c++", "g++",
                    "clang++"):
        words = shlex.split(command or "")
        if words and shutil.which(words[0]):
            yield words


def compile_options(torch, version, number):
    root = os.path.dirname(os.path.realpath(torch.__file__))
    include = os.path.join(root, "include")
    if not os.path.isfile(os.path.join(include, "ATen", "record_function.h")):
        raise Refused(f"torch {version} is installed without its headers: there is no "
                      f"{include}/ATen/record_function.h")
    abi = int(getattr(torch._C, "_GLIBCXX_USE_CXX11_ABI", True))
    # One translation unit, since torch's headers take most of the time.
    others = sorted(name for name in os.listdir(SOURCES)
                    if name.endswith(".cpp") and name != "Bridge.cpp")
    return [
        "-shared", "-fPIC", "-O2", "-w", "-fvisibility=hidden",
        "-std=c++20" if number >= (2, 10) else "-std=c++17",
        # The layout of torch's objects depends on these two.
        *([] if getattr(torch.version, "debug", False) else ["-DNDEBUG"]),
        f"-D_GLIBCXX_USE_CXX11_ABI={abi}", f'-DSEAMSCOPE_TORCH_VERSION="{version}"',
        f"-I{SOURCES}", "-isystem", include,
        "-isystem", os.path.join(include, "torch", "csrc", "api", "include"),
        *(word for name in others for word in ("-include", os.path.join(SOURCES, name))),
        os.path.join(SOURCES, "Bridge.cpp"),
        f"-L{RUNTIME_FOLDER}", "-lseamscope", f"-Wl,-rpath,{RUNTIME_FOLDER}",
        f"-L{os.path.join(root, 'lib')}", "-ltorch_cpu", "-lc10", "-Wl,-z,nodelete",
    ]


def key_of(options):
    """A hash of all that the built library depends on: options and sources."""
    text = hashlib.sha256("\0".join(options).encode())
    for folder in (SOURCES, os.path.join(SOURCES, "seamscope")):
        for name in sorted(os.listdir(folder)):
            if name.endswith((".cpp", ".h")):
                with open(os.path.join(folder, name), "rb") as file:
                    text.update(file.read())
    return text.hexdigest()[:16]


def build(options, version, target):
    """Compiles the library and moves it to `target`. Tries one compiler after the other."""
    found = list(compilers())
    if not found:
        raise Refused("no C++ compiler found to build the bridge; install one, or name it with "
                      "SEAMSCOPE_TORCH_CXX")
    message(f"building the bridge to torch {version}, once: about half a minute")
    environment = dict(os.environ, SEAMSCOPE_WRAPPER="off", SEAMSCOPE="off", LC_ALL="C")
    environment.pop("LD_PRELOAD", None)
    log = []
    for compiler in found:
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), suffix=".so")
        os.close(handle)
        command = [*compiler, *options, "-o", temporary]
        ran = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if ran.returncode == 0:
            os.replace(temporary, target)
            return
        os.unlink(temporary)
        log.append(shlex.join(command).encode() + b"\n" + ran.stdout)
    with tempfile.NamedTemporaryFile("wb", prefix="seamscope-bridge-", suffix=".log",
                                     delete=False) as file:
        file.write(b"\n".join(log))
    raise Refused(f"the bridge cannot be built for torch {version}; see {file.name}")


def cache_folder():
    """A cache folder that only this user can write to, or None."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(base, "seamscope", "torch-bridge")
    try:
        make_private(folder)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


@contextlib.contextmanager
def library(options, version):
    """The path of the built library."""
    folder = cache_folder()
    home = os.path.join(folder or "", key_of(options))
    target = os.path.join(home, LIBRARY)
    if folder is None or not os.path.isfile(target) and shutil.disk_usage(folder).free < LEAST_ROOM:
        with tempfile.TemporaryDirectory(prefix="seamscope-bridge-") as own:
            target = os.path.join(own, LIBRARY)
            build(options, version, target)
            yield target
        return
    if not os.path.isfile(target):
        os.makedirs(home, mode=0o700, exist_ok=True)
        # Only one of several ranks builds.
        with open(os.path.join(home, "lock"), "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not os.path.isfile(target):
                build(options, version, target)
    yield target


def inputs_every():
    """SEAMSCOPE_TORCH_INPUTS: N if operators have their inputs in one of N marked steps, 1 if in all."""
    text = os.environ.get("SEAMSCOPE_TORCH_INPUTS") or "all"
    if text == "all":
        return 1
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= MOST_INPUTS_EVERY:
        raise Refused(f"SEAMSCOPE_TORCH_INPUTS={text} is neither all nor a number from 1 to {MOST_INPUTS_EVERY}")
    return int(text)


def asks_inputs():
    """N of SEAMSCOPE_TORCH_INPUTS, and the function that switches inputs on (1) and off (0); None if all operators
    have their inputs."""
    if loaded is None or inputs_every() == 1:
        return None
    # PyDLL keeps the interpreter's lock, so that threads whose steps begin at once switch in one order.
    return inputs_every(), ctypes.PyDLL(None, handle=loaded._handle).seamscope_torch_inputs


def load(torch):
    """Starts recording torch's operators and returns the library. Raises Refused or OSError."""
    version, number = version_of(torch)
    with library(compile_options(torch, version, number), version) as path:
        bridge = ctypes.CDLL(path)
    bridge.seamscope_torch_start.restype = ctypes.c_char_p
    children = os.environ.get("SEAMSCOPE_TORCH") == "all"
    reason = bridge.seamscope_torch_start(version.encode(), int(children), int(inputs_every() > 1))
    if reason:
        raise Refused(reason.decode())
    return bridge


begun = False
loaded = None  # the library, once it records


def start_aside(waiting, torch, rank=None):
    """Starts recording torch's operators, or prints in one line why it cannot. Returns whether it has started
    now."""
    global begun, loaded
    if begun or not recorded_here(os.environ.get("RANK", "") if rank is None else str(rank)):
        return False
    begun = True
    loaded = guarded("torch's operators are not recorded")(load_aside)(waiting, torch)
    return loaded is not None


def load_aside(waiting, torch):
    """load() without changing the program's heap. Also sets up this thread in the runtime now, so that it does
    not happen within the program's work."""
    bridge = waiting.aside(lambda: load(torch))
    bridge.seamscope_torch_set_up_thread()
    return bridge
