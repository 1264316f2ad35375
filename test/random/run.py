#!/usr/bin/env python3
"""Runs random programs with and without the plugin, and compares.

usage: run.py --build FOLDER [--generated FROM-TO] [--csmith FROM-TO] [--all-levels] [-j N]

Each seed is a program, from generate.py or from csmith. All builds with the plugin must have the output
of the plain build at O0, with recording off and on. Each seed is tried at some of the levels; with
--all-levels, at all. Traces must be well formed, and each annotated kernel must have as many calls as
the program counted. Prints each seed that fails with the command that repeats it. Exits with 1 if one
failed.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import concurrent.futures
import os
import re
import shlex
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "common"))

import check_trace  # noqa: E402
import generate  # noqa: E402
import toolchain  # noqa: E402

LEVELS = ("-O1", "-O2", "-O3", "-Os", "-O0", "-O2 -flto=thin -fuse-ld=lld", "-O2 -flto -fuse-ld=lld")
# Settings of the pass that a seed may have; most have none.
SETTINGS = ("", "", "", "select=all", "min-work=0", "no-keep;min-work=0", "select=all;no-regions",
            "loops=auto", "loops=9;min-work=0")
DIFFERENT = "left out: plain builds differ"
# Seconds. A csmith program that runs longer is left out: recording everything in it would take a day.
LONGEST = 0.5
# Bytes. Larger traces are not checked.
LARGEST = 60 << 20


class Failed(Exception):
    pass


class Generated:
    """A program of our generator."""

    flags = ["-std=c++20", "-w"]
    compiler = "clang++"

    def __init__(self, seed, folder):
        self.abandons, self.leaves_open = generate.write(seed, folder)
        self.sources, self.plain_sources = ["a.cpp", "b.cpp"], ["both.cpp"]


class Csmith:
    """A program of csmith."""

    flags = ["-w", "-I/usr/include/csmith"]
    compiler = "clang"

    def __init__(self, seed, folder):
        self.abandons = self.leaves_open = False
        self.sources = self.plain_sources = ["c.c"]
        done = toolchain.run(["csmith", "--seed", str(seed), "--concise", "--max-funcs", "8",
                              "-o", os.path.join(folder, "c.c")], folder, cpu=60)
        if not done.ok:
            raise Failed(f"csmith: {done.problem()}")


class Trial:
    """One seed, in its own folder."""

    def __init__(self, kind, seed, options, folder):
        self.options, self.folder, self.seed = options, folder, seed
        self.program = kind(seed, folder)
        self.counts = collections.Counter()
        self.chain = toolchain.Toolchain(options.majors[seed // 7 % len(options.majors)],
                                         options.build)

    def build(self, level, plugin, output, settings=""):
        chain = self.chain
        compiler = chain.clangxx if self.program.compiler == "clang++" else chain.clang
        # clang 19 by itself vectorises `a[i & 63] ^= a[(i * 7) & 63] + i` as if the two never overlapped.
        sound = ["-fno-vectorize", *(["-Wl,-mllvm,-vectorize-loops=0"] if "lto" in level else [])] \
            if chain.major == "19" else []
        command = [compiler, *level.split(), *sound, *self.program.flags, *chain.openmp(),
                   *([f"-fpass-plugin={chain.plugin}"] if plugin else []),
                   *(self.program.sources if plugin else self.program.plain_sources),
                   "-o", output, *(chain.link_runtime() if plugin else [])]
        environment = toolchain.clean_environment(**({"SEAMSCOPE_PASS": settings} if settings else {}))
        done = toolchain.run(command, self.folder, environment, cpu=60)
        if not done.ok:
            raise Failed(f"{level} {settings}: {done.problem()}; {shlex.join(command)}")

    def execute(self, program, cpu=60, **environment):
        return toolchain.run([f"./{program}"], self.folder, toolchain.clean_environment(
            OMP_NUM_THREADS="3", OMP_WAIT_POLICY="passive", **environment), cpu=cpu, wall=300)

    def run(self):
        self.build("-O0", False, "plain")
        # Some of csmith's programs do not end.
        expected = self.execute("plain", cpu=2 if isinstance(self.program, Csmith) else 60)
        if expected.code != 0:
            if isinstance(self.program, Csmith):
                self.counts["left out: it fails or does not end"] += 1
                return
            raise Failed(f"without the plugin: {expected.problem()}")
        if expected.user > LONGEST:
            self.counts["left out: it runs too long"] += 1
            return
        levels = LEVELS if self.options.all_levels else (LEVELS[self.seed % len(LEVELS)],)
        for number, level in enumerate(levels):
            settings = SETTINGS[(self.seed * 5 + number + self.seed // len(LEVELS)) % len(SETTINGS)]
            self.build(level, True, "timed", settings)
            try:
                self.compare(f"{level} {settings}".strip(), expected, settings)
            except Failed:
                self.build(level, False, "plain")
                if self.execute("plain").stdout == expected.stdout:
                    raise
                # The compiler's own fault: its output for this program says nothing about the pass.
                self.counts[DIFFERENT] += 1
            self.counts["builds"] += 1

    def compare(self, what, expected, settings):
        for mode, environment in (("recording off", {}),
                                  ("SEAMSCOPE=trace", {"SEAMSCOPE": "trace",
                                                       "SEAMSCOPE_OUT": f"{self.folder}/trace.json",
                                                       "SEAMSCOPE_SPOOL_DIR": self.folder})):
            result = self.execute("timed", **environment)
            if (result.code, result.stdout) != (expected.code, expected.stdout):
                how = result.problem() if result.code != expected.code else \
                    f"it printed {result.stdout[:60]!r} in place of {expected.stdout[:60]!r}"
                raise Failed(f"{what}, {mode}: {how}")
        path = os.path.join(self.folder, "trace.json")
        if not self.chain.holds_hooks(os.path.join(self.folder, "timed")):
            return
        if not os.path.exists(path):
            raise Failed(f"{what}: it left no trace: {result.stderr[-200:]!r}")
        if os.path.getsize(path) > LARGEST:
            self.counts["large traces, not checked"] += 1
            os.remove(path)
            return
        try:
            trace = check_trace.Trace(path)
        except (ValueError, KeyError) as error:
            raise Failed(f"{what}: its trace is malformed: {error}") from error
        problems = trace.check(self.program.leaves_open or self.program.abandons,
                               self.program.abandons, result.begin_ns,
                               result.end_ns)
        if "no-keep" not in settings:
            problems += self.miscounted(trace, expected.stdout.decode())
        os.remove(path)
        if problems:
            raise Failed(f"{what}: {problems[0]} ({len(problems)} such)")
        self.counts["events"] += sum(trace.calls().values())

    @staticmethod
    def miscounted(trace, output):
        """Annotated kernels whose number of calls in the trace is not the number that the program counted."""
        recorded = trace.calls()
        for event in trace.events:
            if event["ph"] == "B":
                recorded[event["name"]] += 1
        for entry in trace.facts["abandoned"]:
            recorded[entry["name"]] += entry["calls"]
        wanted = {name: int(calls) for name, calls in
                  re.findall(r"^calls (K\d+) (\d+)$", output, re.MULTILINE)}
        found = {name: calls for name, calls in recorded.items() if re.fullmatch(r"K\d+", name)}
        return [f"{name}: {found.get(name, 0)} calls recorded of {wanted.get(name, 0)}"
                for name in sorted(set(wanted) | set(found))
                if found.get(name, 0) != wanted.get(name, 0)]


def numbers(text):
    low, _, high = text.partition("-")
    return range(int(low), int(high or low) + 1)


def try_seed(job, options):
    """Returns (counts, what failed or None)."""
    kind, seed = job
    folder = tempfile.mkdtemp(prefix=f"seamscope-{kind.__name__.lower()}-{seed}-", dir=options.keep)
    try:
        trial = Trial(kind, seed, options, folder)
        trial.run()
    except Failed as error:
        return collections.Counter(), str(error)
    finally:
        if not options.keep:
            shutil.rmtree(folder)
    return trial.counts, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--build", default=os.path.join(toolchain.ROOT, "build"))
    parser.add_argument("--generated", type=numbers, default=(), metavar="FROM-TO")
    parser.add_argument("--csmith", type=numbers, default=(), metavar="FROM-TO")
    parser.add_argument("--majors", type=lambda text: text.split(","), default=["22", "19"])
    parser.add_argument("--all-levels", action="store_true")
    parser.add_argument("--jobs", "-j", type=int, default=1)
    parser.add_argument("--keep", metavar="FOLDER", help="keep the programs in FOLDER")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    if options.keep:
        options.keep = os.path.abspath(options.keep)
        os.makedirs(options.keep, exist_ok=True)
    jobs = [(Generated, seed) for seed in options.generated] + \
        [(Csmith, seed) for seed in options.csmith]
    begin, failed, counts = time.monotonic(), 0, collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (kind, seed), (counted, problem) in zip(jobs, pool.map(
                lambda job: try_seed(job, options), jobs)):
            counts += counted
            if counted[DIFFERENT]:
                print(f"{kind.__name__.lower()} {seed}: {DIFFERENT}", flush=True)
            if problem:
                failed += 1
                again = shlex.join([sys.executable, os.path.join(HERE, "run.py"), "--build",
                                    options.build, f"--{kind.__name__.lower()}", str(seed),
                                    *(["--all-levels"] if options.all_levels else []),
                                    "--majors", ",".join(options.majors), "--keep", "/tmp/random"])
                print(f"FAILED {kind.__name__.lower()} {seed}: {problem}\n  again: {again}", flush=True)
    print(f"{len(jobs)} programs, {failed} failed; " +
          ", ".join(f"{value} {what}" for what, value in sorted(counts.items())) +
          f"; {time.monotonic() - begin:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
