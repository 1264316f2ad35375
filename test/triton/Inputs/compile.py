"""compile.py [--timed] FOLDER KERNEL...: writes PTX and cubin of kernels into the folder."""

import os
import sys

timed = sys.argv[1] == "--timed"
folder, *names = sys.argv[1 + timed:]
if timed:
    import seamscope.triton

    print("installed:", seamscope.triton.installed, flush=True)
import kernels

os.makedirs(folder, exist_ok=True)
for name in names or kernels.KERNELS:
    asm = kernels.compiled(name).asm
    for kind in ("llir", "ptx"):
        with open(os.path.join(folder, f"{name}.{kind}"), "w", encoding="utf-8") as file:
            file.write(asm[kind])
    with open(os.path.join(folder, f"{name}.cubin"), "wb") as file:
        file.write(asm["cubin"])
    print(name, "has stamps" if "__seamscope_gpu_control_v1" in asm["ptx"] else "has no stamps", flush=True)
