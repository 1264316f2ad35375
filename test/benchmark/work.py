"""What counting work costs: kernels with counters over the same kernels without, size and compile time."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import re
import statistics
import time

import measure

SETTINGS = {"without": {"SEAMSCOPE_PASS": "work=off"}, "with": {"SEAMSCOPE_PASS": "work=on"}}


def text_size(path):
    """Bytes of machine code."""
    lines = measure.run(["llvm-size-22", "-A", path]).splitlines()
    return sum(int(found[1]) for line in lines if (found := re.match(r"\.text\S*\s+(\d+)", line)))


def measure_times(folder, count, quiet):
    source = os.path.join(measure.here, "loops.cpp")
    for name, settings in SETTINGS.items():
        measure.run([measure.compiler, "-O2", "-march=native", f"-fpass-plugin={measure.plugin}", source, "-o",
                     os.path.join(folder, name), *measure.link], **settings)
    for mode, environment in (("off", {}),
                              ("traced", {"SEAMSCOPE": "trace", "SEAMSCOPE_OUT": os.path.join(folder, "work.json")})):
        times = {key: {} for key in SETTINGS}
        for _ in range(4 * count + 3):
            for key in SETTINGS:
                quiet.wait()
                for kernel, ns in json.loads(measure.run([os.path.join(folder, key)], **environment)).items():
                    times[key].setdefault(kernel, []).append(ns)
        # The least of each: other programs, and a processor that lowers its clock by a third for a second, only
        # add time, and medians of these kernels jumped by 40 % between runs of this benchmark.
        ratios = {kernel: min(times["with"][kernel]) / min(times["without"][kernel]) for kernel in times["with"]}
        shown = ", ".join(f"{kernel} {ratio:.3f}" for kernel, ratio in ratios.items())
        measure.bar(f"kernels with counters over without, {mode}, mean",
                    statistics.geometric_mean(ratios.values()), 1.01, "x", shown)
        measure.bar("the slowest of them", max(ratios.values()), 1.03, "x")


def measure_sizes(folder, count, quiet):
    """Of sources of the repository that are not made of small functions alone."""
    sources = {"kernels of loops.cpp": os.path.join(measure.here, "loops.cpp"),
               "the demonstration": os.path.join(measure.root, "demo", "fused.cpp"),
               "44 loop shapes": os.path.join(measure.root, "test", "passes", "Inputs", "loop-shapes.cpp")}
    texts, times = {}, {}
    for what, source in sources.items():
        took = {key: [] for key in SETTINGS}
        size = {}
        for _ in range(count):
            for key, settings in SETTINGS.items():
                quiet.wait()
                target = os.path.join(folder, "size.o")
                begin = time.perf_counter()
                measure.run([measure.compiler, "-w", "-O2", "-march=x86-64-v3", "-fopenmp", "-gline-tables-only",
                             f"-I{measure.root}/runtime/include", f"-fpass-plugin={measure.plugin}", "-c", source,
                             "-o", target], **settings)
                took[key].append(time.perf_counter() - begin)
                size[key] = text_size(target)
        texts[what] = size["with"] / size["without"]
        times[what] = min(took["with"]) / min(took["without"])
    for name, ratios in (("machine code with counters over without", texts),
                         ("compile time with counters over without", times)):
        measure.bar(name, statistics.geometric_mean(ratios.values()), 1.05, "x",
                    ", ".join(f"{what} {ratio:.3f}" for what, ratio in ratios.items()))


def measure_work(folder, count, quiet):
    measure_times(folder, count, quiet)
    measure_sizes(folder, count, quiet)
