#!/usr/bin/env python3
"""Compares the shares of `seamscope report` with those that perf finds in the same program without Seamscope.

A plain build runs under `perf record -e cpu-clock` until there are enough samples, and alternates with
runs of the build with hooks under `seamscope run`. A sample belongs to the innermost function on its stack
that has a row in the report; so does the time of functions without a row, as in the report. A function that
was inlined counts only where no function around it has a row: the report times such a function by its loops.

Both shares are of the running time: blocked and preempted time has no samples and is left out on our side.
Of perf's samples, those before the first and behind the last one in a row are left out, as the window begins
and ends with events. A moment in which several threads run belongs to those in kernels, or if there are none to
those outside; it is divided among them as the report does. A thread that waits in libomp does no work while
others do. Where threads outnumber the processors that they get, as on a busy machine, both wait by chance:
OMP_WAIT_POLICY=passive lets them sleep.

A row is right if perf's share is in its interval, or if both differ by at most 2 percentage points.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import dataclasses
import json
import math
import os
import sys
import tempfile

sys.dont_write_bytecode = True

import perf_profile  # noqa: E402
from function_names import base_of, function_of, is_outlined  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "common"))

import toolchain  # noqa: E402

POINTS = 0.02
OUTSIDE = "[outside]"
WORKS, WAITS, IS_OUTSIDE = range(3)


class NothingTimed(perf_profile.Failure):
    """The program has no trace."""


@dataclasses.dataclass
class Row:
    """Shares of one row; several of one name count as one."""

    name: str
    share: float = 0.0
    low: float = 0.0
    high: float = 0.0
    perf: float = 0.0
    perf_low: float = 0.0
    perf_high: float = 0.0

    @property
    def difference(self):
        return self.share - self.perf

    @property
    def missing(self):
        """How far perf's share is from what the row admits; 0 if it is right."""
        if abs(self.difference) <= POINTS:
            return 0.0
        return max(0.0, self.perf - self.high, self.low - self.perf)


class Report:
    """The rows of a report and their shares of the running time."""

    def __init__(self, document):
        if not document["threads"]:
            raise perf_profile.Failure("no switches of threads in the report: the running time is not known")
        self.own, self.error = collections.Counter(), collections.Counter()
        for kernel in document["kernels"]:
            if kernel["device"] is None:
                self.own[kernel["name"]] += kernel["self_ns"]
                self.error[kernel["name"]] += kernel["self_error_ns"] or 0
        # Outside of regions, a worker runs libomp and what that calls.
        workers = {thread["tid"] for thread in document["threads"] if (thread["name"] or "").startswith("OpenMP worker")}
        self.own[OUTSIDE] = sum(part["ns"] for part in document["unattributed"]
                                if part["state"] in ("running", "unknown") and not is_openmp(part["library"])
                                and part["tid"] not in workers)
        self.error[OUTSIDE] = document["unattributed_error_ns"] or 0
        self.preempted = document["preempted_ns"] / max(1, document["window_ns"])

    def shares(self):
        """By row: its share, and the ends of its interval."""
        total = max(1, sum(self.own.values()))
        return {name: tuple(max(0, ns + sign * self.error[name]) / total for sign in (0, -1, 1))
                for name, ns in self.own.items()}


class Names:
    """Finds the rows of symbols."""

    def __init__(self, rows):
        self.by_name = {row: row for row in rows if row != OUTSIDE}
        self.by_base = {}
        for row in self.by_name:
            base = base_of(row)
            self.by_base[base] = row if self.by_base.get(base, row) == row else None
        self.of_symbol = {}

    def row_of(self, symbol):
        """The row of a symbol, or None."""
        if symbol not in self.of_symbol:
            name = function_of(symbol)
            self.of_symbol[symbol] = self.by_name.get(name) or self.by_base.get(base_of(name))
        return self.of_symbol[symbol]


def is_openmp(library):
    return bool(library) and library.startswith(("libomp", "libiomp"))


def waits(stack):
    """Whether the code is libomp's own, or a function of the system that libomp called."""
    code = next((frame for frame in stack if not frame.library.startswith(("[", "libc.so", "ld-linux"))), None)
    return code is not None and is_openmp(code.library)


