#!/usr/bin/env python3
"""Compares the counts of parallel loops with what the source says, for each schedule and number of threads.

usage: schedules.py --clang CLANG --plugin PLUGIN --library FOLDER [--threads LIST] SOURCE [-- FLAG...]

Each set of compiler options is one build without LTO, one with thin LTO whose code is instrumented in the
compile step, and one where the link instruments it. A function of the other file is not known in the first
two, and is inlined in the last. Exits with 1 if a count differs.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import os
import re
import shlex
import sys
import tempfile

sys.dont_write_bytecode = True
import count_ir  # noqa: E402
import exact  # noqa: E402

SCHEDULES = ("static", "static,2", "dynamic", "dynamic,7", "guided", "guided,3", "auto", "static,1")
# Of each: options of the compiler, of the link, settings of the pass, and whether calls of the other file are known.
BUILDS = {
    "no LTO": ([], [], "", False),
    "thin LTO": (["-flto=thin"], ["-fuse-ld=lld"], "", False),
    "thin LTO in the link": (["-flto=thin"], ["-fuse-ld=lld", "-Wl,--load-pass-plugin={plugin}"], ";lto=link", True),
}


def build(asked, flags, how, setting, folder):
    compiling, linking, settings, _ = BUILDS[how]
    environment = dict(os.environ, SEAMSCOPE_PASS=f"work={setting};min-work=0{settings}")
    flags = [*flags, *compiling, f"-fpass-plugin={asked.plugin}"]
    objects = [os.path.join(folder, name) for name in ("loops.o", "weigh.o")]
    for path, defined in zip(objects, ([], ["-DWEIGH"])):
        count_ir.run([asked.clang, *flags, *defined, "-c", asked.source, "-o", path], env=environment)
    program = os.path.join(folder, "program")
    count_ir.run([asked.clang, *flags, *objects, *(word.format(plugin=asked.plugin) for word in linking), "-o", program,
                  "-lm", f"-L{asked.library}", "-lseamscope", f"-Wl,-rpath,{asked.library}"], env=environment)
    return program


def counts_of(program, folder, environment):
    """({kernel: exact.Counted of it and of its regions}, what the program printed)"""
    trace = os.path.join(folder, "counted.json")
    output = count_ir.run([program], env=dict(os.environ, SEAMSCOPE="profile", SEAMSCOPE_OUT=trace, **environment))
    with open(trace, encoding="utf-8") as file:
        entries = json.load(file)["seamscope"]["work"]
    found = collections.defaultdict(exact.Counted)
    for entry in entries:
        for kind in json.loads(entry["counts"])["classes"]:
            found[re.sub(r"\.omp_outlined.*", "", entry["linkage_name"])].add(entry["words"], kind)
    return found, output


def differences(found, output, is_known):
    lines, equal = [], 0
    for line in output.splitlines():
        _, kernel, *numbers = line.split()
        counted = found[kernel]
        lines += [f"{kernel}: {text}" for text in counted.broken]
        if counted.unknown and not is_known and kernel.startswith("k_calls_"):
            continue
        if counted.unknown:
            lines.append(f"{kernel}: unknown: {', '.join(sorted(counted.unknown))}")
        for what, asked, least, most in zip(("FLOP", "read", "write"), map(int, numbers), exact.sums(counted.least),
                                            exact.sums(counted.most)):
            if least == most == asked:
                equal += 1
            else:
                lines.append(f"{kernel}: the source says {what} {asked}, counted {least} to {most}")
    return lines, equal


def main():
    parser = exact.argument_parser(__doc__)
    parser.add_argument("--threads", default="1,2,3,4,5,6,7,8")
    asked = parser.parse_args()
    threads = [int(count) for count in asked.threads.split(",")]
    equal, failed, runs = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number, option in enumerate(asked.options or exact.levels()):
            for step, how in enumerate(BUILDS):
                setting = ("on", "exact")[(number + step) % 2]
                flags = [*shlex.split(option), "-gline-tables-only", "-w", *asked.flags]
                program = build(asked, flags, how, setting, folder)
                for count in threads:
                    environment = dict(exact.DETERMINISTIC, OMP_NUM_THREADS=str(count),
                                       OMP_SCHEDULE=SCHEDULES[(count + number + step) % len(SCHEDULES)])
                    lines, same = differences(*counts_of(program, folder, environment), BUILDS[how][3])
                    equal, failed, runs = equal + same, failed + len(lines), runs + 1
                    for line in lines:
                        print(f"{option}, {how}, work={setting}, {count} threads: {line}", flush=True)
    print(f"{runs} runs, {equal} numbers as the source says, {failed} differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
