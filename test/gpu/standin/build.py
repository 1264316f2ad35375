"""build.py CLANG PLUGIN CUDA STANDIN LIBRARIES SOURCE FOLDER [OPTION...]: compiles a CUDA program with the
plugin to FOLDER/program, and its kernels for this machine to FOLDER/libdevice.so. PLUGIN none: without
Seamscope; --static-cudart: with the CUDA runtime linked statically.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import subprocess
import sys

clang, plugin, cuda, standin, libraries, source, folder, *options = sys.argv[1:]
static = "--static-cudart" in options
options = [each for each in options if each != "--static-cudart"]
plain = plugin == "none"
HERE = os.path.dirname(os.path.realpath(__file__))


def run(*command):
    subprocess.run(command, check=True, timeout=300)


def path(name):
    return os.path.join(folder, name)


def here(folder):
    return ["-Wl,-rpath," + folder]


os.makedirs(folder, exist_ok=True)
compile_cuda = [
    clang, "-std=c++20", "-x", "cuda", "--cuda-path=" + cuda, "-I" + os.path.join(standin, "include"),
    "-I" + os.path.join(cuda, "include", "cccl"), "--cuda-gpu-arch=sm_80", "-Wno-unknown-cuda-version",
    "-gline-tables-only", "-O2", *([] if plain else ["-fpass-plugin=" + plugin]), *options]
os.environ.setdefault("SEAMSCOPE_PASS", "gpu")
run(*compile_cuda, "--cuda-device-only", "-S", "-emit-llvm", source, "-o", path("device.ll"))
run(sys.executable, os.path.join(HERE, "retarget.py"), path("device.ll"), path("host.ll"))
run(clang, "-O1", "-shared", "-fPIC", "-Wno-override-module", path("host.ll"),
    os.path.join(standin, "libcuda.so.1"), *here(standin), "-o", path("libdevice.so"))
runtime = ["-l:libcudart_static.a", "-l:libcuda.so.1"] if static else ["-l:libcudart.so.13"]
ours = [] if plain else ["-L" + libraries, "-lseamscope", *here(libraries)]
run(*compile_cuda, source, "-o", path("program"), "-L" + standin, *runtime, *here(standin), *ours, "-lpthread")
