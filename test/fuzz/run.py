#!/usr/bin/env python3
"""Runs the fuzzers of a build for some time each, and writes a JUnit file.

usage: run.py BUILD RESULTS.xml [NAME...]

BUILD is a folder configured with SEAMSCOPE_FUZZ. SEAMSCOPE_FUZZ_SECONDS tells how long
each fuzzer runs (60); as many run at once as there are processors. What they find new
stays in BUILD/corpus and is where the next run begins. An input that breaks a fuzzer
is kept in BUILD/findings: `BUILD/test/fuzz/fuzz-NAME FILE` shows it again.

Exits 1 when a fuzzer failed.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

HERE = os.path.dirname(os.path.abspath(__file__))
DICTIONARIES = {"chrome": "json.dict"}
# A single input that takes longer, or more memory, is a finding too.
INPUT_SECONDS = 20
MEMORY_MB = 2560


def newest(folder, prefix, since):
    """Files of the folder that were written since then."""
    paths = (os.path.join(folder, name) for name in os.listdir(folder) if name.startswith(prefix))
    return sorted(path for path in paths if os.path.getmtime(path) >= since)


def run(build, name, seconds):
    """Runs a fuzzer: (how it went, what it wrote)."""
    corpus = os.path.join(build, "corpus", name)
    findings = os.path.join(build, "findings")
    os.makedirs(corpus, exist_ok=True)
    os.makedirs(findings, exist_ok=True)
    command = [
        os.path.join(build, "test", "fuzz", "fuzz-" + name),
        f"-max_total_time={seconds}",
        f"-timeout={INPUT_SECONDS}",
        f"-rss_limit_mb={MEMORY_MB}",
        "-max_len=8192",
        "-print_final_stats=1",
        f"-artifact_prefix={findings}/{name}-",
        corpus,
        os.path.join(build, "seeds", name),
    ]
    if name in DICTIONARIES:
        command.append("-dict=" + os.path.join(HERE, DICTIONARIES[name]))
    environment = dict(os.environ, UBSAN_OPTIONS="print_stacktrace=1", ASAN_OPTIONS="detect_leaks=1")
    begin = time.time()
    try:
        # It ends by itself; the limit is for one that hangs where it cannot be stopped.
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, errors="replace",
                              timeout=seconds + 10 * INPUT_SECONDS + 60)
        output, code = done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        output, code = (late.stdout or b"").decode(errors="replace"), "no end"
    took = time.time() - begin
    found = re.search(r"stat::number_of_executed_units:\s*(\d+)", output)
    runs = int(found.group(1)) if found else 0
    problem = None
    if code != 0 or not runs:
        kept = newest(findings, name + "-", begin - 1)
        what = re.search(r".*(?:does not hold:|runtime error:|ERROR: ).*", output)
        problem = f"exit status {code}" + (f": {what.group(0).strip()}" if what else "")
        problem += "".join(f"\nreproduce: {command[0]} {path}" for path in kept)
    return {"name": name, "seconds": took, "runs": runs, "problem": problem, "output": output}


def main():
    build, results, *names = sys.argv[1:]
    build = os.path.abspath(build)
    seconds = int(os.environ.get("SEAMSCOPE_FUZZ_SECONDS", "60"))
    subprocess.run([sys.executable, os.path.join(HERE, "seeds.py"), os.path.join(build, "seeds")],
                   check=True)
    names = names or sorted(os.listdir(os.path.join(build, "seeds")))
    suite = ElementTree.Element("testsuite", name="fuzz")
    failed = False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(lambda name: run(build, name, seconds), names):
            print(f"fuzz-{result['name']}: {result['runs']} inputs in {result['seconds']:.0f} s")
            case = ElementTree.SubElement(suite, "testcase", classname="fuzz", name=result["name"],
                                          time=f"{result['seconds']:.1f}")
            if result["problem"]:
                failed = True
                # The last lines describe the finding; the ones before how it was searched for.
                print("\n".join(result["output"].splitlines()[-60:]))
                print(f"fuzz-{result['name']} failed: {result['problem']}", flush=True)
                ElementTree.SubElement(case, "failure", message=result["problem"])
    ElementTree.ElementTree(suite).write(results)
    return 1 if failed else 0


sys.exit(main())
