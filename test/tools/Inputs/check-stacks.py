"""Stacks of a random trace against a second, slow implementation.

usage: check-stacks.py SEAMSCOPE
"""

import collections
import gzip
import json
import os
import random
import subprocess
import sys

tool = sys.argv[1]
random.seed(11)


def nested(events, tid, begin, end, depth):
    """Calls that fill some of [begin, end)."""
    at = begin
    while at < end and depth < 6:
        first = random.randint(at, end)
        last = random.randint(first, end)
        name = random.choice(["a", "b;c", "d e", "<x>"])
        events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": tid, "ts": first / 1000,
                       "dur": (last - first) / 1000})
        nested(events, tid, first, last, depth + 1)
        at = last + 1


events = []
for tid in (1, 2):
    nested(events, tid, 0, 3000, 0)
# A profiler's step begins inside one call and ends inside another (by more than the rounding of writers of whole us).
events += [{"ph": "X", "cat": category, "name": name, "pid": 1, "tid": 3, "ts": begin, "dur": end - begin}
           for category, name, begin, end in (
               ("python_function", "main", 0, 60), ("python_function", "before", 1, 10),
               ("user_annotation", "ProfilerStep#1", 5, 45), ("python_function", "work", 12, 32),
               ("cpu_op", "aten::mm", 14, 17), ("python_function", "after", 41, 50),
               ("user_annotation", "ProfilerStep#2", 46, 58), ("python_function", "work", 51, 57))]
# The profiler's own record is not a call.
record = {"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": 1, "tid": "PyTorch Profiler",
          "ts": 0, "dur": 60}
# Each overlaps the previous one.
overlapping = [{"ph": "X", "cat": "kernel", "name": f"k{i}", "pid": 1, "tid": 7, "ts": 10 * i, "dur": 15}
               for i in range(6)]
with open("random.json", "w", encoding="utf-8") as file:
    json.dump({"traceEvents": events + overlapping + [record]}, file)


def ns(us):
    return round(us * 1000)


def expected():
    """For each ns, the call that began last, in all that contain it."""
    own = collections.Counter()
    for tid in {event["tid"] for event in events + overlapping}:
        calls = sorted((event for event in events + overlapping if event["tid"] == tid),
                       key=lambda event: (ns(event["ts"]), -ns(event["dur"])))
        spans = [(ns(event["ts"]), ns(event["ts"] + event["dur"])) for event in calls]
        for moment in range(min(begin for begin, _ in spans), max(end for _, end in spans)):
            last = max((i for i, (begin, end) in enumerate(spans) if begin <= moment < end), default=None)
            if last is None:
                continue
            stack = [event["name"].replace(";", ":") for event, (begin, end) in zip(calls[:last], spans)
                     if begin <= spans[last][0] and spans[last][1] <= end and spans[last][0] < end]
            own[";".join([f"thread {tid}", *stack, calls[last]["name"].replace(";", ":")])] += 1
    return own


subprocess.run([tool, "convert", "random.json", "random.folded.gz"], timeout=60, check=True)
with gzip.open("random.folded.gz", "rt", encoding="utf-8") as file:
    lines = [line.rstrip("\n").rpartition(" ") for line in file]
found = {stack: int(count) for stack, _, count in lines}
assert len(found) == len(lines)
wanted = expected()
assert found == wanted, [(key, found.get(key), wanted[key]) for key in wanted if found.get(key) != wanted[key]][:5]

# The page's flame graph by Python stack has the same times, summed over threads.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "html"))
import real_page  # noqa: E402

doc, _ = real_page.make(tool, ["report", "random.json"], "random.html")
calls, view = next(item for item in real_page.items(doc) if item.get("kind") == "flame")["data"]["views"]
assert view["title"] == "By Python stack", view["title"]
paths, flame = [], collections.Counter()
for parent, name, own in zip(view["parent"], view["name"], view["self"]):
    paths.append((paths[parent] if parent >= 0 else "") + ";" + view["names"][name].replace(";", ":"))
    flame[paths[-1]] += own
by_stack = collections.Counter()
for stack, count in wanted.items():
    by_stack[stack[stack.index(";"):]] += count
assert +flame == +by_stack, (+flame - by_stack, by_stack - flame)
# Without frames, a step is not shorter: it has the time that they took from it.
steps = sum(own for name, own in zip(calls["name"], calls["self"]) if calls["names"][name] == "ProfilerStep#1")
assert steps == 40000 - 3000, steps

subprocess.run([tool, "convert", "random.json", "random.speedscope.json"], timeout=60, check=True)
with open("random.speedscope.json", encoding="utf-8") as file:
    view = json.load(file)
view["profiles"] = [profile for profile in view["profiles"] if "PyTorch" not in profile["name"]]
frames = [frame["name"] for frame in view["shared"]["frames"]]
total = collections.Counter()
for profile in view["profiles"]:
    assert profile["type"] == "evented" and profile["unit"] == "nanoseconds", profile
    stack, now = [], profile["startValue"]
    for event in profile["events"]:
        assert event["at"] >= now, event
        now = event["at"]
        if event["type"] == "O":
            stack.append((event["frame"], now))
        else:
            frame, begin = stack.pop()
            assert frame == event["frame"], event
            total[profile["name"].partition(",")[0], frames[frame]] += now - begin
    assert not stack and now <= profile["endValue"]
wanted = collections.Counter()
for event in events + overlapping:
    wanted[f"thread {event['tid']}", event["name"]] += ns(event["dur"])
assert +total == +wanted, (total, wanted)
# 15 of each 10 us: two lanes.
assert sum(profile["name"].startswith("thread 7") for profile in view["profiles"]) == 2
print(f"{len(lines)} stacks, {len(view['profiles'])} profiles")
