#!/usr/bin/env python3
"""Compares the counts of an instrumented program with what the instructions of the plain one did.

usage: compare_machine.py --clang CLANG --plugin PLUGIN --library FOLDER [--options OPTIONS]... SOURCE [-- FLAG...]

For each function that moves or computes enough: FLOPs without negations, bytes read and bytes written, as
counted, as executed (machine_counts.py), and their ratio. Exits with 1 if too many of them differ by more
than 1 %.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import os
import shlex
import sys
import tempfile

sys.dont_write_bytecode = True
import count_ir  # noqa: E402
import exact  # noqa: E402
import machine_counts  # noqa: E402
import signatures  # noqa: E402

KEYS = ("flop", "read", "write")
FLOP = {**{key: each for key, each in exact.FLOP.items() if key != "neg"}, "estimate": 1}
# The two of compiler-rt would call themselves.
SETTINGS = "select=all;min-work=0;work=exact;exclude=__truncsfbf2,__extendbfsf2"
TOLERANCE = 0.01
# Functions with less than this part of each of a program's sums, or with less than this, are in its row of the rest.
SHARE = 0.005
LEAST = 1000


class Count:
    """What one function did, as the pass counted it: from least to most, by key."""

    def __init__(self):
        self.least, self.most = collections.Counter(), collections.Counter()
        self.unknown = set()

    def add(self, counted):
        self.unknown |= counted.unknown
        for into, counts in ((self.least, counted.least), (self.most, counted.most)):
            for key, number in counts.items():
                if key in ("read", "write"):
                    into[key] += number
                elif "." in key and key[0] in "fbx":
                    into["flop"] += number * FLOP.get(key.split(".")[1], 0)


def of_trace(path):
    """{linkage name: Count}"""
    with open(path, encoding="utf-8") as file:
        entries = json.load(file)["seamscope"].get("work", [])
    found = collections.defaultdict(Count)
    for entry in entries:
        counted = exact.Counted()
        for kind in json.loads(entry["counts"])["classes"]:
            counted.add(entry["words"], kind)
        if counted.broken:
            raise RuntimeError(f"{entry['linkage_name']}: {counted.broken[0]}")
        found[entry["linkage_name"]].add(counted)
    return found


class Row:
    """One function, or the rest of a program."""

    def __init__(self, name):
        self.name, self.unknown = name, set()
        self.least, self.most = collections.Counter(), collections.Counter()
        self.real, self.masked = collections.Counter(), collections.Counter()

    def add(self, other):
        self.unknown |= other.unknown
        for mine, its in ((self.least, other.least), (self.most, other.most), (self.real, other.real),
                          (self.masked, other.masked)):
            mine.update(its)

    def ratio(self, key):
        """Counted over executed, from the nearest bounds; None if there is neither."""
        least, most = self.least[key], self.most[key]
        low, high = self.real[key] - self.masked[key], self.real[key]
        if not most and not high:
            return None
        if least <= high and low <= most:
            return 1.0
        return (most / low if most < low else least / high) if high else float("inf")

    def verdict(self, key):
        ratio = self.ratio(key)
        if ratio is None:
            return "absent"
        if ratio == 1:
            return "equal" if self.least[key] == self.most[key] and not self.masked[key] else "within bounds"
        if abs(ratio - 1) <= TOLERANCE:
            return "near"
        return "partly unknown" if self.unknown and ratio < 1 else "far"

    def text(self):
        words = [f"{self.name:40}"]
        for key in KEYS:
            least, most, ratio = self.least[key], self.most[key], self.ratio(key)
            bounds = f"{least}" if least == most else f"{least}..{most}"
            words.append(f"{key} {bounds} {self.real[key]} {'-' if ratio is None else f'{ratio:.4f}'}"
                         f"{' !' if self.verdict(key) == 'far' else ''}")
        return "  ".join(words) + (f"  unknown: {', '.join(sorted(self.unknown))}" if self.unknown else "")


def rows_of(clang, trace, plain, arguments, folder, environment, types, share=SHARE):
    """(rows of the functions with that share of a sum, and of the rest; of all with counters; of those without)"""
    ours = of_trace(trace)
    executed, symbols = machine_counts.counted(clang, plain, arguments, folder, environment, types)
    first = {name: names[0] for names in symbols.names.values() for name in names}
    rows = {}
    for name, count in ours.items():
        row = rows.setdefault(first.get(name, name), Row(first.get(name, name)))
        row.unknown |= count.unknown
        row.least.update(count.least)
        row.most.update(count.most)
    outside = Row("functions without counters")
    for name, work in executed.items():
        row = rows.get(name, outside)
        row.real.update({key: work[key] for key in KEYS})
        row.masked.update({key: work["masked_" + key] for key in KEYS})
    total, rest = Row("all functions"), Row("the rest")
    for row in rows.values():
        total.add(row)
    large = []
    for row in sorted(rows.values(), key=lambda row: -max(row.real[key] for key in KEYS)):
        if any(max(row.real[key], row.most[key]) > max(share * total.real[key], LEAST) for key in KEYS):
            large.append(row)
        else:
            rest.add(row)
    return [*large, rest], total, outside


def show(what, rows, total, outside, tally):
    """Prints a line for each row, and adds to the numbers of figures by verdict."""
    for row in rows:
        print(f"{what} {row.text()}", flush=True)
        tally.update(row.verdict(key) for key in KEYS)
    print(f"{what} {total.text()}", flush=True)
    print(f"{what} {outside.name}: {', '.join(f'{key} {outside.real[key]}' for key in KEYS)}", flush=True)


def summary(tally):
    return (f"{tally['equal']} figures equal, {tally['near']} within 1 %, {tally['within bounds']} within bounds, "
            f"{tally['partly unknown']} less where work is unknown, {tally['far']} not")


def main():
    parser = exact.argument_parser(__doc__)
    parser.add_argument("--most", type=int, default=0, help="how many figures may differ by more than 1 %%")
    asked = parser.parse_args()
    tally = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for option in asked.options or ["-O2"]:
            flags = [*shlex.split(option), "-w", *asked.flags]
            plain, counted, trace = (os.path.join(folder, name) for name in ("plain", "counted", "counted.json"))
            count_ir.run([asked.clang, *flags, asked.source, "-o", plain, "-lm"])
            types = signatures.Signatures()
            count_ir.run([asked.clang, *flags, asked.source, *signatures.FLAGS, "-o", plain + ".mir"])
            types.read(plain + ".mir")
            count_ir.run([asked.clang, *flags, f"-fpass-plugin={asked.plugin}", asked.source, "-o", counted, "-lm",
                          f"-L{asked.library}", "-lseamscope", f"-Wl,-rpath,{asked.library}"],
                         env=dict(os.environ, SEAMSCOPE_PASS=SETTINGS))
            environment = dict(os.environ, **exact.DETERMINISTIC, OMP_NUM_THREADS="2")
            count_ir.run([counted], env=dict(environment, SEAMSCOPE="profile", SEAMSCOPE_OUT=trace))
            rows, total, outside = rows_of(asked.clang, trace, plain, [], folder, environment, types, share=0)
            show(option, rows, total, outside, tally)
    print(summary(tally))
    return 1 if tally["far"] > asked.most else 0


if __name__ == "__main__":
    sys.exit(main())
