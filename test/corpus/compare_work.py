#!/usr/bin/env python3
"""Compares counted FLOPs and bytes of programs of the corpus with what their machine instructions did.

usage: test/corpus/compare_work.py [--build FOLDER] [PROGRAM...]

Each program is built with single values and with vectors, plain and with the plugin. Callgrind counts the
instructions of the plain one (test/work/Inputs/machine_counts.py); both get the same input. A line for each
function that has a share of the program's work, and one for the rest of them, has for FLOPs, bytes read and
bytes written: counted, executed, and the ratio. `!` marks a ratio that is further than 1 % from 1.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import concurrent.futures
import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "common"), os.path.join(os.path.dirname(HERE), "work", "Inputs")]

import builds  # noqa: E402
import compare_machine  # noqa: E402
import fetch  # noqa: E402
import toolchain  # noqa: E402

PROGRAMS = ("kissfft", "libsvm", "eigen", "lapack", "box2d", "boost", "cubature", "voro", "samplerate", "darknet",
            "fasttree", "lua", "mujs")
OPTIONS = {"scalar": ("22-O2", ["-fno-vectorize", "-fno-slp-vectorize"]), "vectors": ("22-O3", ["-march=x86-64-v3"])}
SECONDS = 600


def compare(program, kind, chain, scratch):
    """(rows, total, outside) of one program."""
    name, extra = OPTIONS[kind]
    if program.language == "fortran":
        extra = [flag for flag in extra if flag != "-fno-slp-vectorize"]
    configuration = builds.Configuration.parse(name)
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        plain, counted = (builds.Build(program, chain, configuration, f"{folder}/{plugin}", plugin == "counted", extra)
                          for plugin in ("plain", "counted"))
        counted.environment["SEAMSCOPE_PASS"] = compare_machine.SETTINGS
        for build in (plain, counted):
            build.make()
        trace = f"{folder}/trace.json"
        arguments = program.arguments(folder)
        environment = toolchain.clean_environment(OMP_NUM_THREADS="2", OMP_WAIT_POLICY="passive")
        done = toolchain.run([counted.program, *arguments], folder,
                             {**environment, "SEAMSCOPE": "profile", "SEAMSCOPE_OUT": trace}, wall=SECONDS)
        if done.code != program.exit_status:
            raise builds.Failure(f"{program.name}: {done.problem()}")
        if not os.path.exists(trace):
            raise builds.Failure(f"{program.name}: no function of it has counters")
        return compare_machine.rows_of(chain.clang, trace, plain.program, arguments, folder, environment,
                                       types_of(plain))


def types_of(build):
    """Signatures of the functions of a program."""
    types = compare_machine.signatures.Signatures()
    path = f"{build.folder}/types.mir"
    for source in build.source_of.sources():
        build.execute(build.compile_command(source, path, *compare_machine.signatures.FLAGS))
        types.read(path)
    return types


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"else {', '.join(PROGRAMS)}")
    parser.add_argument("--build", metavar="FOLDER", default=os.path.join(toolchain.ROOT, "build"))
    parser.add_argument("--kind", choices=OPTIONS, action="append", help="this alone; repeatable")
    parser.add_argument("--most", type=int, default=0, help="how many figures may be further than 1 %% from 1")
    parser.add_argument("--jobs", "-j", type=int, default=1)
    asked = parser.parse_args()
    chain = toolchain.Toolchain("22", asked.build)
    packages = fetch.manifests()
    known = {program.name: program for package in packages.values() for program in builds.of_package(package)}
    names = asked.programs or PROGRAMS
    if unknown := set(names) - set(known):
        parser.error(f"no program {', '.join(sorted(unknown))}")
    needed = {known[name].package["name"]: known[name].package for name in names}
    if fetch.fetch_all(needed.values(), lambda text: print(f"corpus: {text}", flush=True)):
        return 1
    tally, failed = collections.Counter(), 0
    jobs = [(known[name], kind) for name in names for kind in asked.kind or OPTIONS]
    with tempfile.TemporaryDirectory(prefix="seamscope-work-") as scratch, \
            concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        for (program, kind), done in [(job, pool.submit(compare, *job, chain, scratch)) for job in jobs]:
            try:
                compare_machine.show(f"{program.name} {kind}", *done.result(), tally)
            except (builds.Failure, RuntimeError, compare_machine.machine_counts.Unsupported) as failure:
                print(f"FAILED {program.name} {kind}: {failure}", flush=True)
                failed += 1
    print(f"{len(jobs)} builds, {failed} failed: {compare_machine.summary(tally)}")
    return 1 if failed or tally["far"] > asked.most else 0


if __name__ == "__main__":
    sys.exit(main())
