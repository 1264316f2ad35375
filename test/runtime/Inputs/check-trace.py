"""Checks a trace against exact counts.

check-trace.py TRACE calls:NAME=N open:NAME=N abandoned:NAME=N threads:NAME=N lost=N mode=M
               profile:NAME=N profile-threads:NAME=N

Other names must not occur. On each thread calls must be nested or separate.
lost=N-CALLS:NAME, for example lost=1000-calls:f, is 1000 minus the calls of f.
`any` in place of a number checks nothing. @FILE stands for the words in a file.
"""

import collections
import json
import sys


def well_nested(calls):
    """The first two calls of one thread that overlap without nesting, or None."""
    stack = []
    for begin, end, name in sorted(calls, key=lambda c: (c[0], -c[1])):
        while stack and stack[-1][1] <= begin:
            stack.pop()
        if stack and end > stack[-1][1]:
            return stack[-1], (begin, end, name)
        stack.append((begin, end, name))
    return None


def ns(text):
    """Converts microseconds with three decimals, as text, to whole ns."""
    whole, _, rest = text.partition(".")
    return int(whole) * 1000 + int((rest + "000")[:3])


with open(sys.argv[1], encoding="utf-8") as file:
    trace = json.load(file, parse_float=str)

seen = collections.Counter()
threads = collections.defaultdict(set)
by_thread = collections.defaultdict(list)
named = set()
for event in trace["traceEvents"]:
    phase, name, tid = event["ph"], event["name"], event["tid"]
    if phase == "X":
        seen["calls:" + name] += 1
        threads[name].add(tid)
        begin = ns(str(event["ts"]))
        by_thread[tid].append((begin, begin + ns(str(event["dur"])), name))
    elif phase == "B":
        seen["open:" + name] += 1
    elif phase == "i":
        # If calls are open, a mark shows viewers how long they lasted.
        if not event["name"].startswith("end of recording: "):
            sys.exit(f"a mark {event['name']!r}")
    elif phase == "M":
        if name == "thread_name":
            named.add(tid)
        continue
    else:
        sys.exit(f"an event of phase {phase!r}")
    if event["pid"] != trace["seamscope"]["pid"]:
        sys.exit(f"an event of another process: {event}")
for entry in trace["seamscope"]["abandoned"]:
    seen["abandoned:" + entry["name"]] += entry["calls"]
for entry in trace["seamscope"].get("profile", []):
    seen["profile:" + entry["name"]] += entry["calls"]
    threads["profile " + entry["name"]].add(entry["tid"])
    if sum(calls for _, calls in entry["histogram"]) != entry["calls"]:
        sys.exit(f"the histogram does not add up: {entry}")
for entry in trace["seamscope"].get("throttled", []):
    seen["calls:" + entry["name"]] += entry["untimed"]
for name, tids in threads.items():
    profile = name.startswith("profile ")
    seen["profile-threads:" + name[8:] if profile else "threads:" + name] = len(tids)
seen["lost"] = trace["seamscope"]["lost_events"]

problems = []
mentioned = set()
arguments = []
for argument in sys.argv[2:]:
    if argument.startswith("@"):
        with open(argument[1:], encoding="utf-8") as file:
            arguments += file.read().split()
    else:
        arguments.append(argument)
for argument in arguments:
    what, _, value = argument.rpartition("=")
    mentioned.add(what)
    if value == "any":
        continue
    if what == "mode":
        if trace["seamscope"]["mode"] != value:
            problems.append(f"mode is {trace['seamscope']['mode']}")
        continue
    number, _, minus = value.partition("-")
    want = int(number) - (seen[minus] if minus else 0)
    if seen[what] != want:
        problems.append(f"{what}: {want} expected, {seen[what]} found")
for what, count in seen.items():
    if count and what not in mentioned and not what.startswith(("threads:", "profile-threads:")):
        problems.append(f"{what}: none expected, {count} found")
for tid, calls in by_thread.items():
    if tid not in named:
        problems.append(f"thread {tid} has no name")
    overlap = well_nested(calls)
    if overlap:
        problems.append(f"on thread {tid} these overlap: {overlap}")
if problems:
    sys.exit("\n".join(problems))
