"""Edits a source, and compares the places that `seamscope diff` matches with what the edits did.

Lines carry their identity through the edits, so that it is known which loop of one version is which
of the other; difflib is a second opinion where lines keep their order. Traces are made from the
texts: kernels are functions, and loops, regions and waits stand where the text has them.

usage: diff-versions.py SEAMSCOPE SOURCE FOLDER
"""

import difflib
import itertools
import json
import os
import random
import re
import subprocess
import sys

seamscope, source, folder = sys.argv[1:]
names = itertools.count()


class Line:
    def __init__(self, text):
        self.text = text
        self.id = next(names)


def lines_of(text):
    return [Line(each) for each in text.rstrip("\n").split("\n")]


class Version:
    """Places of a text: (kernel, kind, line object, column)."""

    def __init__(self, name, lines):
        self.path = os.path.join(folder, name, "src", "heat.cpp")
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path, "w") as f:
            f.write("".join(line.text + "\n" for line in lines))
        self.lines = lines
        self.events = []
        self.at = {}  # (line number, column) -> identity of the line, and which of those on it
        clock = 0
        for name_, first, last in self.functions():
            clock = self.function(name_, first, last, clock) + 10
        self.trace = os.path.join(folder, name, "trace.json")
        with open(self.trace, "w") as f:
            json.dump(self.events, f)

    def functions(self):
        """Those that begin and end in the first column."""
        first = None
        for number, line in enumerate(self.lines, 1):
            head = re.match(r"[\w_].*?([\w:]+)\(.*\{$", line.text)
            if head and not line.text.startswith(("namespace", "struct")):
                name, first = head[1], number
            elif line.text == "}" and first:
                yield name, first, number
                first = None

    def add(self, kind, name, number, column, begin, ns, **args):
        self.events.append(
            {"ph": "X", "cat": kind, "name": name, "pid": 1, "tid": 1, "ts": begin, "dur": ns,
             "args": {"file": "/build/src/heat.cpp", "line": number, **args}})
        if column:
            self.events[-1]["args"]["column"] = column

    def function(self, name, first, last, begin):
        """Each place takes 1 us, plus its contents; lines further right are inside the lines before."""
        mine = len(self.events)
        self.add("cpu_op", name, first, 0, begin, 0, kernel=name)
        open_ = [(-1, self.events[-1])]
        clock = begin + 1
        for number in range(first + 1, last):
            text = self.lines[number - 1].text
            if re.match(r"#pragma omp parallel", text):
                found = [(0, "omp_region", "parallel")]
            elif wait := re.match(r"#pragma omp (critical|barrier)", text):
                found = [(0, "omp_wait", wait[1])]
            else:
                found = [(m.start(), "loop", "loop") for m in re.finditer(r"for \(", text)]
            for column, kind, word in found:
                # A region contains everything that follows in its function.
                depth = 0.5 if kind == "omp_region" else column + 1
                while kind != "omp_wait" and open_[-1][0] >= depth:
                    open_.pop()
                args = {"kernel": name}
                if kind == "omp_wait":
                    args["construct"] = word
                if kind == "omp_region":
                    args["thread"] = 0
                self.add(kind, f"{name} [{word} heat.cpp:{number}]", number, column + 1, clock, 0,
                         **args)
                nth = sum(1 for at in self.at if at[0] == number)
                self.at[(number, column + 1)] = (self.lines[number - 1].id, nth)
                for _, around in open_:
                    around["dur"] = clock + 1 - around["ts"]
                self.events[-1]["dur"] = 1
                if kind != "omp_wait":
                    open_.append((depth, self.events[-1]))
                clock += 1
        for event in self.events[mine:]:
            event["dur"] = max(event["dur"], 1)
        return clock


def find(lines, text, nth=0):
    return [i for i, line in enumerate(lines) if text in line.text][nth]


def block(lines, name):
    """A function, with the lines above it up to a blank line."""
    first = next(i for i, line in enumerate(lines) if re.match(rf"[\w_].*\b{name}\(.*{{$", line.text))
    while first and lines[first - 1].text:
        first -= 1
    last = first
    while lines[last].text != "}":
        last += 1
    return slice(first, last + 1)


def insert(at, text, nth=0):
    def edit(lines):
        i = find(lines, at, nth)
        return lines[:i] + lines_of(text) + lines[i:]
    return edit


def delete(at, count, nth=0):
    def edit(lines):
        i = find(lines, at, nth)
        return lines[:i] + lines[i + count:]
    return edit


