"""How close kernels that should reach a roof are to it, by the report and the measured roofs of the machine."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import statistics

import measure

TOOL = os.path.join(measure.build, "bin", "seamscope")
ELEMENTS = 1 << 26  # 512 MB an array: more than caches have


def percents(program, threads, roofs, folder):
    """% of the roof that the fastest call reached, by kernel: STREAM has the best of its calls, too, and the roofs
    are of the fastest tenth of their runs. On a virtual machine others are up to twice as long."""
    trace = os.path.join(folder, "roofs.trace.json")
    measure.run([program, str(ELEMENTS), "9"], SEAMSCOPE="trace", SEAMSCOPE_OUT=trace, OMP_NUM_THREADS=str(threads))
    report = json.loads(measure.run([TOOL, "report", "--json", "--machine", roofs, trace]))
    return {kernel["name"]: (kernel["roof"]["percent"] * kernel["mean_ns"] / kernel["min_ns"], kernel["roof"]["nearest"])
            for kernel in report["kernels"]}


def measure_roofs(folder, count, quiet):
    program, roofs = os.path.join(folder, "roofs"), os.path.join(folder, "roofs.json")
    # Else clang makes two registers of 256 bits of one of 512.
    measure.run(["clang-22", "-O3", "-march=native", "-mprefer-vector-width=512", "-ffp-contract=fast", "-fopenmp",
                 f"-fpass-plugin={measure.plugin}", os.path.join(measure.here, "roofs.c"), "-o", program, *measure.link])
    found = {}
    teams = sorted({1, len(os.sched_getaffinity(0))})
    for _ in range(count):
        # Measure the roofs in each round: guests share the memory bus, and its free part changes within minutes.
        quiet.wait()
        measure.run([TOOL, "machine", "--quick", "--force", "-o", roofs])
        for threads in teams:
            for name, each in percents(program, threads, roofs, folder).items():
                found.setdefault((name, threads), []).append(each)
    for threads in teams:
        for name, what in (("triad", "STREAM's triad"), ("multiply_add", "multiply-adds in registers")):
            each = found[name, threads]
            middle = statistics.median(percent for percent, _ in each)
            shown = ", ".join(f"{percent:.1f} ({bound})" for percent, bound in each)
            team = f"{threads} thread{'' if threads == 1 else 's'}"
            measure.bar(f"{what} of its roof, {team}", middle, 85, "%", shown, least=True)
            measure.bar(f"{what} of its roof, {team}", middle, 101, "%")
