"""One traced region: compared with its floor and with other tracers, and as an OpenMP region."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import shutil
import statistics
import sys

from measure import (bar, build, compiler, fail, here, link, plugin, profiled, run, throttled,
                     traced)

source = os.path.join(here, "region.cpp")
# Options, and the recorded bytes per call.
xray = {"xray-fdr": 16, "xray-basic": 64}
uftrace_bytes = 32
peer_bars = {"xray-fdr": 2.5, "xray-basic": 8, "uftrace": 2}


def total_size(folder, keep):
    names = [name for name in os.listdir(folder) if keep(name)]
    return sum(os.path.getsize(os.path.join(folder, name)) for name in names)


def kept_all(name, size, wanted):
    # XRay's basic mode leaves the last few events of a live thread in memory.
    if size < 0.99 * wanted:
        fail(f"{name} recorded {size} bytes, and all calls are {wanted}: the figure would be wrong")


def run_xray(program, folder, mode):
    logs = os.path.join(folder, "xray")
    os.mkdir(logs)
    result = json.loads(run([program, "1"], XRAY_OPTIONS=f"xray_logfile_base={logs}/log."))
    kept_all(mode, total_size(logs, lambda name: True), result["calls"] * xray[mode])
    shutil.rmtree(logs)
    return result


def run_uftrace(program, folder):
    data = os.path.join(folder, "uftrace.data")
    result = json.loads(run(["uftrace", "record", "--no-libcall", "-d", data, program, "1"]))
    kept_all("uftrace", total_size(data, lambda name: name[0].isdigit() and name.endswith(".dat")),
             result["calls"] * uftrace_bytes)
    shutil.rmtree(data)
    return result


def build_programs(folder):
    common = [compiler, "-O2", "-pthread", source]
    ours = f"{folder}/region"
    run([*common, "-fopenmp", f"-I{build}/include", f"-fpass-plugin={plugin}", *link, "-o", ours],
        SEAMSCOPE_PASS="loops=off")
    programs = {}
    for mode in xray:
        programs[mode] = f"{folder}/{mode}"
        run([*common, "-fxray-instrument", f'-DXRAY_MODE="{mode}"', "-o", programs[mode]])
    if shutil.which("uftrace"):
        programs["uftrace"] = f"{folder}/uftrace"
        run([*common, "-pg", "-o", programs["uftrace"]])
    else:
        print("run: uftrace is not installed: left out", file=sys.stderr)
    return ours, programs


def measure_regions(folder, count, quiet):
    """Measures all variants alternately, so that drift affects all. Ratios are taken within one turn."""
    ours, programs = build_programs(folder)
    threads = [number for number in (1, 2) if number <= len(os.sched_getaffinity(0))]
    figures = {}

    def note(key, result):
        figures.setdefault(key, []).append(result)

    for _ in range(count):
        for number in threads:
            command = [ours, str(number)]
            quiet.wait()
            note(("trace", number), traced(command, folder))
            quiet.wait()
            note(("profile", number), profiled(command, folder))
            quiet.wait()
            note(("off", number), json.loads(run(command)))
        # If almost no call is timed, the remaining cost is that of counting.
        for every in (128, 1 << 20):
            quiet.wait()
            note(("throttled", every), throttled([ours, "1"], folder, every))
        quiet.wait()
        note("tiny", throttled([ours, "tiny"], folder, 128))
        for name, program in programs.items():
            quiet.wait()
            note(name, run_uftrace(program, folder) if name == "uftrace" else
                 run_xray(program, folder, name))

    def median(key, what):
        return statistics.median(result[what] for result in figures[key])

    for mode in ("trace", "profile"):
        for number in threads:
            key = (mode, number)
            ratio = statistics.median(r["region"] / r["floor"] for r in figures[key])
            bar(f"region, {mode}, threads: {number}, over the floor", ratio,
                1.06 if number == 1 else 1.10, "ratio",
                f"{median(key, 'region'):.1f} over {median(key, 'floor'):.1f} ns")
    for number in threads:
        bar(f"region, off, threads: {number}", median(("off", number), "region"), 0.2, "ns")
    bar("region, throttled, counted alone", median(("throttled", 1 << 20), "region"), 1.5, "ns")
    bar("region, throttled, one call in 128 timed", median(("throttled", 128), "region"), 3, "ns")
    ratio = statistics.median(result["traced"] / result["plain"] for result in figures["tiny"])
    bar("five million calls a second, traced, over plain", ratio, 1.3, "ratio",
        f"{median('tiny', 'traced'):.0f} over {median('tiny', 'plain'):.0f} ns a call")
    for name in programs:
        ratio = statistics.median(
            peer["region"] / own["region"]
            for peer, own in zip(figures[name], figures["trace", 1]))
        bar(f"{name} over region, trace, threads: 1", ratio, peer_bars[name], "ratio",
            f"{median(name, 'region'):.1f} ns", least=True)
    measure_adjacent(folder, count, quiet)
    return ours


def measure_adjacent(folder, count, quiet):
    """Measures one more loop in a row, which shares a stamp with the one before."""
    program = f"{folder}/adjacent"
    run([compiler, "-O2", "-pthread", source, f"-I{build}/include", f"-fpass-plugin={plugin}", *link,
         "-o", program], SEAMSCOPE_PASS="loops=1")
    results = []
    for _ in range(count):
        quiet.wait()
        # Ten loops in two functions.
        results.append(traced([program, "adjacent"], folder, events_a_call=12))
    traced_ns, stamp = (statistics.median(r[key] for r in results) for key in ("traced", "stamp"))
    bar("adjacent loops, a border, over one ordered stamp",
        statistics.median(r["traced"] / r["stamp"] for r in results), 1.15, "ratio",
        f"{traced_ns:.1f} over {stamp:.1f} ns")


def measure_parallel(program, folder, count, quiet):
    """Measures an empty `parallel` of two threads in a function: its kernel, the team's
    start, and a body on each thread."""
    spin = {"KMP_BLOCKTIME": "infinite", "OMP_NUM_THREADS": "2", "OMP_PROC_BIND": "true"}
    results = []
    for _ in range(count):
        quiet.wait()
        results.append(traced([program, "parallel"], folder, events_a_call=4, **spin))
    added, plain = (statistics.median(r[key] for r in results) for key in ("added", "plain"))
    bar("empty OpenMP parallel, threads: 2, added", added, 100, "ns", f"plain {plain:.0f} ns")
