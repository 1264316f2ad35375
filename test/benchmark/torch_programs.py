"""The cost of `seamscope run` to MobileBERT, compared with plain clang and with Inductor's own g++."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import shutil
import statistics
import subprocess
import time

from measure import bar, build, compiler, fail, here, run
from torch_ops import find_python

tool = os.path.join(build, "bin", "seamscope")
loop = os.path.join(here, "mobilebert_loop.py")


def find_libomp():
    for path in ("/usr/lib/x86_64-linux-gnu/libomp.so.5", "/usr/lib/llvm-22/lib/libomp.so.5"):
        if os.path.exists(path):
            return path
    return None


class Side:
    """One way to run the program, with a cache of its own."""

    def __init__(self, folder, name, command, environment):
        self.cache = os.path.join(folder, f"cache-{name}")
        self.command, self.environment = command, environment
        self.times = []

    def call(self, *arguments):
        """Returns the program's output, and the seconds from its start to its end."""
        environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": self.cache, **self.environment}
        begin = time.perf_counter()
        done = subprocess.run([*self.command, loop, *map(str, arguments)], env=environment,
                              capture_output=True, text=True)
        took = time.perf_counter() - begin
        if done.returncode:
            fail(f"{' '.join(self.command)}: {done.stderr.strip()[-500:]}")
        return float(done.stdout), took


def sides(folder, python, libomp):
    out = os.path.join(folder, "run")
    ours = [tool, "run", "-o", out]
    return {
        "plain": Side(folder, "plain", [python], {"CXX": compiler, "LD_PRELOAD": libomp}),
        "traced": Side(folder, "ours", [*ours, "--", python], {}),
        "kernels": Side(folder, "ours", [*ours, "--no-torch", "--", python], {}),
        "g++": Side(folder, "gxx", [python], {"CXX": "g++"}),
    }


def measure_start(folder, count, quiet):
    """Measures the start-up of a program that does nothing."""
    with_run, without = [], []
    for _ in range(4 * count + 1):
        quiet.wait()
        for times, command in ((without, ["true"]),
                               (with_run, [tool, "run", "-o", f"{folder}/none", "--", "true"])):
            begin = time.perf_counter()
            subprocess.run(command, capture_output=True, check=True)
            times.append(time.perf_counter() - begin)
    bar("start-up of seamscope run", statistics.median(with_run) - statistics.median(without), 0.3,
        "s")


def measure_mobilebert(folder, python, count, quiet):
    libomp = find_libomp()
    if not libomp:
        print("MobileBERT: not measured: libomp was not found")
        return
    all_sides = sides(folder, python, libomp)
    compiling = {}
    for name in ("plain", "traced", "g++"):
        quiet.wait()
        compiling[name] = all_sides[name].call(4, 2)[1]
    # From an empty cache to the second call.
    bar("MobileBERT compiled, over plain clang", compiling["traced"] / compiling["plain"], 1.15,
        "ratio", f"whole program: {compiling['plain']:.1f} s plain, {compiling['g++']:.1f} s g++")
    for _ in range(3 * count):
        for side in all_sides.values():
            quiet.wait()
            side.times.append(side.call(4, 80)[0])
    plain = all_sides["plain"].times
    for name, limit, title in (("traced", 1.02, "with torch's operators"),
                               ("kernels", 1.01, "kernels alone"), ("g++", 1.05, "g++ instead")):
        ratios = [mine / base for mine, base in zip(all_sides[name].times, plain)]
        bar(f"MobileBERT, {title}, over plain clang", statistics.median(ratios), limit, "ratio",
            f"{statistics.median(all_sides[name].times) / 1e6:.2f} ms, "
            f"plain {statistics.median(plain) / 1e6:.2f} ms, from {min(ratios):.3f} to "
            f"{max(ratios):.3f}")


def measure_report(folder, python, count, quiet):
    out = os.path.join(folder, "deep")
    run([tool, "run", "--baseline", "eager", "--repeat", "1", "-o", out,
         "--cache", f"{folder}/deep-cache", "--", python, loop, "24", "50"])
    times = []
    for _ in range(count):
        quiet.wait()
        begin = time.perf_counter()
        run([tool, "report", out])
        times.append(time.perf_counter() - begin)
    megabytes = sum(os.path.getsize(path) for path in
                    (f"{out}/trace.json", f"{out}/eager/1/trace.json")) / 1e6
    bar("report, MobileBERT, 24 layers, 50 steps", statistics.median(times), 3, "s",
        f"two traces, compiled and eager, {megabytes:.0f} MB")
    shutil.rmtree(out)


def measure_programs(folder, count, quiet):
    measure_start(folder, count, quiet)
    python = find_python()
    if not python or subprocess.run([python, "-c", "import transformers"], capture_output=True,
                                    check=False).returncode:
        print("MobileBERT: not measured: no Python here has torch and transformers")
        return
    measure_mobilebert(folder, python, count, quiet)
    measure_report(folder, python, count, quiet)
