#!/usr/bin/env python3
"""Checks that a trace of ours is well formed. Shares no code with the tools that read traces.

usage: check_trace.py TRACE.json [--open] [--abandoned] [--begin NS --end NS]

Every event has a name, a place in the process's life and a duration; the calls of a thread lie
one inside the other; nothing was lost. --open allows calls that were open when the process ended,
--abandoned calls that were left by longjmp. NS are CLOCK_MONOTONIC before the process began and
after it ended. Prints the number of events; exits 1 and prints what is wrong otherwise.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import collections
import json
import re
import sys

# Begin and duration are converted from ticks and rounded each for itself.
ROUNDING_NS = 2
# The clocks are compared twice in the life of a process, from which ticks become times.
CLOCK_NS = 100_000
SHOWN = 10


def nanoseconds(text):
    """Microseconds in decimal digits to whole ns, exactly."""
    if not re.fullmatch(r"-?\d+(\.\d{1,3})?", text):
        raise ValueError(f"'{text}' is no number of microseconds with three decimals")
    whole, _, part = text.partition(".")
    return int(whole) * 1000 + (-1 if whole.startswith("-") else 1) * int((part or "0").ljust(3, "0"))


class Trace:
    """The events of a trace, and what is wrong with them."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.document = json.load(file, parse_float=str)
        self.facts = self.document["seamscope"]
        self.events = self.document["traceEvents"]
        self.problems = []

    def calls(self):
        """How many closed calls each kernel has, by the name of its site."""
        return collections.Counter(event["name"] for event in self.events if event["ph"] == "X")

    def check(self, open_calls=False, abandoned=False, begin_ns=None, end_ns=None):
        problem = self.problems.append
        if self.facts["lost_events"]:
            problem(f"{self.facts['lost_events']} events were lost")
        left = {entry["name"]: entry["calls"] for entry in self.facts["abandoned"]}
        if left and not abandoned:
            problem(f"calls were abandoned, and nothing in the program does that: {left}")
        base = int(self.facts["monotonic_base_ns"])
        threads = collections.defaultdict(list)
        for event in self.events:
            # Where calls are open, which check_event() finds, a mark says how the recording ended.
            if event["ph"] == "M" or (event["ph"] == "i"
                                      and event["name"].startswith("end of recording: ")):
                continue
            if event["ph"] not in ("X", "B"):
                problem(f"an event of kind {event['ph']}: {event}")
                continue
            self.check_event(event, base, begin_ns, end_ns, open_calls, threads)
        for thread, calls in threads.items():
            self.check_nesting(thread, calls)
        return self.problems

    def check_event(self, event, base, begin_ns, end_ns, open_calls, threads):
        problem = self.problems.append
        name = event.get("name")
        if not isinstance(name, str) or not name or re.fullmatch(r"\W*|site \d+|\[.*unknown.*\]",
                                                                 name):
            problem(f"no name: {event}")
        if not event.get("args", {}).get("kernel"):
            problem(f"it belongs to no kernel: {event}")
        try:
            begin = nanoseconds(str(event["ts"]))
            duration = nanoseconds(str(event["dur"])) if event["ph"] == "X" else 0
        except (KeyError, ValueError) as error:
            problem(f"no time ({error}): {event}")
            return
        if event["ph"] == "B" and not open_calls:
            problem(f"a call without an end: {event}")
        if begin < 0 or duration < 0:
            problem(f"a negative time: {event}")
        if begin_ns is not None and base + begin < begin_ns - CLOCK_NS:
            problem(f"it began before its process did: {event}")
        if end_ns is not None and base + begin + duration > end_ns + CLOCK_NS:
            problem(f"it ended after its process did: {event}")
        if event["ph"] == "X":
            threads[event["pid"], event["tid"]].append((begin, -duration, name))

    def check_nesting(self, thread, calls):
        around = []
        for begin, negative, name in sorted(calls):
            end = begin - negative
            while around and around[-1][0] <= begin + ROUNDING_NS and around[-1][0] < end:
                around.pop()
            if around and end > around[-1][0] + ROUNDING_NS:
                self.problems.append(
                    f"thread {thread[1]}: {name} [{begin}, {end}] ns began in {around[-1][1]}, "
                    f"which ended at {around[-1][0]} ns")
            around.append((end, name))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("trace")
    parser.add_argument("--open", action="store_true")
    parser.add_argument("--abandoned", action="store_true")
    parser.add_argument("--begin", type=int)
    parser.add_argument("--end", type=int)
    options = parser.parse_args()
    trace = Trace(options.trace)
    problems = trace.check(options.open, options.abandoned, options.begin, options.end)
    for line in problems[:SHOWN]:
        print(f"{options.trace}: {line}")
    if len(problems) > SHOWN:
        print(f"{options.trace}: {len(problems) - SHOWN} more")
    print(f"{sum(trace.calls().values())} calls")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
