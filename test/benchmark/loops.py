"""What hooks around loops cost kernels, with recording off and on."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import statistics

import measure


def measure_loops(folder, count, quiet):
    source = os.path.join(measure.here, "loops.cpp")
    builds = {"plain": ([], {}), "kernels": ([f"-fpass-plugin={measure.plugin}"], {"SEAMSCOPE_PASS": "loops=off"}),
              "loops": ([f"-fpass-plugin={measure.plugin}"], {})}
    for name, (plugin, settings) in builds.items():
        measure.run([measure.compiler, "-O2", "-march=native", *plugin, source, "-o", os.path.join(folder, name),
                     *(measure.link if plugin else [])], **settings)
    runs = {"plain": ("plain", {}), "off": ("loops", {}),
            "kernels traced": ("kernels", {"SEAMSCOPE": "trace"}),
            "traced": ("loops", {"SEAMSCOPE": "trace"})}
    times = {key: {} for key in runs}
    for _ in range(count):
        for key, (program, environment) in runs.items():
            quiet.wait()
            if environment:
                environment = {**environment, "SEAMSCOPE_OUT": os.path.join(folder, "trace.json")}
            found = json.loads(measure.run([os.path.join(folder, program)], **environment))
            for kernel, ns in found.items():
                times[key].setdefault(kernel, []).append(ns)
    for key in ("off", "kernels traced", "traced"):
        ratios = {kernel: statistics.median(times[key][kernel]) / statistics.median(times["plain"][kernel])
                  for kernel in times["plain"]}
        shown = ", ".join(f"{kernel} {ratio:.3f}" for kernel, ratio in ratios.items())
        what = "kernels without loops timed, traced" if key == "kernels traced" else f"kernels with loops timed, {key}"
        measure.bar(f"{what}, over plain, mean", statistics.geometric_mean(ratios.values()), 1.01, "x", shown)
        if key == "traced":
            measure.bar("the slowest of them", max(ratios.values()), 1.03, "x")