def classify(samples, names):
    """By sample its row and how it counts. None: it does no work.

    Code that was outlined from a function without a row, or has no name of its own as a task, belongs to the
    row that is around it most often where the stack shows one: on other threads it shows none.
    """
    around = collections.defaultdict(collections.Counter)
    found = []
    for sample in samples:
        row, outlined = None, None
        for frame in sample.stack:
            row = names.row_of(frame.symbol) or next(filter(None, map(names.row_of, frame.inlined)), None)
            if row:
                break
            if outlined is None and is_outlined(frame.symbol):
                outlined = frame.symbol
        if row and outlined:
            around[outlined][row] += 1
        found.append((row, outlined))
    result = []
    for sample, (row, outlined) in zip(samples, found):
        if row is None and outlined in around:
            row = around[outlined].most_common(1)[0][0]
        if row:
            result.append((row, WAITS if waits(sample.stack) else WORKS))
        else:
            result.append(None if waits(sample.stack) else (OUTSIDE, IS_OUTSIDE))
    return result


def weigh(samples, classes, period):
    """By sample its part of the wall time: moments belong to the best class, divided among its threads."""
    threads = {sample.thread for sample, its in zip(samples, classes) if its}
    if len(threads) < 2:
        return [1.0 if its else 0.0 for its in classes]
    changes, last = [], {}
    for number, (sample, its) in enumerate(zip(samples, classes)):
        begin = max(sample.end_ns - period, last.get(sample.thread, 0))
        last[sample.thread] = sample.end_ns
        if its and begin < sample.end_ns:
            changes += [(begin, 1, number), (sample.end_ns, 0, number)]
    changes.sort()
    weights, running, before = [0.0] * len(samples), set(), 0
    for at, begins, number in changes:
        if running and at > before:
            best = min(classes[other][1] for other in running)
            its = [other for other in running if classes[other][1] == best]
            for other in its:
                weights[other] += (at - before) / period / len(its)
        before = at
        (running.add if begins else running.discard)(number)
    return weights


def perf_shares(runs, names):
    """By row its weight, over all runs; and the number of samples that count."""
    weights, count = collections.Counter(), 0
    for samples in runs:
        classes = classify(samples, names)
        inside = [number for number, its in enumerate(classes) if its and its[0] != OUTSIDE]
        if not inside:
            continue
        window = slice(inside[0], inside[-1] + 1)
        for its, weight in zip(classes[window], weigh(samples[window], classes[window], perf_profile.PERIOD_NS)):
            if its:
                weights[its[0]] += weight
                count += 1
    return weights, count


def wilson(share, count):
    """The 95 % interval of a proportion."""
    z = 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclasses.dataclass
class Comparison:
    rows: list
    samples: int
    runs: int
    preempted: float  # of the recorded runs' window

    @property
    def right(self):
        return sum(not row.missing for row in self.rows)

    @property
    def worst(self):
        return max(self.rows, key=lambda row: (row.missing, abs(row.difference)))


def compare(plain, recorded, tool, folder, samples=8000, runs=3, environment=None, stdin=None, status=0):
    """Compares commands that run the plain and the recorded build. Raises perf_profile.Failure."""
    environment = toolchain.clean_environment(**(environment or {}))

    profiles, reports, count = [], [], 0
    while count < samples or len(reports) < runs:
        with open(stdin or os.devnull, "rb") as file:
            profiles.append(perf_profile.record(plain, folder, environment, file, status))
        if not profiles[-1]:
            raise perf_profile.Failure(f"{plain[0]}: no samples: give it more to do")
        count += len(profiles[-1])
        if len(reports) < runs:
            with open(stdin or os.devnull, "rb") as file:
                reports.append(report_of(recorded, tool, folder, environment, file, status))
    found = [report.shares() for report in reports]
    ours = {name: tuple(sum(shares.get(name, (0, 0, 0))[end] for shares in found) / len(found) for end in range(3))
            for name in dict.fromkeys(name for shares in found for name in shares)}
    weights, count = perf_shares(profiles, Names(ours))
    total = sum(weights.values())
    if not total:
        raise perf_profile.Failure(f"{plain[0]}: perf saw no function that has a row")
    rows = [Row(name, *shares, weights[name] / total, *wilson(weights[name] / total, count))
            for name, shares in ours.items()]
    rows.sort(key=lambda row: -max(row.share, row.perf))
    return Comparison(rows, count, len(reports), sum(report.preempted for report in reports) / len(reports))


