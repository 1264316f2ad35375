#!/usr/bin/env python3
"""Adds up the JUnit files of several test runners.

usage: summary.py FOLDER NAME...
       summary.py --failures FILE.xml

Reads FOLDER/NAME.xml for each NAME, names every failed test, and ends with the
line "N passed, N failed, N skipped". A runner that left no file counts as one
failure. Exits 1 when anything failed or nothing ran.

With --failures it shows how each failed test of one file ended, which is where
it says why: what the test printed before that stands in the file.
"""

import os
import sys
import xml.etree.ElementTree as ElementTree

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception


LINES_OF_A_FAILURE = 30


def show_failures(path):
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        failure = case.find("failure")
        if failure is not None:
            text = (failure.text or "").rstrip().split("\n")
            print(f"--- {case.get('name')}, the last of {len(text)} lines:")
            print("\n".join(line[:500] for line in text[-LINES_OF_A_FAILURE:]))


def results(path):
    """(name, 'passed' | 'failed' | 'skipped') of each test case in the file."""
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        name = ".".join(filter(None, (case.get("classname"), case.get("name"))))
        if case.find("failure") is not None or case.find("error") is not None:
            yield name, "failed"
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            yield name, "skipped"
        else:
            yield name, "passed"


def main():
    if sys.argv[1] == "--failures":
        return show_failures(sys.argv[2])
    folder, *names = sys.argv[1:]
    total = {"passed": 0, "failed": 0, "skipped": 0}
    for name in names:
        counts = dict.fromkeys(total, 0)
        try:
            for test, result in results(os.path.join(folder, name + ".xml")):
                counts[result] += 1
                if result == "failed":
                    print(f"FAILED {name}: {test}")
        except (OSError, ElementTree.ParseError) as error:
            print(f"FAILED {name}: it left no result ({error})")
            counts["failed"] += 1
        print(f"{name:8} " + ", ".join(f"{count} {what}" for what, count in counts.items()))
        for what, count in counts.items():
            total[what] += count
    print(", ".join(f"{count} {what}" for what, count in total.items()))
    return 1 if total["failed"] or not total["passed"] else 0


sys.exit(main())
