"""standin-llc.py CLANG STANDIN IN.bc -o OUT: used in place of llc; compiles device bitcode to a module that the
stand-in's driver loads at run time, a library for this machine (retarget.py). Ignores options of llc.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import subprocess
import sys
import tempfile

clang, standin, *arguments = sys.argv[1:]
target = arguments[arguments.index("-o") + 1]
(source,) = (each for each in arguments if each.endswith(".bc"))
with tempfile.TemporaryDirectory() as folder:
    device, host = (os.path.join(folder, name) for name in ("device.ll", "host.ll"))
    for command in (
            # The output of the passes, unchanged.
            [clang, "-Wno-override-module", "--target=nvptx64-nvidia-cuda", "-O0", "-Xclang", "-disable-llvm-passes",
             "-S", "-emit-llvm", source, "-o", device],
            [sys.executable, os.path.join(os.path.dirname(os.path.realpath(__file__)), "retarget.py"), device, host],
            # The oldest kind of hash table, by which the symbol table is read.
            [clang, "-O1", "-shared", "-fPIC", "-s", "-Wno-override-module", "-Wl,--hash-style=both", host,
             os.path.join(standin, "libcuda.so.1"), "-Wl,-rpath," + standin, "-o", target]):
        subprocess.run(command, check=True, timeout=120)
