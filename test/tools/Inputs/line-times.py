"""Compares the lines of `seamscope source` with the trace alone: a moment of a thread belongs to the line of the
open event that began last. line-times.py TRACE KERNEL SOURCE-TEXT"""
import json, re, sys
from collections import Counter, defaultdict

KINDS = ("cpu_op", "omp_region", "loop", "omp_wait", "omp_task")


def events_of(path):
    data = json.load(open(path))
    for event in data["traceEvents"] if isinstance(data, dict) else data:
        if event.get("ph") == "X" and event.get("cat") in KINDS and "kernel" in event.get("args", {}):
            begin = round(event["ts"] * 1000)
            yield begin, begin + round(event["dur"] * 1000), event


def own_times(path, kernel):
    """By file and line."""
    tracks = defaultdict(list)
    for begin, end, event in events_of(path):
        tracks[event["pid"], event["tid"]].append((begin, end, event))
    times = Counter()
    for events in tracks.values():
        events.sort(key=lambda e: (e[0], -e[1]))
        stack = []  # end, place, the kernel around
        left = None
        for begin, end, event in events:
            while stack and (stack[-1][0] <= begin or stack[-1][0] < end):
                left = stack[-1][2] if stack[-1][3] == "omp_region" else left
                stack.pop()
            kind, args = event["cat"], event["args"]
            around = stack[-1][2] if stack else left if kind == "omp_task" else None
            if kind in ("cpu_op", "omp_region"):
                around = args["kernel"]
            place = args.get("file"), args.get("line")
            if stack and stack[-1][2]:
                times[stack[-1][2], stack[-1][1]] -= end - begin
            if around:
                times[around, place] += end - begin
            stack.append((end, place, around, kind))
    return {place: ns for (name, place), ns in times.items() if name == kernel}


def ns_of(text):
    number, unit = text.split()
    return float(number) * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[unit]


def check(path, kernel, shown):
    times = own_times(path, kernel)
    file = next(event["args"]["file"] for _, _, event in events_of(path)
                if event["cat"] == "cpu_op" and event["args"]["kernel"] == kernel)
    lines, sum_said = {}, None
    for line in open(shown):
        if match := re.match(r"lines: (\S+ \w+) of all threads", line):
            sum_said = ns_of(match[1])
        elif match := re.match(r" *([\d.]+ [mu]?s|[\d.]+ ns) +[\d.]+ % +(\d+)  ", line):
            lines[int(match[2])] = ns_of(match[1])
    expected = {line: ns for (of, line), ns in times.items() if of == file}
    assert lines.keys() == expected.keys(), (lines, expected)
    for line, ns in expected.items():
        assert abs(lines[line] - ns) <= max(0.006 * ns, 1), (line, lines[line], ns)
    total = sum(expected.values())
    assert abs(sum_said - total) <= max(0.006 * total, 1), (sum_said, total)
    print(f"{len(lines)} lines add up to {total} ns")


check(*sys.argv[1:])
