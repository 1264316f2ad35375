#!/usr/bin/env python3
"""Compares the counts of instrumented programs with those of count_ir.py.

usage: exact.py --clang CLANG --plugin PLUGIN --library FOLDER [--all | --options OPTIONS] SOURCE [-- FLAG...]

Each set of compiler options and each value of the pass's option `work` is one comparison. A count that
is exact must be equal. Where the pass knows a least and a most, the reference must lie between them; with
work=exact there may be no bounds. A kernel that calls something unknown must not be above the reference.
Exits with 1 if a count differs.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import json
import os
import shlex
import sys
import tempfile

sys.dont_write_bytecode = True
import count_ir  # noqa: E402

FLOP = {"add": 1, "mul": 1, "neg": 1, "fma": 2, "div": 1, "sqrt": 1, "rem": 1}
LEVELS = [("", "-O1"), ("", "-O2"), ("", "-O3"), ("avx2 fma", "-O3 -march=x86-64-v3"),
          ("avx512f avx512bw avx512cd avx512dq avx512vl", "-O3 -march=x86-64-v4 -mprefer-vector-width=512")]
MORE = ["-Os", "-Oz", "-O2 -fno-vectorize -fno-slp-vectorize", "-O2 -fno-unroll-loops", "-O3 -march=native",
        "-O3 -march=native -ffast-math", "-O3 -fveclib=libmvec -ffast-math", "-O2 -fno-math-errno",
        "-O2 -ffp-contract=off", "-O2 -fno-strict-aliasing -fwrapv", "-O2 -fexceptions", "-O2 -ffp-model=strict", "-O2 -funroll-loops"]
# Without one of these, threads race for the roles in a reduction.
DETERMINISTIC = {"KMP_FORCE_REDUCTION": "atomic", "OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive"}


def levels():
    """The options that this processor can run."""
    with open("/proc/cpuinfo") as file:
        flags = next((line.split() for line in file if line.startswith("flags")), [])
    return [level for needed, level in LEVELS if set(needed.split()) <= set(flags)]


class Counted:
    """The counts of one kernel in a trace: bounds by key."""

    def __init__(self):
        self.least, self.most = collections.Counter(), collections.Counter()
        self.unknown = set()
        self.broken = []

    def add(self, words, kind):
        runs, rest = divmod(words[kind["word"]] if "word" in kind else 0, kind.get("unit", 1))
        if rest:
            self.broken.append(f"word {kind['word']} is not a multiple of its unit: {words[kind['word']]}")
        if kind.get("unknown") and (runs or "word" not in kind):
            self.unknown.update(kind["unknown"])
        for _, _, counts in kind["lines"]:
            for key, each in counts.items():
                if key.startswith(("scattered_", "streamed_", "vector.")):  # parts of other keys
                    continue
                is_masked = key.startswith("masked_")
                key = key.removeprefix("masked_")
                self.most[key] += runs * each
                self.least[key] += 0 if is_masked or kind.get("at_most") else runs * each


def instrumented(clang, plugin, library, source, flags, settings, folder, environments):
    """For each environment {linkage name: Counted}."""
    program, trace = os.path.join(folder, "counted"), os.path.join(folder, "counted.json")
    count_ir.run([clang, *flags, f"-fpass-plugin={plugin}", source, "-o", program, "-lm", f"-L{library}", "-lseamscope",
                  f"-Wl,-rpath,{library}"], env=dict(os.environ, SEAMSCOPE_PASS=settings))
    results = []
    for environment in environments:
        if os.path.exists(trace):
            os.remove(trace)
        count_ir.run([program], env=dict(os.environ, SEAMSCOPE="trace", SEAMSCOPE_OUT=trace, **environment))
        with open(trace) as file:
            text = json.load(file)
        found = collections.defaultdict(Counted)
        for entry in text["seamscope"].get("work", []):
            for kind in json.loads(entry["counts"])["classes"]:
                found[entry["linkage_name"]].add(entry["words"], kind)
        results.append(found)
    return results


def differences(expected, owners, found, is_exact):
    """Lines that describe differences, and the numbers of kernels by how they were compared."""
    lines, tally = [], collections.Counter()
    by_kernel = collections.defaultdict(list)
    for name, counted in found.items():
        if name in owners:
            by_kernel[owners[name]].append(counted)
    for kernel, counts in sorted(expected.items()):
        parts = by_kernel[kernel]
        unknown = sorted(set().union(*(part.unknown for part in parts)))
        # With work=on, functions that only move integers are not counted.
        if not parts and not is_exact and set(counts) <= {"read", "write"}:
            tally["left out"] += 1
            continue
        if not parts and counts:
            if not is_exact and not any("." in key for key in counts):
                continue  # work=on leaves out functions that only move data, word by word
            lines.append(f"{kernel}: not counted, reference {counts}")
            continue
        lines += [f"{kernel}: {text}" for part in parts for text in part.broken]
        has_bounds = False
        for key in sorted(set(counts).union(*(part.most for part in parts))):
            least, most = sum(part.least[key] for part in parts), sum(part.most[key] for part in parts)
            real = counts.get(key, 0)
            has_bounds |= least != most
            if real < least or (real > most and not unknown):
                lines.append(f"{kernel}: {key} is {real}, counted {least}" + (f" to {most}" if most != least else ""))
            if is_exact and least != most:
                lines.append(f"{kernel}: {key} has bounds {least} to {most} with work=exact")
        tally["unknown" if unknown else "bounds" if has_bounds else "equal"] += 1
        tally.update(f"unknown: {reason}" for reason in unknown)
    return lines, tally


def sums(counts):
    """(FLOPs, bytes read, bytes written)"""
    flop = sum(count * FLOP.get(key.split(".")[1], 0) for key, count in counts.items()
               if "." in key and key[0] != "i" and not key.startswith("call."))
    return flop, counts["read"], counts["write"]


def formula_differences(output, found, owners):
    """What the source says against the counts."""
    lines, compared = [], 0
    for line in output.splitlines():
        if not line.startswith("expect "):
            continue
        _, kernel, *numbers = line.split()
        parts = [counted for name, counted in found.items() if owners.get(name) == kernel]
        if not parts:  # left out, or reported by differences()
            continue
        counts = sum((part.most for part in parts), collections.Counter())
        for what, asked, have in zip(("FLOP", "read", "write"), numbers, sums(counts)):
            compared += 1
            if int(asked) != have:
                lines.append(f"{kernel}: the source says {what} {asked}, counted {have}")
    return lines, compared


def argument_parser(text):
    """For comparisons of one source at several compiler options."""
    parser = argparse.ArgumentParser(description=text.split("\n")[0])
    parser.add_argument("--clang", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--options", action="append", help="only these compiler options")
    parser.add_argument("source")
    parser.add_argument("flags", nargs="*", help="compiler options of all builds")
    return parser


def main():
    parser = argument_parser(__doc__)
    parser.add_argument("--all", action="store_true", help="more options; each with 1 to 4 threads, on and exact")
    parser.add_argument("-o", dest="folder", help="keep what is built")
    asked = parser.parse_args()
    failed, total, formulas = 0, collections.Counter(), 0
    options = asked.options or [level + fast for fast in ("", " -ffast-math") for level in levels()] + (MORE if asked.all else [])
    with tempfile.TemporaryDirectory() as scratch:
        folder = asked.folder or scratch
        os.makedirs(folder, exist_ok=True)
        for number, option in enumerate(options):
            flags = shlex.split(option) + ["-gline-tables-only", "-w", *asked.flags]
            threads = (1, 2, 3, 4) if asked.all else (1 + number % 4,)
            environments = [dict(DETERMINISTIC, OMP_NUM_THREADS=str(count)) for count in threads]
            references = count_ir.reference(asked.clang, asked.source, flags, folder, "^k_", environments)
            settings = ("on", "exact") if asked.all or asked.options else (("exact", "on")[number % 2],)
            for setting in settings:
                tables = instrumented(asked.clang, asked.plugin, asked.library, asked.source, flags,
                                      f"work={setting};min-work=0", folder, environments)
                for environment, (expected, owners, output), found in zip(environments, references, tables):
                    lines, tally = differences(expected, owners, found, setting == "exact")
                    if option == "-O1":
                        more, compared = formula_differences(output, found, owners)
                        lines += more
                        formulas += compared
                    total += tally
                    failed += len(lines)
                    where = f"{option} work={setting} threads={environment['OMP_NUM_THREADS']}"
                    print(f"{where}: {dict(tally)}", flush=True)
                    for line in lines:
                        print(f"  differs: {line}", flush=True)
    print(f"{total['equal']} kernels equal, {total['bounds']} within bounds, {total['unknown']} with unknown calls, "
          f"{formulas} numbers as the source says, {failed} differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
