#!/usr/bin/env python3
"""Adds up the JUnit files of several test runners.

usage: summary.py FOLDER NAME...
       summary.py --failures FILE.xml
       summary.py --to-repeat FILE.xml

Reads FOLDER/NAME.xml for each NAME, shows the tests that took longest over all
runners, names every failed test, and ends with the line "N passed, N failed,
N skipped". A runner that left no file counts as one failure. Exits 1 when
anything failed or nothing ran. Where FOLDER/NAME-repeated.xml holds a second run
of what failed, a test that passed there is named as flaky and counts as passed.

With --failures it shows how each failed test of one file ended, which is where
it says why: what the test printed before that stands in the file.

With --to-repeat it prints the paths of the failed lit tests of one file, from the
suite's folder, or nothing where so many failed that no accident explains it.
"""

import os
import sys
import xml.etree.ElementTree as ElementTree

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception


LINES_OF_A_FAILURE = 30
SLOWEST = 15
MOST_TO_REPEAT = 5
# What lit prints of a command that went well.
NO_NEWS = ("# executed command:", "# note: command had no output")


def show_failures(path):
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        failure = case.find("failure")
        if failure is not None:
            text = (failure.text or "").rstrip().split("\n")
            text = [line for line in text if not line.startswith(NO_NEWS)]
            print(f"--- {case.get('name')}, the last of {len(text)} lines:")
            print("\n".join(line[:500] for line in text[-LINES_OF_A_FAILURE:]))


def results(path):
    """(name, 'passed' | 'failed' | 'skipped', seconds) of each test case in the file."""
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        name = ".".join(filter(None, (case.get("classname"), case.get("name"))))
        seconds = float(case.get("time") or 0)
        if case.find("failure") is not None or case.find("error") is not None:
            yield name, "failed", seconds
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            yield name, "skipped", seconds
        else:
            yield name, "passed", seconds


def show_to_repeat(path):
    """Of a test, lit writes suite.folder/folder as the class name; in no folder, suite.suite."""
    failed = [case for case in ElementTree.parse(path).getroot().iter("testcase")
              if case.find("failure") is not None]
    if len(failed) <= MOST_TO_REPEAT:
        for case in failed:
            suite, _, folder = case.get("classname", "").partition(".")
            print("/".join(filter(None, ("" if folder == suite else folder, case.get("name")))))


def repeated(folder, name):
    """Test and result in the second run of what failed."""
    path = os.path.join(folder, name + "-repeated.xml")
    if not os.path.exists(path):
        return {}
    return {test: result for test, result, _ in results(path)}


def show_slowest(times):
    """The longest of (seconds, runner, test)."""
    slowest = sorted((row for row in times if row[0] > 0), reverse=True)[:SLOWEST]
    if not slowest:
        return
    print(f"what took longest, of {len(times)} tests:")
    for seconds, runner, test in slowest:
        print(f"{seconds:8.1f} s  {runner}: {test}")


def main():
    if sys.argv[1] == "--failures":
        return show_failures(sys.argv[2])
    if sys.argv[1] == "--to-repeat":
        return show_to_repeat(sys.argv[2])
    folder, *names = sys.argv[1:]
    total = {"passed": 0, "failed": 0, "skipped": 0}
    cases, unreadable = {}, {}
    for name in names:
        try:
            cases[name] = list(results(os.path.join(folder, name + ".xml")))
        except (OSError, ElementTree.ParseError) as error:
            cases[name], unreadable[name] = [], error
    show_slowest([(seconds, name, test) for name in names for test, _, seconds in cases[name]])
    for name in names:
        counts = dict.fromkeys(total, 0)
        second = repeated(folder, name)
        for test, result, _ in cases[name]:
            if result == "failed" and second.get(test) == "passed":
                print(f"FLAKY {name}: {test} failed, and passed when it was run again, alone")
                result = "passed"
            counts[result] += 1
            if result == "failed":
                print(f"FAILED {name}: {test}")
        if name in unreadable:
            print(f"FAILED {name}: it left no result ({unreadable[name]})")
            counts["failed"] += 1
        print(f"{name:8} " + ", ".join(f"{count} {what}" for what, count in counts.items()))
        for what, count in counts.items():
            total[what] += count
    print(", ".join(f"{count} {what}" for what, count in total.items()))
    return 1 if total["failed"] or not total["passed"] else 0


sys.exit(main())
