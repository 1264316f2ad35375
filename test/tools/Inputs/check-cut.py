"""check-cut.py SEAMSCOPE SCRATCH [--all] INPUT...: the report of a cut is that of the whole with the same part.

An INPUT is a trace of any format, a folder that is taken with --rank, or a folder of traces, whose name
then ends in "/". Each is cut by windows and steps, and reports of the cut and of the whole are compared
in all faces. Both files have one name, in folders of their own, and one size, for which white space is
put behind the smaller one. --all: more parts of each, and all faces.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import csv
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import zlib

tool, scratch, *inputs = sys.argv[1:]
ALL = inputs[0] == "--all"
if ALL:
    inputs.pop(0)
FACES = {"text": ["-w", "120"], "json": ["--json"], "page": ["--html", "-o", "-"]}
if ALL:
    FACES.update({"loops": ["-w", "120", "--loops", "--top", "all"], "csv": ["--csv"]})
GROUPS = ["kernel", "op+shape", "category", "stream", "step", "annotation", "line", "stack", "module"]


def run(folder, *words):
    """Status and what is printed. What it complains of names other files, other places in them."""
    done = subprocess.run([tool, *words], cwd=folder, capture_output=True, timeout=120)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def content(path):
    """Decompressed; as it stands if it is compressed and damaged."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except (EOFError, OSError, zlib.error):
        return data


def calls(path):
    """Begin and end in ns and name of each call that the tool reads, by its own CSV."""
    table = os.path.join(scratch, "calls.csv")
    run(".", "convert", path, table)
    if not os.path.exists(table):
        return []
    with open(table, encoding="utf-8", errors="replace", newline="") as file:
        rows = list(csv.DictReader(file))
    os.remove(table)
    return [(int(row["begin_ns"]), int(row["begin_ns"]) + int(row["duration_ns"]), row["name"]) for row in rows]


