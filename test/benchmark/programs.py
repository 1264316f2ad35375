"""Whole programs: the demo's fused kernel, and what the plugin adds to compile time."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import statistics

from measure import bar, build, compiler, here, link, plugin, root, run, seconds, traced

demo = os.path.join(root, "demo", "fused.cpp")
demo_options = ["-O3", "-march=native", "-fopenmp", f"-I{build}/include"]


def measure_kernel(folder, count, quiet):
    source = os.path.join(here, "fused.cpp")
    objects = []
    for side, extra in (("plain", []), ("traced", [f"-fpass-plugin={plugin}"])):
        objects.append(f"{folder}/{side}.o")
        run([compiler, *demo_options, *extra, f"-DSIDE={side}", "-c", source, "-o", objects[-1]])
    program = f"{folder}/fused"
    run([compiler, *demo_options, source, *objects, *link, "-o", program])
    threads = min(8, len(os.sched_getaffinity(0)))
    results = []
    for _ in range(count):
        quiet.wait()
        results.append(traced([program, "100"], folder, events_a_call=2 + 2 * threads,
                              OMP_NUM_THREADS=str(threads)))
    median = {key: statistics.median(r[key] for r in results) for key in results[0]}
    bar("demo's fused kernel, traced over plain", median["ratio"], 1.005, "ratio",
        f"quartiles {median['low']:.3f} to {median['high']:.3f}, "
        f"plain {median['plain'] / 1e6:.2f} ms, threads: {threads}")


def big_source(path):
    """A C++ file of 5,000 lines: templates, loops, OpenMP."""
    lines = ["#include <vector>", "#include <algorithm>", "#include <cmath>"]
    number = 0
    while len(lines) <= 5000 - 11:
        number += 1
        lines += [
            f"template <typename T> T reduce{number}(const std::vector<T> &x) {{",
            "  T s = 0;",
            "  for (auto v : x)",
            f"    s += v * T({number});",
            "  return s;",
            "}",
            f"void step{number}(std::vector<float> &y, const std::vector<float> &x) {{",
            "#pragma omp parallel for" if number % 4 == 0 else "",
            "  for (long i = 0; i < (long)y.size(); ++i)",
            f"    y[i] += std::sqrt(x[i]) * reduce{number}(x);",
            "}",
        ]
    lines += ["// The last lines make it 5,000."] * (5000 - len(lines))
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def measure_compiler(folder, count, quiet):
    big = f"{folder}/big.cpp"
    big_source(big)
    for name, source, options, times in (
        ("demo", demo, demo_options, 4 * count + 1),
        ("5,000 lines", big, ["-O3", "-fopenmp"], count),
    ):
        plain = [compiler, *options, "-gline-tables-only", "-c", source, "-o", f"{folder}/o.o"]
        without, with_plugin = [], []
        for _ in range(times):
            quiet.wait()
            without.append(seconds(plain))
            with_plugin.append(seconds([*plain, f"-fpass-plugin={plugin}"]))
        base = statistics.median(without)
        bar(f"compile time, {name}", statistics.median(with_plugin) / base, 1.10, "ratio",
            f"{base:.2f} s plain")
