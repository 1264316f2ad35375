#!/usr/bin/env python3
"""Runs programs that people might write under Seamscope, and checks what the report says of them.

usage: ./dev zoo [OPTIONS] [PROGRAM...]

Each program runs with an eager baseline, and once more without Seamscope, watched by torch.profiler
and dynamo's own counters (observe.py, which shares no code with the tool). Checked:

  report    both runs end well, steps are compared, the parts add up to the step
  kernels   which compiled kernels ran, and how often a step, exactly
  parts     GEMM and attention of both modes within 5 % of the call of a compiled function, or of the
            whole step where the report compares these
  lines     each generated kernel leads to a line of the program, and to no other program's
  known     no more than 2 % of a step is unattributed
  work      each generated kernel, but for flex attention, has FLOPs and bytes without an unknown part; shown is how
            many are exact, and of all programs at least nine of ten must be
  graphs    graph breaks, recompilations and torch's limit are reported where the program has them
  effect    where recorded steps touch more new pages than unrecorded ones the report warns. Shown is
            the time of recorded over that of unrecorded steps, eager and compiled, as the report has
            it, with ~ where its interval holds 1; it fails nothing, since another job on the machine
            changes it

With --observe both are also measured without the tool, by steps that time themselves: plain and
recorded in turns.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import dataclasses
import glob
import json
import os
import statistics
import sys
import tempfile

sys.dont_write_bytecode = True

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "common"))

import toolchain  # noqa: E402

SECONDS = 900
STEPS = 60  # that each program does when it is run
# A model in training: forward and backward kernels, modules, lines.
QUICK = ("layer-norm-gelu",)
# Templates that torch gives no RECORD_FUNCTION.
NO_RECORD_FUNCTION = ("flex_attention",)
PART_SHARE, UNKNOWN_SHARE = 0.05, 0.02
EXACT_SHARE = 0.9  # of the kernels of all programs
# Pages that a step touches for the first time now and then; below it there is no pattern.
FAULTS = 64


@dataclasses.dataclass
class Outcome:
    name: str
    problems: list = dataclasses.field(default_factory=list)
    kernels: int = 0
    counted: int = 0  # kernels that ran, each compilation apart
    exact: int = 0  # of them
    effect: str = "-"  # recorded over unrecorded time of a step, eager and compiled
    speedup: str = "-"
    again: bool = False  # the shares of a first run differed


class Failed(Exception):
    """A command did not end well; the text says which and why."""


def moved(report, products):
    """What a call replaces is counted as what it is: in ns, the time of eager operators that are no
    products and that libraries' calls or templates of products took over, as a norm that was folded into
    a convolution, and that of products that other kernels compute among other things."""
    templates = {kernel["name"] for kernel in report["kernels"] if kernel["template"] == "gemm"}
    away, into = 0, 0
    for call in report["attribution"]["calls"]:
        makes_product = call["extern"] or call["kernel"] in templates
        for op in call["eager_ops"]:
            if makes_product and op["name"] not in products:
                away += op["total_ns"]
            if not makes_product and op["name"] in products:
                into += op["total_ns"]
    return away, into


def run(command, environment, log):
    ended = toolchain.run(command, environment=environment, cpu=SECONDS, wall=SECONDS)
    with open(log, "wb") as file:
        file.write(ended.stdout + ended.stderr)
    if not ended.ok:
        raise Failed(f"{' '.join(os.path.basename(word) for word in command[:4])} ...: "
                     f"{ended.problem()}")


def generated_kernels(report):
    """Those of Inductor that ran."""
    return [kernel for kernel in report["kernels"] if "cpp_fused" in kernel["name"] and kernel["calls"]]


def has_record_function(kernel):
    return not any(word in kernel["name"] for word in NO_RECORD_FUNCTION)


class Zoo:
    def __init__(self, options, scratch):
        self.options = options
        self.scratch = scratch
        self.seamscope = os.path.join(options.build, "bin", "seamscope")
        self.recorded = dict(os.environ, TMPDIR=scratch)
        for name in list(self.recorded):
            if name.startswith(("SEAMSCOPE", "TORCHINDUCTOR")) or name in ("LD_PRELOAD", "CXX"):
                del self.recorded[name]
        # The same compiler and OpenMP runtime without us.
        self.plain = dict(self.recorded, CXX="clang++-22", LD_PRELOAD="libomp.so.5",
                          TORCHINDUCTOR_CACHE_DIR=os.path.join(scratch, "plain"))

    def try_program(self, name):
        """Shares of time that differ are looked at twice: of steps of some 100 us one that another
        job held up is enough."""
        outcome = self.try_once(name, name)
        if outcome.problems and all(each.startswith("parts: ") for each in outcome.problems):
            again = self.try_once(name, f"{name}-again")
            again.again = True
            return again
        return outcome

    def try_once(self, name, folder):
        outcome = Outcome(name)
        try:
            self.check(name, os.path.join(self.scratch, folder), outcome)
        except Failed as error:
            outcome.problems.append(f"report: {error}")
        return outcome

    def check(self, name, folder, outcome):
        path = os.path.join(HERE, "programs", f"{name}.py")
        os.makedirs(folder)
        python, observe = self.options.python, os.path.join(HERE, "observe.py")
        run([python, observe, path, f"{folder}/torch.json"], self.plain, f"{folder}/torch.log")
        runs = "--no-unrecorded" if self.options.quick else "--no-own-compiler"
        run([self.seamscope, "run", "--baseline", "eager", "--repeat", "1", runs,
             "--cache", os.path.join(self.scratch, "cache"), "-o", f"{folder}/run", "--", python, path],
            self.recorded, f"{folder}/run.log")
        run([self.seamscope, "report", "--json", "-o", f"{folder}/report.json", f"{folder}/run"],
            self.recorded, f"{folder}/report.log")
        with open(f"{folder}/report.json", encoding="utf-8") as file:
            report = json.load(file)
        with open(f"{folder}/torch.json", encoding="utf-8") as file:
            torch = json.load(file)
        if not torch["same"] and not torch["expected"].get("random"):
            outcome.problems.append("program: compiled and eager results differ; it proves nothing")
        self.check_graphs(report, torch, outcome)
        if torch["graphs"]:
            self.check_steps(report, torch, outcome)
            self.check_kernels(report, torch, outcome)
            self.check_lines(report, path, outcome)
            self.check_work(report, outcome)
        self.check_effect(report, outcome)
        if self.options.observe:
            self.check_observer(python, observe, path, folder, outcome)

    @staticmethod
    def check_effect(report, outcome):
        found = report.get("unrecorded") or {}
        ratios = []
        for side in ("eager", "compiled"):
            turns, row = (found.get(side, {}).get(key) for key in ("in_turns", "of_runs"))
            ratio = turns and turns["ratio"]
            ratios.append(f"{ratio['value']:.2f}" if ratio else "-")
            if ratio and ratio["low"] <= 1 <= ratio["high"]:
                ratios[-1] = "~" + ratios[-1]
            if not row:
                continue
            few, many = sorted(row[kind]["page_faults"] for kind in ("recorded", "unrecorded"))
            if many > FAULTS and many > 1.2 * few:
                ratios[-1] += "!"
                if not any(f"in some of the {side} runs malloc" in note for note in found["notes"]):
                    outcome.problems.append(f"effect: {many} page faults a {side} step and {few}, "
                                            "without a warning")
        outcome.effect = " ".join(ratios)

    def check_steps(self, report, torch, outcome):
        found = report.get("attribution")
        if not found or not found["steps"]:
            outcome.problems.append("report: no step is compared")
            return
        steps = len(found["steps"])
        for side in ("eager", "compiled"):
            total = found["total"][f"{side}_ns"]
            if sum(part[f"{side}_ns"] for part in found["parts"]) != total:
                outcome.problems.append(f"report: the parts of the {side} steps do not add up")
            ours = {part["name"]: part[f"{side}_ns"] / steps for part in found["parts"]}
            is_turn = found["steps_by"] == "turns"
            theirs = torch[side]["turns" if is_turn else "calls"]
            if not torch[side]["calls"]["us"]:
                outcome.problems.append(f"program: torch.profiler saw no compiled call in {side} mode")
                continue
            # Of all calls: shares differ less between two runs than times.
            their_call = statistics.mean(theirs["us"]) * 1e3
            for part in torch["expected"].get("parts", ("gemm", "attention")):
                share = ours.get(part, 0) * steps / total
                away, into = (ns / total for ns in moved(report, torch["products"])) \
                    if (side, part) == ("eager", "gemm") else (0, 0)
                their_share = theirs["parts_us"][part] * 1e3 / their_call
                most_off = PART_SHARE + 0.1 * share
                # Where the profiler's own work is a good part of a step shares differ and times agree.
                times_off = abs(theirs["parts_us"][part] * 1e3 - ours.get(part, 0)) * steps / total
                # A step of the program may have several turns.
                if (is_turn or times_off > PART_SHARE) and \
                        not share - away - most_off <= their_share <= share + into + most_off:
                    outcome.problems.append(
                        f"parts: {side} {part} {100 * share:.1f} % of {total / steps / 1e6:.3f} ms, by "
                        f"torch.profiler {100 * their_share:.1f} % of {their_call / 1e6:.3f} ms")
            for part in ("unattributed", "unknown"):
                if ours.get(part, 0) > UNKNOWN_SHARE * total / steps and \
                        part not in torch["expected"].get("unknown", ()):
                    outcome.problems.append(
                        f"known: {100 * ours[part] * steps / total:.1f} % of the {side} steps "
                        f"is {part}")
        ratio = found["functions"][0]["ratio"] if found["functions"] else None
        outcome.speedup = f"{ratio['value']:.2f}x" if ratio else "-"

    @staticmethod
    def check_kernels(report, torch, outcome):
        """Over the whole run: those of backward passes run outside of the steps that are compared."""
        ours = {}
        for kernel in generated_kernels(report):
            if has_record_function(kernel):
                ours[kernel["name"]] = ours.get(kernel["name"], 0) + kernel["calls"] / STEPS
        theirs = torch["compiled"]["kernels"]
        outcome.kernels = len(ours)
        # What is compiled anew on the way ran less often than it does in the end.
        same = set(theirs) <= set(ours) if torch["expected"].get("recompiles") else ours == theirs
        if not same:
            outcome.problems.append(f"kernels: calls a step {ours}, by torch.profiler {theirs}")

    @staticmethod
    def check_lines(report, path, outcome):
        others = [other for other in glob.glob(os.path.join(HERE, "programs", "*.py"))
                  if other != path]
        for kernel in generated_kernels(report):
            files = {frame["file"] for line in kernel.get("python", [])
                     for frame in [line, *line["callers"]]}
            if path not in files and not any(file and file.startswith("<ipython") for file in files):
                outcome.problems.append(f"lines: {kernel['name']} leads to no line of the program")
            if files & set(others):
                outcome.problems.append(f"lines: {kernel['name']} leads to another program")

    @staticmethod
    def check_work(report, outcome):
        for kernel in generated_kernels(report):
            # Lambdas of torch, which have no hooks, do the work of flex attention.
            if not has_record_function(kernel):
                continue
            work = kernel.get("work")
            if not work or work["unknown"]:
                reasons = ", ".join(work["unknown"]) if work else "nothing is counted"
                outcome.problems.append(f"work: {kernel['name']}: {reasons}")
            outcome.counted += 1
            outcome.exact += bool(work and work["exact"])

    @staticmethod
    def check_graphs(report, torch, outcome):
        expected = torch["expected"]
        if "graphs" in expected and torch["graphs"] != expected["graphs"]:
            outcome.problems.append(f"program: {torch['graphs']} graphs, {expected['graphs']} meant")
        if torch["breaks"] and not report.get("graph_breaks"):
            outcome.problems.append(f"graphs: dynamo counts {torch['breaks']} breaks, we have none")
        recompiles = report.get("recompiles", [])
        if "recompiles" in expected and bool(recompiles) != expected["recompiles"]:
            outcome.problems.append(f"graphs: {len(recompiles)} recompilations are reported")
        if expected.get("limit") and not any(each["limit_reached"] for each in recompiles):
            outcome.problems.append("graphs: torch's limit of recompilations is not reported")

    def check_observer(self, python, observe, path, folder, outcome):
        """Plain and recorded in turns; of each the better of two runs, so that a burst of other work
        does not count."""
        times, faults = {"plain": [], "recorded": []}, {"plain": [], "recorded": []}
        for turn in range(2):
            for kind in times:
                file = f"{folder}/{kind}-{turn}.json"
                command = [python, observe, path, file, "--plain"]
                if kind == "recorded":
                    command = [self.seamscope, "run", "--cache", os.path.join(self.scratch, "cache"),
                               "-o", f"{folder}/recorded-{turn}", "--", *command]
                run(command, self.plain if kind == "plain" else self.recorded, f"{file}.log")
                with open(file, encoding="utf-8") as rows:
                    rows = json.load(rows)["plain"]
                times[kind].append(statistics.median(ns for ns, _ in rows))
                faults[kind].append(statistics.median(count for _, count in rows))
        slower = min(times["recorded"]) / min(times["plain"])
        outcome.effect += f" ({slower:.2f})"
        few, many = max(faults["plain"]), max(faults["recorded"])
        if many > FAULTS and many > 1.2 * few:
            outcome.problems.append(f"observer: {many:.0f} page faults a step, {few:.0f} without us "
                                    f"({slower:.2f} of the time)")


def main():
    programs = sorted(os.path.basename(path)[:-3]
                      for path in glob.glob(os.path.join(HERE, "programs", "*.py")))
    parser = argparse.ArgumentParser(prog="./dev zoo", description=__doc__.splitlines()[0],
                                     allow_abbrev=False)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="these alone, else all")
    parser.add_argument("--quick", action="store_true", help=f"{', '.join(QUICK)}")
    parser.add_argument("--list", action="store_true", help="list the programs and end")
    parser.add_argument("--build", metavar="FOLDER", default=os.path.join(toolchain.ROOT, "build"))
    parser.add_argument("--python", default=os.path.join(toolchain.ROOT, ".venv", "bin", "python"),
                        help="a Python that has torch and transformers")
    parser.add_argument("--observe", action="store_true",
                        help="measure the effect of recording also without the tool: twice the time")
    parser.add_argument("--keep", metavar="FOLDER", help="leave runs, logs and reports there")
    options = parser.parse_args()
    unknown = set(options.programs) - set(programs)
    if unknown:
        parser.error(f"no program {', '.join(sorted(unknown))}; see --list")
    if options.list:
        print("\n".join(programs))
        return 0
    chosen = options.programs or (QUICK if options.quick else programs)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="seamscope-zoo-") as scratch:
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
            scratch = os.path.abspath(options.keep)
        zoo = Zoo(options, scratch)
        counted = exact = 0
        print(f"{'program':24} {'kernels':>7} {'exact':>7} {'speedup':>7} {'recorded':>13}  result")
        # One after the other: times are compared.
        for name in chosen:
            outcome = zoo.try_program(name)
            failed += bool(outcome.problems)
            counted, exact = counted + outcome.counted, exact + outcome.exact
            known = f"{outcome.exact}/{outcome.counted}"
            print(f"{name:24} {outcome.kernels:7} {known:>7} {outcome.speedup:>7} {outcome.effect:>13}  "
                  f"{'FAILED' if outcome.problems else 'ok'}{' (2nd run)' if outcome.again else ''}",
                  flush=True)
            for problem in outcome.problems:
                print(f"  {problem}", flush=True)
    print(f"the work of {exact} of {counted} kernels is exact")
    failed += exact < EXACT_SHARE * counted
    print(f"{len(chosen)} program{'' if len(chosen) == 1 else 's'}, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