def parts(path):
    """Words that name parts: of the middle, of both ends, through the middle of the longest call, a
    single point; all of it; steps."""
    found = calls(path)
    if not found:
        return [["--window", "1us..2us"]]
    first, last = min(call[0] for call in found), max(call[1] for call in found)
    long = last - first
    windows = {(long // 4, long * 3 // 4), (long // 3, long // 3 + 1), (0, long // 2), (long // 2, long)}
    for begin, end, _ in sorted(found, key=lambda call: call[0] - call[1])[:2]:
        middle = (begin + end) // 2 - first
        windows |= {(max(middle - long // 10, 0), middle), (middle, middle + long // 10)}
    # At the very begin and end of calls.
    for begin, end, _ in sorted(found)[len(found) // 2:][:1]:
        windows |= {(begin - first, end - first), (end - first, long)}
    words = [["--window", f"{begin}ns..{end}ns"] for begin, end in sorted(windows) if begin < end]
    if not ALL:
        words = words[1::3]
    words.append(["--window", ".."])
    steps = sorted({int(name[13:]) for _, _, name in found if re.fullmatch(r"ProfilerStep#\d{1,9}", name)})
    words += [["--step", str(number)] for number in steps[1:2 + ALL]]
    return words


def plain(face, out, sized):
    """Without what the size of the file is, where that could not be made equal."""
    if sized or face not in ("json", "page", "by json"):
        return out
    return re.sub(rb'"bytes":\s*\d+', b'"bytes":0', out)


def difference(one, other):
    """Where two texts begin to differ."""
    at = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    return f"at {at}:\n{one[max(at - 200, 0):at + 200]!r}\n{other[max(at - 200, 0):at + 200]!r}"


def compare(name, part, sized, folders, faces):
    """Reports of the whole, with the words of the part, and of the cut, without."""
    for face, words in faces.items():
        one, other = (run(folder, "report", *words, *more, name) for folder, more in zip(folders, (part, [])))
        assert bool(one[1]) == bool(other[1]), (name, part, face, one[2], other[2])
        texts = [plain(face, each[1], sized) for each in (one, other)]
        assert texts[0] == texts[1], f"{name} {part} {face}: {difference(*texts)}"


def check(path):
    """Cuts one trace. The number of its parts that were compared."""
    name = os.path.basename(path)
    whole, cut = (os.path.join(scratch, folder) for folder in ("whole", "cut"))
    for folder in (whole, cut):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    data = content(path)
    is_json = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
    name = name.removesuffix(".gz") if is_json else "trace"
    with open(os.path.join(whole, name), "wb") as file:
        file.write(data)
    made = name if name.endswith(".json") else name + ".json"
    count, twice = 0, False
    for part in parts(os.path.join(whole, name)):
        target = os.path.join(cut, made)
        if os.path.exists(target):
            os.remove(target)
        status, _, said = run(whole, "convert", *part, name, target)
        asked = run(whole, "report", *part, name)
        # A whole that is damaged gives 1, and a cut of what could be read.
        if not os.path.exists(target):
            assert status and not asked[1], (name, part, status, said, asked)
            continue
        assert status in (0, 1), (name, part, status, said)
        text = content(target)
        json.loads(text.decode("utf-8"), parse_constant=lambda word: sys.exit(f"{name}: {word} in a cut"))
        if made != name:
            os.rename(target, os.path.join(cut, name))
        # A file of one size, whichever is larger.
        damaged = run(whole, "report", name)[0] == 1
        sized = is_json and not damaged
        if sized:
            size = max(len(data), len(text))
            for folder, bytes_of in ((whole, data), (cut, text)):
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(bytes_of + b" " * (size - len(bytes_of)))
        compare(name, part, sized, (whole, cut), FACES)
        if not count:
            compare(name, part, sized, (whole, cut),
                    {f"by {group}": ["--by", group] for group in GROUPS})
        # What is cut out of a cut, if anything is in it.
        if not twice and count and sized and json.loads(text)["traceEvents"]:
            twice = True
            again = os.path.join(scratch, "again")
            shutil.rmtree(again, ignore_errors=True)
            os.makedirs(again)
            status, _, said = run(cut, "convert", "--window", "..", name, os.path.join(again, made))
            assert status == 0, (name, part, said)
            os.rename(os.path.join(again, made), os.path.join(again, name))
            one = json.loads(run(cut, "report", "--json", "--window", "..", name)[1])
            other = json.loads(run(again, "report", "--json", name)[1])
            for each in (one, other):
                each["trace"].pop("bytes")
            assert one == other, (name, part, "twice")
        if sized:
            with open(os.path.join(whole, name), "wb") as file:
                file.write(data)
        count += 1
    return count


def check_ranks(folder):
    """Each rank's trace is taken whole, as it stands, and its parts like those of any trace. One may be
    damaged: of it what can be read is taken."""
    names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    for rank, name in enumerate(names):
        out = os.path.join(scratch, "rank.json")
        status, _, said = run(".", "convert", "--rank", str(rank), folder, out)
        damaged = run(folder, "report", name)[0]
        assert status == damaged, (folder, rank, said)
        assert damaged or content(out) == content(os.path.join(folder, name)), (folder, rank)
        for part in parts(out)[:2]:
            os.remove(out)
            status, _, said = run(".", "convert", "--rank", str(rank), *part, folder, out)
            one = run(".", "report", "--json", "--rank", str(rank), *part, folder)[1]
            if not os.path.exists(out):
                assert damaged and status and not one, (folder, rank, status, said)
                continue
            assert status == damaged, (folder, rank, said)
            one, other = json.loads(one), json.loads(run(".", "report", "--json", out)[1])
            for each in (one, other):
                each["trace"].pop("bytes")
                each["trace"].pop("path")
            assert one == other, (folder, rank, part)
    return len(names)


def show(path, kind, of):
    """Checks one input; what fails does not keep the others from being checked."""
    try:
        print(f"{os.path.basename(path)}: {of(path)} {kind}", flush=True)
    except AssertionError as failure:
        print(f"{path}: {failure}", file=sys.stderr, flush=True)
        return 1
    return 0


os.makedirs(scratch, exist_ok=True)
scratch = os.path.abspath(scratch)
failures = 0
for each in inputs:
    if each.endswith("/"):
        for at, _, names in sorted(os.walk(each)):
            for inner in sorted(names):
                failures += show(os.path.join(at, inner), "parts", check)
    elif os.path.isdir(each):
        failures += show(each, "ranks", check_ranks)
    else:
        failures += show(each, "parts", check)
sys.exit(failures > 0)
