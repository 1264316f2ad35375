"""check-registers.py CLANG PLUGIN PTXAS KERNELS.cu FOLDER OPTIONS MOST: compares registers and spills without the pass
and with its OPTIONS; a kernel may use at most MOST more registers."""

import os
import re
import subprocess
import sys

clang, plugin, ptxas, source, folder, asked, most = sys.argv[1:]


def table(options, arch, ptx):
    out = os.path.join(folder, f"{arch}.ptx")
    subprocess.run([clang, "-x", "cuda", "-nocudainc", "-nocudalib", f"--cuda-path={folder}/none",
                    "-Wno-unknown-cuda-version", f"--cuda-gpu-arch={arch}",
                    f"--cuda-feature=+ptx{ptx}", "--cuda-device-only", "-O3", "-gline-tables-only",
                    f"-fpass-plugin={plugin}", "-S", source, "-o", out], check=True, timeout=120,
                   env=dict(os.environ, SEAMSCOPE_PASS=options))
    with open(out, encoding="utf-8") as file:
        text = file.read()
    with open(out, "w", encoding="utf-8") as file:
        file.write(re.sub(r", debug$", "", text, flags=re.M))
    said = subprocess.run([ptxas, "-v", f"-arch={arch}", out, "-o", os.devnull], check=True,
                          timeout=120, capture_output=True, text=True).stderr
    kernels = re.findall(r"Compiling entry function '(\w+)'.*?(\d+) bytes spill stores, "
                         r"(\d+) bytes spill loads.*?Used (\d+) registers", said, re.S)
    return {name: (int(used), int(stores) + int(loads)) for name, stores, loads, used in kernels}


worst = 0
# Only architectures that this toolkit knows.
known = subprocess.run([ptxas, "--help"], check=True, timeout=60, capture_output=True, text=True).stdout
targets = [(arch, ptx) for arch, ptx in (("sm_75", 63), ("sm_80", 70), ("sm_90a", 80), ("sm_100", 86))
           if f"'{arch}'" in known]
assert targets, known
for arch, ptx in targets:
    plain, timed = table("gpu=off", arch, ptx), table(asked, arch, ptx)
    assert plain.keys() == timed.keys() and len(plain) > 5, (plain, timed)
    for name, (registers, spills) in sorted(plain.items()):
        print(f"{name:10} {arch} {registers} to {timed[name][0]}")
        assert timed[name][1] <= spills, (name, arch, spills, timed[name][1])
        # With 64 an SM of sm_75 still has its most threads, and its assembler takes as many freely.
        if name not in ("empty", "nothing") and (arch != "sm_75" or timed[name][0] > 64):
            worst = max(worst, timed[name][0] - registers)
assert worst <= int(most), worst
print(f"kernels take at most {worst} registers more, and spill what they spilled")