def replace(old, new, nth=0):
    def edit(lines):
        i = find(lines, old, nth)
        return lines[:i] + [Line(lines[i].text.replace(old, new))] + lines[i + 1:]
    return edit


def move(name, behind):
    def edit(lines):
        cut = block(lines, name)
        part, rest = lines[cut], lines[:cut.start] + lines[cut.stop:]
        at = block(rest, behind).stop
        return rest[:at] + [Line("")] + part + rest[at:]
    return edit


def swap(first, count1, second, count2):
    def edit(lines):
        a, b = find(lines, first), find(lines, second)
        return (lines[:a] + lines[b:b + count2] + lines[a + count1:b] + lines[a:a + count1] +
                lines[b + count2:])
    return edit


def indent(name):
    """Moves into another loop: all lines of the body move right, and stay the same."""
    def edit(lines):
        cut = block(lines, name)
        part = lines[cut]
        head = next(i for i, line in enumerate(part) if line.text.endswith("{"))
        for line in part[head + 1:-1]:
            if not line.text.startswith("#"):
                line.text = "  " + line.text
        part = part[:head + 1] + lines_of("  for (int round = 0; round < 2; ++round) {") + \
            part[head + 1:-1] + lines_of("  }") + part[-1:]
        return lines[:cut.start] + part + lines[cut.stop:]
    return edit


def rename(old, new):
    def edit(lines):
        return [Line(line.text.replace(old + "(", new + "(")) if re.search(rf"\b{old}\(", line.text)
                else line for line in lines]
    return edit


ADDED = "  for (int extra = 0; extra < 9; ++extra)\n    work(extra);"
SECOND = "      mine[size_t((g.v[k] - lo) * scale)]++;"
EDITS = {
    "nothing": [],
    "lines above": [insert("namespace heat", "// a\n// b\n// c")],
    "line in a function": [insert("double sum = 0", "  // sums")],
    "lines between loops": [insert("double scale", "  // a\n  // b\n  // c\n  // d")],
    "lines everywhere": [insert("double sum = 0", "  //"), insert("double scale", "  //\n  //"),
                         insert("int main", "//"), insert("// 5-point", "//\n")],
    "lines deleted": [delete("#include <sys/wait.h>", 2), delete("// L2 norm", 1)],
    "function moved down": [move("stencil", "source")],
    "function moved up": [move("sweep", "stencil")],
    "functions moved, lines added": [move("source", "statistics"), move("stencil", "sweep"),
                                     insert("// L2 norm", "// x\n// y")],
    "first loop added": [insert("double s = 0", ADDED, 1)],
    "loop added behind": [insert("return s;", ADDED, 1)],
    "loop added between": [insert("double scale", ADDED)],
    "two loops added": [insert("double scale", ADDED), insert("return std::sqrt", ADDED)],
    "loop removed": [delete("for (size_t b = 0", 2)],
    "first of several removed": [delete("for (size_t k = 0; k < g.v", 4)],
    "second of several removed": [delete("for (size_t k = 0; k < g.v", 2, 1)],
    "inner loop removed": [delete("for (int j = n / 4", 1)],
    "loop nest removed": [delete("for (int i = n / 4", 3)],
    "function removed": [lambda lines: lines[:block(lines, "source").start] +
                         lines[block(lines, "source").stop:]],
    "loop removed, another added": [delete("for (size_t b = 0", 2), insert("double s = 0", ADDED, 1)],
    "one removed and one added in a function": [delete("for (size_t k = 0; k < g.v", 4),
                                                insert("#pragma omp critical(merge)", ADDED)],
    "loops swapped": [swap("#pragma omp for", 5, "#pragma omp for nowait", 3)],
    "body changed": [replace("double d = a.v[k] - b.v[k]", "double d = b.v[k] - a.v[k]")],
    "header changed": [replace("for (int j = 1; j < i", "for (int j = 2; j < i")],
    "schedule changed": [replace("parallel for schedule(static)", "parallel for schedule(guided)")],
    "body indented in a loop": [indent("stencil")],
    "function renamed": [rename("source", "heating")],
    "function renamed and moved": [rename("source", "heating"), move("heating", "sweep")],
    "two functions renamed": [rename("source", "heating"), rename("residual", "change_of")],
    "two loops on one line": [insert("double s = 0", "  for (int p = 0; p < 2; ++p) work(p); "
                                     "for (int q = 0; q < 2; ++q) work(q + 1);", 1)],
}
# By order alone, a removed loop and an added one look like one loop.
BOTH = {"loop removed, another added", "one removed and one added in a function", "loops swapped"}


