"""standin-llc.py CLANG STANDIN IN.bc -o OUT: in the place of llc, makes of a device's bitcode what the stand-in's
driver loads as a module at run time: a library for this machine (retarget.py). Options of llc's are left out.
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
            # What the passes left, as it is.
            [clang, "-Wno-override-module", "--target=nvptx64-nvidia-cuda", "-O0", "-Xclang", "-disable-llvm-passes",
             "-S", "-emit-llvm", source, "-o", device],
            [sys.executable, os.path.join(os.path.dirname(os.path.realpath(__file__)), "retarget.py"), device, host],
            # The table of symbols is read by its oldest kind of hash table.
            [clang, "-O1", "-shared", "-fPIC", "-s", "-Wno-override-module", "-Wl,--hash-style=both", host,
             os.path.join(standin, "libcuda.so.1"), "-Wl,-rpath," + standin, "-o", target]):
        subprocess.run(command, check=True, timeout=120)
