"""Reads the samples of a trace: shares no code with the tools."""

import bisect
import gzip
import itertools
import json


class Samples:
    """The entry of one process, with times of CLOCK_MONOTONIC."""

    def __init__(self, trace, entry):
        self.base = base = trace["seamscope"]["monotonic_base_ns"]
        self.entry = entry
        self.state = entry["state"]
        self.pid = entry["pid"]
        if self.state != "on":
            return
        self.begin, self.until = entry["begin_ns"] + base, entry["until_ns"] + base
        self.spans = [(t["tid"], t["from_ns"] + base, t["to_ns"] + base, t["name"]) for t in entry["threads"]]
        add = lambda column: list(itertools.accumulate(column))
        columns = entry["samples"]
        self.samples = list(zip(add(columns["tid"]), [base + ns for ns in add(columns["ns"])],
                                add(columns["address"]), strict=True))
        off = entry["off"]
        self.off = {}
        for tid, begin, length, ns, kind, wait in zip(
                add(off["tid"]), add(off["begin_ns"]), off["length_ns"], off["off_ns"], off["kind"], off["wait"],
                strict=True):
            assert 0 <= ns <= length and length > 0 and 2 <= kind <= 4, (ns, length, kind)
            self.off.setdefault(tid, []).append((begin + base, begin + base + length, ns, kind, wait))
        for stretches in self.off.values():
            stretches.sort()
            for first, second in zip(stretches, stretches[1:]):
                assert first[1] <= second[0], f"{first} and {second} overlap"
        self.modules = entry["modules"]
        self.waits = {wait["id"]: wait for wait in entry["waits"]}

    def off_ns(self, tid, begin, end, kinds=(2, 3, 4)):
        """Time in which the thread did not run."""
        total = 0
        for first, last, ns, kind, _ in self.off.get(tid, []):
            inside = min(last, end) - max(first, begin)
            if inside > 0 and kind in kinds:
                total += ns * inside / (last - first)
        return total

    def module_of(self, ns, address):
        """The path of the file that was mapped there."""
        found = [m for m in self.modules if m["begin"] <= address < m["end"] and m["from_ns"] + self.base <= ns]
        return max(found, key=lambda m: m["from_ns"])["path"] if found else None


def read(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        trace = json.load(file)
    return [Samples(trace, entry) for entry in trace["seamscope_samples"]]