def diff(before, after, with_sources):
    command = [seamscope, "diff", "--json", before.trace, after.trace]
    if with_sources:
        for letter, side in ("a", before), ("b", after):
            command += [f"--source-{letter}", os.path.dirname(os.path.dirname(side.path))]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def identity(side, source_):
    return side.at.get((source_["line"], source_["column"])) if source_ else None


def check(title, before, after, with_sources):
    """The number of pairs, and of ambiguous rows."""
    told = diff(before, after, with_sources)
    ids = set(before.at.values()), set(after.at.values())
    counts = {"pairs": 0, "ambiguous": 0}
    for row in told["places"]:
        if row["kind"] not in ("loop", "region", "wait"):
            continue
        a, b = identity(before, row["a_source"]), identity(after, row["b_source"])
        where = f"{title}, {'with' if with_sources else 'without'} sources: {row}"
        if row["match"] == "ambiguous":
            counts["ambiguous"] += 1
            if os.environ.get("VERBOSE") and with_sources:
                print(row["name"], row["b_name"], row["a_source"], row["b_source"])
            assert row["ratio"] is None, where
            continue
        if a and b:
            counts["pairs"] += 1
            # A changed line has a new identity, and is in its old place.
            survives = a in ids[1] or b in ids[0]
            assert a == b if survives else row["match"] != "source", where
        else:
            # It was there and is gone, or the other way round.
            assert a not in ids[1] if a else b not in ids[0], where
    # The places of one kernel add up.
    for letter in "ab":
        for row in told["places"]:
            if row["kind"] == "kernel":
                mine = sum(each[f"{letter}_self_ns"] or 0 for each in told["places"]
                           if each["kernel"] == row["kernel"])
                assert mine == row[f"{letter}_ns"], (title, row, mine)
    assert sum(row["delta_ns"] for row in told["rows"]) == told["total_delta_ns"], title
    if with_sources:
        assert counts["pairs"] + counts["ambiguous"] >= len(ids[0] & ids[1]), (title, counts)
    return counts


def second_opinion(title, before, after):
    """difflib also follows lines; lines that it keeps in order must be kept here."""
    texts = [[line.text for line in side.lines] for side in (before, after)]
    kept = {}
    for block_ in difflib.SequenceMatcher(None, *texts, autojunk=False).get_matching_blocks():
        for i in range(block_.size):
            kept[block_.a + i + 1] = block_.b + i + 1
    agree = 0
    for row in diff(before, after, True)["places"]:
        if row["match"] == "source" and row["a_source"] and row["b_source"]:
            agree += kept.get(row["a_source"]["line"]) == row["b_source"]["line"]
    return agree


with open(source) as f:
    original = f.read()
total = {True: {"pairs": 0, "ambiguous": 0}, False: {"pairs": 0, "ambiguous": 0}}
for title, edits in EDITS.items():
    lines = lines_of(original)
    before = Version("a", list(lines))
    after_lines = list(lines)
    for edit in edits:
        after_lines = edit(after_lines)
    after = Version("b", after_lines)
    for with_sources in True, False:
        if not with_sources and title in BOTH:
            continue
        counts = check(title, before, after, with_sources)
        if os.environ.get("VERBOSE"):
            print(title, with_sources, counts)
        for key, value in counts.items():
            total[with_sources][key] += value
    if not any(word in title for word in ("moved", "swapped", "indented")):
        pairs = sum(1 for row in diff(before, after, True)["places"] if row["match"] == "source")
        assert second_opinion(title, before, after) == pairs, title

# Any number of edits at once, of those that keep the order of a function's loops.
chance = random.Random(5)
for round_ in range(40):
    lines = lines_of(original)
    before = Version("a", list(lines))
    after_lines = list(lines)
    chosen = chance.sample([k for k in EDITS if "two loops" not in k and "indent" not in k], 3)
    try:
        for title in chosen:
            for edit in EDITS[title]:
                after_lines = edit(after_lines)
    except (IndexError, StopIteration):
        continue  # an edit of what another one took away
    after = Version("b", after_lines)
    for key, value in check(" + ".join(chosen), before, after, True).items():
        total[True][key] += value
print(total)
# With the sources, all or nearly all is certain; without them, most is.
assert total[True]["ambiguous"] * 50 <= total[True]["pairs"], total
assert total[False]["ambiguous"] * 10 <= total[False]["pairs"], total
