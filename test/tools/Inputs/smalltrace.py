"""Shared by tests of small traces: events, and what reports say about them. The user's first argument is seamscope."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import subprocess
import sys

SEAMSCOPE = sys.argv[1]


def event(category, name, pid, tid, begin, duration, **args):
    """A call, with times in us."""
    found = {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": begin, "dur": duration,
             "args": args}
    return {key: value for key, value in found.items() if value is not None}


def run(*arguments, code=0):
    """The text that a command prints, on both streams."""
    done = subprocess.run([SEAMSCOPE, *arguments], capture_output=True, text=True, timeout=100)
    assert done.returncode == code, (arguments, done.returncode, done.stdout[-300:], done.stderr)
    return done.stdout, done.stderr


def write(text, name="trace.json"):
    """The file of a text or of a list of events."""
    with open(name, "w", encoding="utf-8") as file:
        file.write(text if isinstance(text, str) else json.dumps({"traceEvents": text}))
    return name


def report(text, code=0):
    """What the JSON says about a trace; text and page must say the same about its health."""
    path = write(text)
    found = json.loads(run("report", "--json", path, code=code)[0])
    shown, _ = run("report", path, code=code)
    run("report", "--html", "-o", "page.html", path, code=code)
    page = open("page.html", encoding="utf-8").read()
    for item in found["health"]:
        assert set(item) == {"name", "count", "ns", "events", "consequence"}, item
        assert f"{item['name']}: {item['consequence']}" in shown, (item, shown)
        # Before any claim, and once.
        line = f"{item['name']}: "
        assert page.count(line) == 1, (item, page.count(line))
        assert "Where the time went" not in page or page.index(line) < page.index("Where the time went"), item
    return found, shown


def names(found):
    """Name and count of each finding."""
    return [(item["name"], item["count"]) for item in found["health"]]


def kernels(found):
    """By name, calls and total."""
    return {row["name"]: (row["calls"], row["total_ns"]) for row in found["kernels"]}
