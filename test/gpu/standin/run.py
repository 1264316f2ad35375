"""run.py STANDIN LIBRARIES FOLDER [NAME=VALUE...] -- [ARGUMENT...]: runs FOLDER/program on the stand-in,
recorded into FOLDER/trace.json; FOLDER/log.json gets what the stand-in did.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import subprocess
import sys

standin, libraries, folder, *rest = sys.argv[1:]
end = rest.index("--")
environment = dict(
    os.environ, LD_LIBRARY_PATH=standin, SEAMSCOPE="trace",
    STANDIN_DEVICE=os.path.join(folder, "libdevice.so"), STANDIN_LOG=os.path.join(folder, "log.json"),
    SEAMSCOPE_OUT=os.path.join(folder, "trace.json"),
    CUDA_INJECTION64_PATH=os.path.join(libraries, "libseamscope-cuda.so"))
environment.update(each.split("=", 1) for each in rest[:end])
for name in ("trace.json", "log.json"):
    if os.path.exists(os.path.join(folder, name)):
        os.unlink(os.path.join(folder, name))
ran = subprocess.run([os.path.join(folder, "program"), *rest[end + 1:]], env=environment, timeout=120,
                     check=False)
sys.exit(ran.returncode if ran.returncode >= 0 else 128 - ran.returncode)
