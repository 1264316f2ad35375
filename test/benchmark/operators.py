"""How often the first operator of `report --estimate` is the one that costs most when operators of a fused kernel are
left out in turn, and timed.

A kernel counts as agreed if the operator that the estimate names first costs most when it is left out; or if both say
that no operator costs: the estimate that the loops are bound by memory or that none costs more than its error, and
leaving out any of them saves less than a tenth. A kernel without an estimate of at least nine tenths of its time has no
answer, which does not count as agreed. Where the estimate names several operators that may cost most, one of them has to
cost most, and there have to be two of them at most, or all of them have to tie by the measurement. Bars are over all
kernels; the answered and the wrong ones, and answers with several operators, are counted, too.

What the measurement cannot tell apart is a tie, by these rules, which do not look at the estimate:
- Each time is measured in 8 rounds, in which the variants alternate. The interval of a difference of two times is
  from the second least to the second largest of the rounds (93 % by order statistics).
- An operator ties with the most expensive one if it costs at least 95 % of that, or if the interval of the difference
  of their costs reaches 0. It then counts as first, too.
- If the interval of the largest cost reaches from below to above a tenth of the time, both answers are right: that no
  operator costs, and the first operator.
- A kernel whose interval of the largest cost is wider than a tenth of its time is measured again. If it still is, the
  kernel counts as not agreed: noise never makes an answer right."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import fnmatch
import glob
import json
import os
import statistics
import subprocess

from measure import bar, build, clean, fail, here, run
from torch_ops import find_python

program = os.path.join(here, "operator_loops.py")
tool = os.path.join(build, "bin", "seamscope")
# Shares of the time: below the first no operator costs, above the second a measurement is not used; and of the largest
# cost, from which on another one is as large.
CHEAP, NOISE, TIE = 0.1, 0.1, 0.95


class Interval:
    """The median of differences, one for each round, and the bounds of it."""

    def __init__(self, differences):
        ordered = sorted(differences)
        self.median, self.least, self.most = statistics.median(ordered), ordered[1], ordered[-2]


def loops(python):
    """The names of the loops, by set: the model was made with those of the first."""
    return json.loads(run([python, program, "names"]))


class LeftOut:
    """The times of a kernel, and without each operator, in ns by round."""

    def __init__(self, python, out, name):
        file, = glob.glob(os.path.join(out, "generated", "*.main.cpp"))
        found = json.loads(run(["timeout", "300", python, program, "leave-out", file, name]))
        self.rounds = found.pop("")
        self.without = {int(number): rounds for number, rounds in found.items()}
        self.ns = statistics.median(self.rounds)
        self.costs = {number: self.difference(self.rounds, rounds) for number, rounds in self.without.items()}
        self.first = max(self.costs, key=lambda number: self.costs[number].median)
        self.most = self.costs[self.first]

    @staticmethod
    def difference(long, short):
        return Interval([one - other for one, other in zip(long, short)])

    def is_noisy(self):
        return self.most.most - self.most.least > NOISE * self.ns

    def is_first(self, number):
        """Whether no operator costs more than this one, as far as the measurement can tell."""
        return number in self.costs and (self.costs[number].median >= TIE * self.most.median or
                                         self.difference(self.without[number], self.without[self.first]).least <= 0)

    def ties(self):
        """Other operators that are as expensive, if any costs at all."""
        if self.most.most < CHEAP * self.ns:
            return []
        return [number for number in self.costs if number != self.first and self.is_first(number)]


class Estimate:
    """What the report says about the kernel: the costs in its loops added up, as shares of the time."""

    def __init__(self, out, roofs):
        report = json.loads(run([tool, "report", "--json", "--estimate", "--machine", roofs, out]))
        kernel, = [each for each in report["kernels"] if each.get("operators")]
        self.names = {each["number"]: each["name"] for each in kernel["operators"][:-1]}
        every = kernel["estimate"]
        known = [each for each in every if each["costs"]]
        total = sum(each["measured_ns"] for each in every)
        self.problem = next((each["answer"] for each in every if not each["costs"]), None)
        self.is_known = bool(known) and sum(each["measured_ns"] for each in known) >= (1 - CHEAP) * total
        self.says_none = all(each["answer"] for each in known)
        self.ratio = sum(each["modelled_ns"] or 0 for each in every) / max(1, total)
        self.costs = {}
        for loop in known:
            for cost in loop["costs"]:
                self.costs[cost["name"]] = (self.costs.get(cost["name"], 0) +
                                            cost["share_percent"] / 100 * loop["measured_ns"] / total)
        self.first = self.names_of_first(known)

    def names_of_first(self, loops):
        """The operator whose costs in all loops are largest, and those that one of its loops names with it."""
        if not self.costs:
            return []
        most = max(self.costs, key=self.costs.get)
        together = [[cost["name"] for cost in loop["costs"] if cost["first"]] for loop in loops]
        return [most] + sorted({name for names in together if most in names for name in names} - {most})

    def is_tie(self):
        return self.is_known and not self.says_none and len(self.first) > 1

    def __str__(self):
        if not self.is_known:
            return self.problem
        if self.says_none:
            return "no operator costs"
        return " or ".join(f"{name} {100 * self.costs[name]:.0f} %" for name in self.first)


def agrees(left_out, estimate):
    if left_out.is_noisy() or not estimate.is_known:
        return False
    if estimate.says_none:
        return left_out.most.least < CHEAP * left_out.ns
    if left_out.most.most < CHEAP * left_out.ns:
        return False
    right = [name for name in estimate.first
             if any(left_out.is_first(number) for number, other in estimate.names.items() if other == name)]
    return bool(right) and (len(estimate.first) <= 2 or right == estimate.first)


def measure_loop(python, folder, name, roofs, quiet):
    """Whether both agree, whether the estimate has an answer, whether that is a tie, and a line about it."""
    out = os.path.join(folder, name.replace(" ", "-"))
    quiet.wait()
    # A cache that another command filled has kernels that count nothing.
    done = subprocess.run(["timeout", "300", tool, "run", "-o", out, "--", python, program, "run", name],
                          env={**clean, "TORCHINDUCTOR_CACHE_DIR": os.path.join(folder, "cache")},
                          capture_output=True, text=True)
    if done.returncode:
        fail(f"{name}: {done.stderr[-500:]}")
    quiet.wait()
    left_out = LeftOut(python, out, name)
    if left_out.is_noisy():
        left_out = LeftOut(python, out, name)
    estimate = Estimate(out, roofs)
    agreed = agrees(left_out, estimate)

    def text(number):
        cost = left_out.costs[number]
        return (f"{estimate.names.get(number, '-')} {100 * cost.median / left_out.ns:.0f} "
                f"({100 * cost.least / left_out.ns:.0f} to {100 * cost.most / left_out.ns:.0f}) %")

    tied = "".join(f", ties: {text(number)}" for number in left_out.ties())
    noisy = ", too noisy" if left_out.is_noisy() else ""
    return agreed, estimate.is_known, estimate.is_tie(), (
        f"  {name:20} {left_out.ns:10.0f} ns  left out: {text(left_out.first)}{tied}{noisy}; "
        f"estimated: {estimate}; model {estimate.ratio:.2f}; {'agreed' if agreed else 'NOT agreed'}")


def add_bar(part, results):
    """`results`: for each kernel, whether both agree, whether the estimate has an answer, and whether it is a tie."""
    agreed, answered, ties = (sum(column) for column in zip(*results))
    bar(f"most expensive operator estimated: {part}", agreed / len(results), 0.9, "",
        f"{agreed} of {len(results)}, {answered} answered, {answered - agreed} wrong, {ties} answers of several operators",
        least=True)


def measure_operators(folder, quiet, only=None):
    python = find_python()
    if not python:
        fail("torch is not there: ./dev setup")
    library = run([python, "-c", "import os, torch; "
                                 "print(os.path.join(os.path.dirname(torch.__file__), 'lib', 'libtorch_cpu.so'))"])
    roofs = os.path.join(folder, "roofs.json")
    quiet.wait()
    run(["timeout", "300", tool, "machine", "--sleef", library.strip(), "-o", roofs])
    print(f"A tie: at least {100 * TIE:.0f} % of the largest cost, or an interval of the difference (second least to "
          f"second largest of the rounds) that reaches 0. Too noisy, and never agreed: an interval of the largest cost "
          f"of more than {100 * NOISE:.0f} % of the time.")
    every = []
    for part, names in loops(python).items():
        chosen = [each for each in names if only is None or fnmatch.fnmatch(each, only) or
                  fnmatch.fnmatch(f"{part}: {each}", only)]
        if not chosen:
            continue
        print(f"{part}:", flush=True)
        results = []
        for name in chosen:
            *result, line = measure_loop(python, folder, name, roofs, quiet)
            results.append(result)
            print(line, flush=True)
        add_bar(part, results)
        every += results
    if not every:
        fail(f"no loop has a name like {only}")
    add_bar("all", every)
