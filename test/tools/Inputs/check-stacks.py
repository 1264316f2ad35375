"""Stacks of a random trace against a second, slow implementation.

usage: check-stacks.py SEAMSCOPE
"""

import collections
import gzip
import json
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
# Each overlaps the one before.
overlapping = [{"ph": "X", "cat": "kernel", "name": f"k{i}", "pid": 1, "tid": 7, "ts": 10 * i, "dur": 15}
               for i in range(6)]
with open("random.json", "w", encoding="utf-8") as file:
    json.dump({"traceEvents": events + overlapping}, file)


def ns(us):
    return round(us * 1000)


def expected():
    """Each event's own time: by each ns, the innermost call that has it."""
    own = collections.Counter()
    for tid in (1, 2):
        calls = [event for event in events if event["tid"] == tid]
        for moment in range(3000):
            stack = sorted((event for event in calls if ns(event["ts"]) <= moment < ns(event["ts"] + event["dur"])),
                           key=lambda event: (ns(event["ts"]), -ns(event["dur"]), calls.index(event)))
            if stack:
                own[";".join([f"thread {tid}", *(event["name"].replace(";", ":") for event in stack)])] += 1
    for event in overlapping:
        own[f"thread 7;{event['name']}"] += ns(event["dur"])
    return own


subprocess.run([tool, "convert", "random.json", "random.folded.gz"], timeout=60, check=True)
with gzip.open("random.folded.gz", "rt", encoding="utf-8") as file:
    lines = [line.rstrip("\n").rpartition(" ") for line in file]
found = {stack: int(count) for stack, _, count in lines}
assert len(found) == len(lines)
wanted = expected()
assert found == wanted, [(key, found.get(key), wanted[key]) for key in wanted if found.get(key) != wanted[key]][:5]

subprocess.run([tool, "convert", "random.json", "random.speedscope.json"], timeout=60, check=True)
with open("random.speedscope.json", encoding="utf-8") as file:
    view = json.load(file)
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
