"""What the plugin costs programs of others while nothing is recorded: those of the corpus."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import fnmatch
import math
import os
import re
import shutil
import statistics
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), folder)
                for folder in ("corpus", "common")]

import builds  # noqa: E402
import fetch  # noqa: E402
import toolchain  # noqa: E402
from measure import bar, build, fail  # noqa: E402

ANY_BAR, MEAN_BAR = 1.05, 1.01
# Instructions are counted between these numbers of rounds: start-up and end fall out.
FEW, MORE = 1, 3


def execute(command, folder):
    result = toolchain.run(command, folder, toolchain.clean_environment(OMP_NUM_THREADS="1"))
    if not result.ok:
        fail(f"{' '.join(command)}: {result.problem()}")
    return result


class Instructions:
    """Counts instructions in user mode, by the processor's counter or else in valgrind."""

    def __init__(self, folder):
        self.folder = folder
        self.how = None
        if shutil.which("perf"):
            done = toolchain.run(["perf", "stat", "-x,", "-e", "instructions:u", "true"], folder)
            if done.ok and re.search(rb"^\d+,", done.stderr, re.MULTILINE):
                self.how = "perf"
        if not self.how and shutil.which("valgrind"):
            self.how = "valgrind"

    def count(self, command):
        if self.how == "perf":
            done = execute(["perf", "stat", "-x,", "-e", "instructions:u", *command], self.folder)
            return int(re.search(rb"^(\d+),", done.stderr, re.MULTILINE)[1])
        done = execute(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
                       self.folder)
        return int(re.search(rb"Collected : (\d+)", done.stderr)[1])

    def of_rounds(self, made):
        few, more = (self.count([made.program, *made.source_of.arguments(self.folder, rounds)])
                     for rounds in (FEW, MORE))
        return more - few


def measure_one(program, folder, count, quiet, instructions):
    """(ratio of times, ratio of instructions or None), and prints nothing."""
    chain = toolchain.Toolchain("22", build)
    configuration = builds.Configuration.parse("22-O2")
    sides = [builds.Build(program, chain, configuration, os.path.join(folder, side), plugin)
             for side, plugin in (("plain", False), ("plugin", True))]
    for made in sides:
        try:
            made.make()
        except builds.Failure as error:
            fail(str(error))
    times = [[], []]
    for _ in range(count):
        quiet.wait()
        for made, row in zip(sides, times):
            row.append(execute([made.program, *program.arguments(folder, program.bench)], folder).user)
    plain, plugin = (statistics.median(row) for row in times)
    detail = f"{plain * 1e3:.0f} ms plain, {min(times[0]) * 1e3:.0f} to {max(times[0]) * 1e3:.0f}"
    executed = None
    if instructions.how:
        base, with_plugin = (instructions.of_rounds(made) for made in sides)
        executed = (with_plugin / base, f"{base / 1e6:.1f} million plain, by {instructions.how}")
    return plugin / plain, detail, executed


def measure_corpus(folder, count, quiet, only=None):
    """Rows for each program with a benchmark, and the geometric means."""
    programs = [program for package in fetch.manifests().values()
                for program in builds.of_package(package)
                if program.bench and (not only or fnmatch.fnmatch(program.name, only))]
    if not programs:
        fail(f"no program of the corpus with a benchmark matches '{only}'")
    failed = fetch.fetch_all({p.package["name"]: p.package for p in programs}.values(),
                             lambda text: print(f"corpus: {text}", flush=True))
    instructions = Instructions(folder)
    if not instructions.how:
        print("neither perf's counters nor valgrind: instructions are not counted", flush=True)
    ratios, counted = [], []
    for program in programs:
        if program.package["name"] in failed:
            continue
        inside = os.path.join(folder, program.name.replace("/", "-"))
        os.makedirs(inside)
        ratio, detail, executed = measure_one(program, inside, count, quiet, instructions)
        ratios.append(ratio)
        bar(f"{program.name}, recording off, time", ratio, ANY_BAR, "ratio", detail)
        if executed:
            counted.append(executed[0])
            bar(f"{program.name}, recording off, instructions", executed[0], ANY_BAR, "ratio",
                executed[1])
        shutil.rmtree(inside)
    for values, what in ((ratios, "time"), (counted, "instructions")):
        if len(values) > 1:
            bar(f"geometric mean of {len(values)}, {what}",
                math.exp(statistics.fmean(math.log(value) for value in values)), MEAN_BAR, "ratio",
                f"not fetched: {', '.join(failed)}" if failed else "")
