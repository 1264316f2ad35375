"""The cost of samples: a recorded program with them, compared with the same without."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import statistics

from measure import bar, compiler, fail, here, link, plugin, run


def recorded(program, folder, arguments, samples):
    path = os.path.join(folder, "samples.json")
    seconds = float(run([program, *arguments], SEAMSCOPE="trace", SEAMSCOPE_OUT=path,
                        **({} if samples else {"SEAMSCOPE_SAMPLES": "off"})))
    with open(path, encoding="utf-8") as file:
        (state,) = json.load(file)["seamscope_samples"]
    if state["state"] != ("on" if samples else "off"):
        fail(f"samples are {state['state']}: {state.get('why')}")
    return seconds, state


def measure_samples(folder, count, quiet):
    program = os.path.join(folder, "samples")
    run([compiler, "-O2", f"-fpass-plugin={plugin}", os.path.join(here, "samples.cpp"), *link, "-pthread",
         "-o", program])

    def pairs(arguments, rounds):
        """Seconds of processor time with samples and without, alternating, and the last state."""
        found = []
        for _ in range(rounds):
            quiet.wait()
            with_, state = recorded(program, folder, arguments, samples=True)
            found.append((with_, recorded(program, folder, arguments, samples=False)[0]))
        return found, state

    found, state = pairs(["compute", "400000000"], 2 * count)
    bar("samples, of a loop that computes, over none", statistics.median(a / b for a, b in found), 1.01, "ratio",
        f"{state['rate']} samples a second, {state['sample_cost_ns'] / 1000:.1f} us each")
    for name, arguments, most in (("a switch of threads", ["switch", "50000"], 2),
                                  ("a thread", ["threads", "5000"], 50)):
        found, _ = pairs(arguments, count)
        switches = int(arguments[1]) * (2 if arguments[0] == "switch" else 1)
        added = statistics.median(a - b for a, b in found) / switches * 1e6
        bar(f"samples, added to {name}", added, most, "us")
    found, _ = pairs(["waits", "2000"], count)
    bar("samples, threads that wait shortly", statistics.median(a - b for a, b in found) / 2 * 100, 1, "%",
        "of a processor, for 8 threads of others")
