"""What the plugin costs programs of others, those of the corpus: in time, instructions and size of code while
nothing is recorded, and in time when it is."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import fnmatch
import json
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

ANY_BAR, MEAN_BAR, RECORDED_BAR, TEXT_BAR = 1.03, 1.005, 1.3, 1.25
# Instructions are counted between these numbers of rounds: start-up and end fall out.
FEW, MORE = 1, 3


def execute(command, folder, **settings):
    result = toolchain.run(command, folder, toolchain.clean_environment(OMP_NUM_THREADS="1", **settings))
    if not result.ok:
        fail(f"{' '.join(command)}: {result.problem()}")
    return result


def window_of(trace, folder):
    """From the first call to the last, in seconds: without the writing of the trace."""
    report = execute([os.path.join(build, "bin", "seamscope"), "report", "--json", trace], folder)
    for name in os.listdir(folder):
        if name.startswith("trace"):
            os.remove(os.path.join(folder, name))
    return json.loads(report.stdout)["window_ns"] / 1e9


def text_of(program, folder):
    """The bytes of a program's code."""
    done = execute(["size", "-A", program], folder)
    return int(re.search(rb"^\.text\s+(\d+)", done.stdout, re.MULTILINE)[1])


def bar_of(run, while_off):
    if run.startswith("size"):
        return TEXT_BAR
    return RECORDED_BAR if run.startswith("recorded") else while_off


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


# What is measured: the build, and how it runs.
SIDES = {"recording off": ("plugin", "off"), "recorded": ("plugin", "trace")}


def measure_one(program, folder, count, quiet, instructions):
    """By what is compared (ratio, detail)."""
    chain = toolchain.Toolchain("22", build)
    configuration = builds.Configuration.parse("22-O2")
    made = {side: builds.Build(program, chain, configuration, os.path.join(folder, side), side != "plain")
            for side in ("plain", "plugin")}
    for each in made.values():
        try:
            each.make()
        except builds.Failure as error:
            fail(str(error))
    runs = {"plain": ("plain", "off"), **SIDES}
    times = {run: [] for run in runs}
    elapsed = []  # of the plain program, which what was recorded is compared with
    for _ in range(count):
        quiet.wait()
        for run, (side, mode) in runs.items():
            trace = os.path.join(folder, "trace.json")
            done = execute([made[side].program, *program.arguments(folder, program.bench)], folder,
                           SEAMSCOPE=mode, SEAMSCOPE_OUT=trace, SEAMSCOPE_OUT_LIMIT="16M")
            whole = (done.end_ns - done.begin_ns) / 1e9
            # A program of which nothing is worth a hook has no trace.
            recorded = window_of(trace, folder) if os.path.exists(trace) else whole
            times[run].append(done.user if mode == "off" else recorded)
            if run == "plain":
                elapsed.append(whole)
    plain = times.pop("plain")
    detail = (f"{statistics.median(plain) * 1e3:.0f} ms plain, "
              f"{min(plain) * 1e3:.0f} to {max(plain) * 1e3:.0f}")
    executed = {}
    if instructions.how:
        counts = {side: instructions.of_rounds(each) for side, each in made.items()}
        executed = {run: (counts[side] / counts["plain"],
                          f"{counts['plain'] / 1e6:.1f} million plain, by {instructions.how}")
                    for run, (side, mode) in SIDES.items() if mode == "off"}
    found = {f"{run}, time": (statistics.median(row) / statistics.median(plain if mode == "off" else elapsed), detail)
             for (run, row), (side, mode) in zip(times.items(), SIDES.values())}
    found |= {f"{run}, instructions": figure for run, figure in executed.items()}
    size = {side: text_of(each.program, folder) for side, each in made.items()}
    found["size of code"] = size["plugin"] / size["plain"], f"{size['plain'] / 1e3:.0f} KB plain"
    return found


def benchmarks(only=None):
    """The corpus's programs with a benchmark whose sources could be fetched, and the packages that could not."""
    programs = [program for package in fetch.manifests().values()
                for program in builds.of_package(package)
                if program.bench and (not only or fnmatch.fnmatch(program.name, only))]
    if not programs:
        fail(f"no program of the corpus with a benchmark matches '{only}'")
    failed = fetch.fetch_all({p.package["name"]: p.package for p in programs}.values(),
                             lambda text: print(f"corpus: {text}", flush=True))
    return [program for program in programs if program.package["name"] not in failed], failed


def measure_corpus(folder, count, quiet, only=None):
    """Rows for each program with a benchmark, and the geometric means."""
    programs, failed = benchmarks(only)
    instructions = Instructions(folder)
    if not instructions.how:
        print("neither perf's counters nor valgrind: instructions are not counted", flush=True)
    found = {}
    for program in programs:
        inside = os.path.join(folder, program.name.replace("/", "-"))
        os.makedirs(inside)
        for what, (ratio, detail) in measure_one(program, inside, count, quiet, instructions).items():
            found.setdefault(what, []).append(ratio)
            bar(f"{program.name}, {what}", ratio, bar_of(what, ANY_BAR), "ratio", detail)
        shutil.rmtree(inside)
    for what, values in found.items():
        if len(values) > 1:
            bar(f"geometric mean of {len(values)}, {what}", statistics.geometric_mean(values),
                bar_of(what, MEAN_BAR), "ratio", f"not fetched: {', '.join(failed)}" if failed else "")
