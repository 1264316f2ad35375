#!/usr/bin/env python3
"""Compiles code of others with and without the plugin, runs it both ways, and compares.

usage: ./dev corpus [OPTIONS] [PACKAGE...]

For each program of the manifest (test/corpus/packages) and each configuration: the output and the
exit status of the program built with the plugin are those of the plain one, with recording off and
with SEAMSCOPE=trace; the trace is well formed; no command runs into its limit. Over all: compiling
takes at most 1.10 times the processor time of plain, and no file that takes 0.3 s or more over
1.5 times. With --loops the innermost loops of the programs are compared instead, as machine code.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import math
import os
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "common"))

import builds  # noqa: E402
import check_trace  # noqa: E402
import fetch  # noqa: E402
import loop_bodies  # noqa: E402
import toolchain  # noqa: E402

LARGEST = 300 << 20
SUM_BAR, FILE_BAR, FILE_SECONDS = 1.10, 1.5, 0.3
# A quick run tries some of these for each program, and over all programs all of them.
QUICK_STEPS = (0, 3)
QUICK = ("22-O0-g", "22-O2", "22-O3-g", "22-Os", "22-O2-thin", "19-O1", "19-O2-full")
COMMON = tuple(f"{major}-{level}{debug}" for major in (22, 19)
               for level in ("O0", "O1", "O2", "O3", "Os") for debug in ("", "-g")) + \
    tuple(f"{major}-{rest}" for major in (22, 19)
          for rest in ("O0-thin", "O1-g-full", "O2-thin", "O2-full", "O3-g-thin", "Os-full"))
ALL = tuple(f"{major}-{level}{debug}{lto}" for major in (22, 19)
            for level in ("O0", "O1", "O2", "O3", "Os") for debug in ("", "-g")
            for lto in ("", "-thin", "-full"))


@dataclasses.dataclass
class Outcome:
    """What came of one program in one configuration."""

    program: str
    configuration: str
    problems: list
    calls: int = 0
    times: list = dataclasses.field(default_factory=list)  # (file, plain s, plugin s)


class Corpus:
    def __init__(self, options):
        self.options = options
        self.scratch = options.scratch
        self.toolchains = {}
        for major in options.majors:
            chain = toolchain.Toolchain(major, options.build)
            if chain.missing:
                sys.exit(f"corpus: {chain.missing} is not there: build first (./dev build)")
            self.toolchains[major] = chain
        self.print_lock = threading.Lock()

    def try_program(self, program, name):
        """Builds and runs both sides of a program."""
        configuration = builds.Configuration.parse(name)
        chain = self.toolchains[configuration.major]
        outcome = Outcome(program.name, name, [])
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            plain = builds.Build(program, chain, configuration, f"{folder}/plain", plugin=False)
            traced = builds.Build(program, chain, configuration, f"{folder}/plugin", plugin=True)
            try:
                plain.make()
            except builds.Failure as error:
                # Not ours: this compiler cannot build it.
                outcome.problems.append(f"without the plugin: {error}")
                return outcome
            try:
                traced.make(plain)
            except builds.Failure as error:
                outcome.problems.append(str(error))
                return outcome
            outcome.times = [(file, seconds, traced.seconds[file])
                             for file, seconds in plain.seconds.items()]
            self.measure_again(outcome, plain, traced)
            self.compare_runs(program, folder, plain, traced, outcome)
        return outcome

    @staticmethod
    def measure_again(outcome, plain, traced):
        """A file over its bar is compiled again, in turns: another job may have been in the way."""
        for i, (file, base, seconds) in enumerate(outcome.times):
            if base >= FILE_SECONDS and seconds > FILE_BAR * base:
                for _ in range(2):
                    base = min(base, plain.compile(file))
                    seconds = min(seconds, traced.compile(file))
                outcome.times[i] = (file, base, seconds)

    @staticmethod
    def compare_runs(program, folder, plain, traced, outcome):
        def run(build, **environment):
            scratch = tempfile.mkdtemp(dir=folder)
            command = [build.program, *program.arguments(scratch)]
            return toolchain.run(command, scratch, toolchain.clean_environment(
                OMP_NUM_THREADS="3", **environment), cpu=120, wall=900)

        def compare(what, result):
            if (result.code, result.stdout) != (expected.code, expected.stdout):
                outcome.problems.append(
                    f"{what}: {result.problem() if result.code != expected.code else 'other output'}"
                    f" ({result.stdout[-80:]!r} in place of {expected.stdout[-80:]!r})")

        expected = run(plain)
        if expected.code != program.exit_status:
            outcome.problems.append(f"without the plugin: {expected.problem()}")
            return
        compare("recording off", run(traced))
        if not traced.chain.holds_hooks(traced.program):
            return
        path = os.path.join(folder, "trace.json")
        result = run(traced, SEAMSCOPE="trace", SEAMSCOPE_OUT=path, SEAMSCOPE_SPOOL_DIR=folder)
        compare("SEAMSCOPE=trace", result)
        if not os.path.exists(path):
            outcome.problems.append(f"it left no trace: {result.stderr[-300:]!r}")
            return
        if os.path.getsize(path) > LARGEST:
            outcome.problems.append(f"its trace has {os.path.getsize(path) >> 20} MB: give the "
                                    "program less to do")
            return
        try:
            trace = check_trace.Trace(path)
        except (ValueError, KeyError) as error:
            outcome.problems.append(f"its trace is not one: {error}")
            return
        problems = trace.check(program.open, program.abandoned, result.begin_ns, result.end_ns)
        if problems:
            outcome.problems.append(f"its trace: {problems[0]} ({len(problems)} in all)")
        outcome.calls = sum(trace.calls().values())

    def choose_jobs(self, chosen, configurations):
        count = len(configurations)
        if configurations is QUICK:
            steps = [[number + step for step in QUICK_STEPS] for number in range(len(chosen))]
        elif self.options.sample:
            # Neighbours in the list are alike: a step that has no factor in common with their number.
            stride = next(n for n in (5, 7, 11, 13) if math.gcd(n, count) == 1)
            steps = [[stride * (number * self.options.sample + step)
                      for step in range(min(self.options.sample, count))]
                     for number in range(len(chosen))]
        else:
            steps = [range(count)] * len(chosen)
        jobs = [(program, configurations[step % count])
                for program, own in zip(chosen, steps) for step in own]
        return [(program, name) for program, name in jobs if self.fits(program, name)]

    def fits(self, program, name):
        configuration = builds.Configuration.parse(name)
        return program.fits(self.toolchains[configuration.major], configuration)

    def run(self, chosen, configurations):
        jobs = self.choose_jobs(chosen, configurations)
        begin, outcomes = time.monotonic(), []
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for outcome in pool.map(lambda job: self.try_program(*job), jobs):
                outcomes.append(outcome)
                for problem in outcome.problems:
                    print(f"FAILED {outcome.program} {outcome.configuration}: {problem}", flush=True)
                if self.options.verbose:
                    plain = sum(row[1] for row in outcome.times)
                    ratio = sum(row[2] for row in outcome.times) / plain if plain else 0
                    print(f"{outcome.program} {outcome.configuration}: {outcome.calls} calls, "
                          f"{plain:.2f} s, {ratio:.3f}", flush=True)
        return outcomes, time.monotonic() - begin


def compare_loops(chosen, options):
    """Loops of each program at O2 and O3, as built by default, and without hooks around loops."""
    kinds = ("", "loops=off")
    total = collections.Counter()
    print(f"{'program':20} {'build':8} {'settings':18} {'loops':>6} {'same':>6} {'moved':>6} "
          f"{'order':>6} {'changed':>7}")
    # A file of Fortran alone lacks the modules that it uses.
    jobs = [(program, name, settings) for program in chosen if program.language != "fortran"
            for name in ("22-O2", "22-O3") for settings in kinds]

    def one(job):
        program, name, settings = job
        configuration = builds.Configuration.parse(name)
        chain = toolchain.Toolchain(configuration.major, options.build)
        with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
            made = builds.Build(program, chain, configuration, folder, plugin=True)
            return [loop_bodies.compare(made.compile_command(source, "", "-S")[:-2], SEAMSCOPE_PASS=settings)
                    for source in program.sources()]

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (program, name, settings), results in zip(jobs, pool.map(one, jobs)):
            counts = [sum(r.compared for r in results), sum(r.same for r in results),
                      sum(r.moved for r in results), sum(r.reordered for r in results),
                      sum(len(r.changed) for r in results)]
            print(f"{program.name:20} {name:8} {settings or '-':18} " +
                  " ".join(f"{value:{width}}" for value, width in zip(counts, (6, 6, 6, 6, 7))),
                  flush=True)
            if options.verbose:
                for result in results:
                    for function, body, _ in result.changed:
                        print(f"  {function}: {len(body)} instructions: {'; '.join(body)[:200]}")
            counts += [sum(r.plain_size for r in results), sum(r.timed_size for r in results)]
            for key, value in zip(("loops", "same", "moved", "order", "changed", "plain", "timed"), counts):
                total[f"{settings or 'default'} {key}"] += value
    for settings in (kind or "default" for kind in kinds):
        print(f"{settings}: {total[settings + ' loops']} loops: {total[settings + ' same']} the same, "
              f"{total[settings + ' moved']} the same in another function, "
              f"{total[settings + ' order']} the same but for order and copies, "
              f"{total[settings + ' changed']} changed; instructions in loops, with over without: "
              f"{total[settings + ' timed'] / max(1, total[settings + ' plain']):.4f}")
    return 0


def summarise(outcomes, seconds, options):
    """The table; True where all is well."""
    table = collections.defaultdict(lambda: [0, 0, 0, 0.0, 0.0])
    over = []
    for outcome in outcomes:
        row = table[outcome.program]
        row[0] += 1
        row[1] += bool(outcome.problems)
        row[2] += outcome.calls
        for file, plain, plugin in outcome.times:
            row[3] += plain
            row[4] += plugin
            if plain >= FILE_SECONDS and plugin > FILE_BAR * plain:
                over.append((plugin / plain, plain, f"{outcome.program} {outcome.configuration} {file}"))
    print(f"{'program':20} {'builds':>6} {'failed':>6} {'calls':>10} {'plain s':>8} {'ratio':>6}")
    for name, (builds, failed, calls, plain, plugin) in table.items():
        print(f"{name:20} {builds:6} {failed:6} {calls:10} {plain:8.1f} "
              f"{plugin / plain if plain else 0:6.3f}")
    plain, plugin = (sum(row[i] for row in table.values()) for i in (3, 4))
    ratio = plugin / plain if plain else 0.0
    failed = sum(row[1] for row in table.values())
    for value, base, what in sorted(over, reverse=True):
        print(f"over {FILE_BAR}: {value:.2f} of {base:.2f} s, {what}")
    print(f"{len(outcomes)} builds, {failed} failed, in {seconds:.0f} s; compile time "
          f"{ratio:.3f} of {plain:.0f} s ({'met' if ratio <= SUM_BAR else 'SHORT'}, at most "
          f"{SUM_BAR:.2f}), files over {FILE_BAR}: {len(over)}"
          f" ({'SHORT' if over else 'met'})")
    if options.json:
        json.dump({"ratio": ratio, "plain": plain, "over": over,
                   "outcomes": [dataclasses.asdict(o) for o in outcomes]}, options.json, indent=1)
    # Time depends on what else runs: it fails a run that was asked to measure it.
    return not failed and (options.no_bars or (ratio <= SUM_BAR and not over))


def parse_arguments():
    parser = argparse.ArgumentParser(prog="./dev corpus", description=__doc__.splitlines()[0],
                                     allow_abbrev=False)
    parser.add_argument("packages", nargs="*", metavar="PACKAGE",
                        help="these alone, or PACKAGE/PROGRAM; else all")
    parser.add_argument("--quick", action="store_true",
                        help="small packages in a few configurations, some minutes")
    parser.add_argument("--all-configurations", action="store_true",
                        help="each level with each kind of LTO and debug information")
    parser.add_argument("--sample", type=int, metavar="N",
                        help="each program in N of the configurations, others for each program, so "
                             "that all are met: hours become minutes")
    parser.add_argument("--configuration", action="append", metavar="NAME",
                        help="this alone, as 22-O2-g-thin; repeatable")
    parser.add_argument("--fetch", action="store_true", help="fetch what is missing and end")
    parser.add_argument("--list", action="store_true", help="list the packages and end")
    parser.add_argument("--no-bars", action="store_true",
                        help="show compile times, but do not fail because of them")
    parser.add_argument("--loops", action="store_true",
                        help="compare the machine code of innermost loops instead, at O2 and O3")
    parser.add_argument("--build", metavar="FOLDER", default=os.path.join(toolchain.ROOT, "build"))
    parser.add_argument("--jobs", "-j", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--json", metavar="FILE", type=argparse.FileType("w"),
                        help="write all results there too")
    parser.add_argument("--verbose", "-v", action="store_true", help="a line for each build")
    options = parser.parse_args()
    if options.sample is not None and (options.sample < 1 or options.quick):
        parser.error("--sample takes a number from 1 on, and does not go with --quick")
    if options.configuration:
        for name in options.configuration:
            try:
                builds.Configuration.parse(name)
            except ValueError as error:
                parser.error(str(error))
    return parser, options


def main():
    parser, options = parse_arguments()
    packages = fetch.manifests()
    unknown = {name.split("/")[0] for name in options.packages} - set(packages)
    if unknown:
        parser.error(f"no package {', '.join(sorted(unknown))}; there are {', '.join(packages)}")
    wanted = {name.split("/")[0] for name in options.packages} or set(packages)
    chosen = [program for name in packages if name in wanted
              for program in builds.of_package(packages[name])
              if (not options.packages or name in options.packages
                  or program.name in options.packages) and (program.quick or not options.quick)]
    if not chosen:
        parser.error("no such program")
    needed = {program.package["name"]: program.package for program in chosen}
    if options.list:
        for program in chosen:
            print(f"{program.name:24} "
                  f"{', '.join(a['package'] + ' ' + a['version'] for a in program.package['archive'])}"
                  f"{'' if fetch.is_fetched(program.package) else ', not fetched yet'}")
        return 0
    failed = fetch.fetch_all(needed.values(), lambda text: print(f"corpus: {text}", flush=True))
    if options.fetch:
        return 1 if failed else 0
    chosen = [program for program in chosen if program.package["name"] not in failed]
    configurations = tuple(options.configuration or ()) or \
        (ALL if options.all_configurations else QUICK if options.quick else COMMON)
    options.majors = sorted({name.split("-")[0] for name in configurations})
    with tempfile.TemporaryDirectory(prefix="seamscope-corpus-") as scratch:
        options.scratch = scratch
        if options.loops:
            return compare_loops(chosen, options)
        outcomes, seconds = Corpus(options).run(chosen, configurations)
    good = summarise(outcomes, seconds, options)
    if failed:
        print(f"not fetched, so not tried: {', '.join(failed)}")
    return 0 if good and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