def report_of(command, tool, folder, environment, stdin, status):
    trace = os.path.join(folder, "trace.json")
    done = toolchain.run([tool, "run", "-o", trace, "--", *command], folder,
                         {**environment, "SEAMSCOPE_OUT_LIMIT": "4G"}, stdin=stdin)
    if done.code != status:
        raise perf_profile.Failure(f"seamscope run {command[0]}: {done.problem()}")
    if not os.path.exists(trace):
        raise NothingTimed(f"{command[0]}: nothing of it is worth a hook, so that there is no report")
    report = toolchain.run([tool, "report", "--json", trace], folder, environment)
    os.remove(trace)
    if not report.ok:
        raise perf_profile.Failure(f"seamscope report: {report.problem()}")
    document = json.loads(report.stdout)
    if document["unattributed_ns"] is None:
        raise perf_profile.Failure("the trace has only a part of the calls: give the program less to do")
    return Report(document)


def show(comparison, least):
    print(f"{'row':52} {'ours %':>7} {'low':>6} {'high':>6} {'perf %':>7} {'low':>6} {'high':>6} {'diff':>6}")
    for row in comparison.rows:
        if max(row.share, row.perf) < least and not row.missing:
            continue
        figures = [100 * x for x in (row.share, row.low, row.high, row.perf, row.perf_low, row.perf_high, row.difference)]
        name = row.name if len(row.name) <= 52 else row.name[:24] + "..." + row.name[-25:]
        print(f"{name:52} {figures[0]:7.2f} {figures[1]:6.2f} {figures[2]:6.2f} {figures[3]:7.2f} {figures[4]:6.2f} "
              f"{figures[5]:6.2f} {figures[6]:+6.2f} {'WRONG' if row.missing else 'right'}")
    print(f"{comparison.right} of {len(comparison.rows)} rows are right; {comparison.samples} samples of perf, "
          f"{comparison.runs} recorded runs, {100 * comparison.preempted:.0f} % of their window preempted")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     allow_abbrev=False)
    parser.add_argument("plain", help="the program without the plugin, by the same compiler with the same flags")
    parser.add_argument("recorded", help="the program with hooks")
    parser.add_argument("arguments", nargs="*", help="of both, after --")
    parser.add_argument("--stdin", metavar="FILE", help="what both read")
    parser.add_argument("--env", metavar="NAME=VALUE", action="append", default=[], help="for both; repeatable")
    parser.add_argument("--exit-status", metavar="N", type=int, default=0, help="of both when all is well (0)")
    parser.add_argument("--samples", type=int, default=8000, help="of perf, at least (8000)")
    parser.add_argument("--runs", type=int, default=3, help="recorded; their shares are averaged (3)")
    parser.add_argument("--least", type=float, default=0.5, help="percent of a row to be shown if it is right (0.5)")
    parser.add_argument("--seamscope", metavar="PATH", default=os.path.join(toolchain.ROOT, "build", "bin", "seamscope"),
                        help="the tool (build/bin/seamscope)")
    options = parser.parse_intermixed_args()
    if options.samples < 1 or options.runs < 1:
        parser.error("--samples and --runs take numbers from 1 on")
    if not all("=" in word for word in options.env):
        parser.error("--env takes NAME=VALUE")
    try:
        with tempfile.TemporaryDirectory() as folder:
            comparison = compare([os.path.abspath(options.plain), *options.arguments],
                                 [os.path.abspath(options.recorded), *options.arguments], options.seamscope, folder,
                                 options.samples, options.runs, dict(word.split("=", 1) for word in options.env),
                                 options.stdin, options.exit_status)
    except (perf_profile.Failure, OSError) as error:
        sys.exit(f"shares.py: {error}")
    show(comparison, options.least / 100)
    return 0 if comparison.right == len(comparison.rows) else 1


if __name__ == "__main__":
    sys.exit(main())
