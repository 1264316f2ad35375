"""Whether the shares of a report are those of perf, in programs of the corpus."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import shutil
import sys

from measure import bar, build, fail
from real_programs import benchmarks

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "accuracy"))

import builds  # noqa: E402
import perf_profile  # noqa: E402
import shares  # noqa: E402
import toolchain  # noqa: E402

# Of the rounds of a benchmark, which take half a second.
TIMES = 3


def measure_one(program, folder, samples, runs):
    chain = toolchain.Toolchain("22", build)
    configuration = builds.Configuration.parse("22-O2-g")
    commands = []
    for side in ("plain", "plugin"):
        made = builds.Build(program, chain, configuration, os.path.join(folder, side), side != "plain")
        made.make()
        commands.append([made.program, *program.arguments(folder, TIMES * program.bench)])
    return shares.compare(*commands, os.path.join(build, "bin", "seamscope"), folder, samples, runs,
                          {"OMP_NUM_THREADS": "1"}, status=program.exit_status)


def measure_shares(folder, quick, quiet, only=None):
    """A row for each program: how far its worst row is from its interval, in percentage points."""
    if not shutil.which("perf"):
        fail("--part shares needs perf")
    programs, _ = benchmarks(only)
    for program in programs:
        inside = os.path.join(folder, program.name.replace("/", "-"))
        os.makedirs(inside)
        quiet.wait()
        try:
            found = measure_one(program, inside, *((3000, 1) if quick else (8000, 3)))
        except shares.NothingTimed as why:
            print(why, flush=True)
            shutil.rmtree(inside)
            continue
        except (builds.Failure, perf_profile.Failure) as error:
            fail(f"{program.name}: {error}")
        worst = found.worst
        bar(f"{program.name}, shares", 100 * worst.missing, 0, "points",
            f"{found.right} of {len(found.rows)} rows right, {worst.name}: {100 * worst.share:.1f} % "
            f"({100 * worst.low:.1f} to {100 * worst.high:.1f}), perf {100 * worst.perf:.1f} %")
        print(f"{program.name}:", flush=True)
        shares.show(found, 0.005)
        shutil.rmtree(inside)
