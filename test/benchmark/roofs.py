"""How close kernels that should reach a roof are to it, by the report and the measured roofs of the machine."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import statistics

import measure

TOOL = os.path.join(measure.build, "bin", "seamscope")
ELEMENTS = 1 << 26  # 512 MB an array: more than caches have


def percents(program, threads, roofs, folder):
    """% of the roof, by kernel."""
    trace = os.path.join(folder, "roofs.trace.json")
    measure.run([program, str(ELEMENTS), "9"], SEAMSCOPE="trace", SEAMSCOPE_OUT=trace, OMP_NUM_THREADS=str(threads))
    report = json.loads(measure.run([TOOL, "report", "--json", "--machine", roofs, trace]))
    return {kernel["name"]: (kernel["roof"]["percent"], kernel["roof"]["bound"]) for kernel in report["kernels"]}


def measure_roofs(folder, count, quiet):
    program, roofs = os.path.join(folder, "roofs"), os.path.join(folder, "roofs.json")
    # Else clang makes two registers of 256 bits of one of 512.
    measure.run(["clang-22", "-O3", "-march=native", "-mprefer-vector-width=512", "-ffp-contract=fast", "-fopenmp",
                 f"-fpass-plugin={measure.plugin}", os.path.join(measure.here, "roofs.c"), "-o", program, *measure.link])
    quiet.wait()
    measure.run([TOOL, "machine", *(["--quick"] if count == 1 else []), "-o", roofs])
    for threads in sorted({1, len(os.sched_getaffinity(0))}):
        found = {}
        for _ in range(count):
            quiet.wait()
            for name, each in percents(program, threads, roofs, folder).items():
                found.setdefault(name, []).append(each)
        for name, what in (("triad", "STREAM's triad"), ("multiply_add", "multiply-adds in registers")):
            middle = statistics.median(percent for percent, _ in found[name])
            shown = ", ".join(f"{percent:.1f} ({bound})" for percent, bound in found[name])
            team = f"{threads} thread{'' if threads == 1 else 's'}"
            measure.bar(f"{what} of its roof, {team}", middle, 85, "%", shown, least=True)
            measure.bar(f"{what} of its roof, {team}", middle, 101, "%")
