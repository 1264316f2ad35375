"""compare-both.py OURS THEIRS: what Seamscope's bridge recorded beside torch.profiler's trace.

Inside the stretch that torch.profiler watched, every operator, autograd node and annotation of its
trace is in ours and the other way round, with the same inputs, sequence numbers and threads; the
clocks agree within 1 us; forward and backward are linked alike.
"""

import collections
import json
import statistics
import sys

KEYS = ("Input Dims", "Input type", "Input Strides", "Concrete Inputs", "Sequence number",
        "Fwd thread id")


def read(path):
    with open(path, encoding="utf-8") as file:
        trace = json.load(file)
    base = trace["baseTimeNanoseconds"]
    events = []
    for event in trace["traceEvents"]:
        if event["ph"] == "X" and event.get("cat") in ("cpu_op", "user_annotation"):
            begin = base + round(event["ts"] * 1000)
            events.append({"name": event["name"], "cat": event["cat"], "tid": event["tid"],
                           "begin": begin, "end": begin + round(event["dur"] * 1000),
                           "args": event.get("args", {})})
    flows = collections.defaultdict(dict)
    for event in trace["traceEvents"]:
        if event.get("cat") == "fwdbwd":
            flows[event["id"]][event["ph"]] = (event["tid"], base + round(event["ts"] * 1000))
    return events, [flow for flow in flows.values() if len(flow) == 2]


def kind(event):
    # torch.profiler has "unknown" for a name that is not ASCII.
    name = event["name"] if event["name"].isascii() else "unknown"
    return (name, event["cat"], event["tid"],
            json.dumps([event["args"].get(key) for key in KEYS]))


ours, our_flows = read(sys.argv[1])
theirs, their_flows = read(sys.argv[2])


def between_marks(events):
    """What lies between the program's two annotations, and where those begin and end."""
    first, = (e["begin"] for e in events if e["name"] == "both record from here")
    last, = (e["end"] for e in events if e["name"] == "both record up to here")
    return [e for e in events if first <= e["begin"] and e["end"] <= last], first, last


# torch.profiler watches the thread that started it and those it hands work to.
watched = {e["tid"] for e in theirs}
inside, first, last = between_marks(ours)
inside = [e for e in inside if e["tid"] in watched]
if len(between_marks(theirs)[0]) != len(theirs):
    sys.exit("torch.profiler recorded events outside of the program's marks")
wrong = []
count = {"ours": collections.Counter(map(kind, inside)),
         "theirs": collections.Counter(map(kind, theirs))}
for what in sorted(set(count["ours"]) | set(count["theirs"])):
    if count["ours"][what] != count["theirs"][what]:
        wrong.append(f"{count['ours'][what]} of ours, {count['theirs'][what]} of theirs: {what}")

# The same calls in the same order on each thread: their ends differ by what the two observers take.
ends, begins = [], []
for tid in {e["tid"] for e in theirs}:
    pair = [sorted((e for e in side if e["tid"] == tid), key=lambda e: (e["begin"], -e["end"]))
            for side in (inside, theirs)]
    if len(pair[0]) == len(pair[1]):
        ends += [abs(b["end"] - a["end"]) for a, b in zip(*pair)]
        begins += [abs(b["begin"] - a["begin"]) for a, b in zip(*pair)]
if not ends or statistics.median(ends) > 1000:
    wrong.append(f"ends lie {statistics.median(ends or [0])} ns apart")


def names(events, flows):
    at = {(e["tid"], e["begin"]): e["name"] for e in events}
    return collections.Counter((at.get(f["s"]), at.get(f["f"])) for f in flows)


if names(inside, [f for f in our_flows if first <= f["s"][1] <= last]) != \
        names(theirs, their_flows):
    wrong.append("forward and backward are linked otherwise")
if len(theirs) < 1000 or len(their_flows) < 30:
    wrong.append(f"{len(theirs)} events and {len(their_flows)} links only")
if wrong:
    sys.exit("\n".join(wrong[:40]))
print(f"{len(theirs)} events, {len(their_flows)} links; ends {statistics.median(ends):.0f} ns and "
      f"begins {statistics.median(begins):.0f} ns apart in the middle")
