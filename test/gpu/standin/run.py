"""run.py STANDIN LIBRARIES FOLDER [--under SEAMSCOPE | --preload] [NAME=VALUE...] -- [ARGUMENT...]: runs
FOLDER/program on the stand-in, recorded into FOLDER/trace.json; the stand-in writes its log to FOLDER/log.json.
The driver loads libseamscope-cuda; --under: by `SEAMSCOPE run`; --preload: by LD_PRELOAD.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import subprocess
import sys

standin, libraries, folder, *rest = sys.argv[1:]
tool, preload = None, rest[:1] == ["--preload"]
if rest[:1] == ["--under"]:
    tool = rest[1]
rest = rest[2 if tool else preload:]
end = rest.index("--")
library = os.path.join(libraries, "libseamscope-cuda.so")
environment = dict(
    os.environ, LD_LIBRARY_PATH=standin, SEAMSCOPE="trace",
    STANDIN_DEVICE=os.path.join(folder, "libdevice.so"), STANDIN_LOG=os.path.join(folder, "log.json"),
    SEAMSCOPE_OUT=os.path.join(folder, "trace.json"), CUDA_INJECTION64_PATH=library)
if tool or preload:
    del environment["CUDA_INJECTION64_PATH"]
if tool:
    del environment["SEAMSCOPE"], environment["SEAMSCOPE_OUT"]
if preload:
    # Only the file name, since the loader splits paths at blanks.
    environment["LD_PRELOAD"] = os.path.basename(library)
    environment["LD_LIBRARY_PATH"] += os.pathsep + libraries
environment.update(each.split("=", 1) for each in rest[:end])
for name in ("trace.json", "log.json"):
    if os.path.exists(os.path.join(folder, name)):
        os.unlink(os.path.join(folder, name))
start = [tool, "run", "-o", os.path.join(folder, "trace.json"), "--"] if tool else []
ran = subprocess.run([*start, os.path.join(folder, "program"), *rest[end + 1:]], env=environment, timeout=120,
                     check=False)
sys.exit(ran.returncode if ran.returncode >= 0 else 128 - ran.returncode)
