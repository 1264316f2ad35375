"""check-augment.py SEAMSCOPE SCRATCH TRACE...: augments traces and checks the result.

Without the additions, the result is the input, byte for byte, if that is JSON; a second time changes nothing;
reports stay the same; and JSON readers see the input's events with keys added. The output is JSON even if the
input is not, with the events that can be kept in part.
"""

import gzip
import json
import os
import re
import subprocess
import sys

tool, scratch, *traces = sys.argv[1:]
os.makedirs(scratch, exist_ok=True)
VALUE = rb'(?:"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*)'
KEYS = rb'"seamscope_[a-z_]+": ' + VALUE
MORE = rb'(?:, "(?:seamscope_[a-z_]+|kernel_flop|kernel_num_gb)": ' + VALUE + rb")*"
ADDED = KEYS + MORE


def without(text, before):
    """The text without what augment adds: members alone, after others, or with their `args`.

    The input decides between the last one and `args` that were empty.
    """
    kept, done = [], 0
    for found in re.finditer(ADDED, text):
        begin, end = found.span()
        choices = [(begin, end)]
        if text[begin - 2 : begin] == b", ":
            choices = [(begin - 2, end)]
        elif text[begin - 11 : begin] == b', "args": {' and text[end : end + 1] == b"}":
            choices.append((begin - 11, end + 1))
        size = sum(map(len, kept)) - done
        for begin, end in choices:
            place = size + begin
            if before[place : place + 2] == text[end : end + 2]:
                break
        kept.append(text[done:begin])
        done = end
    return b"".join(kept) + text[done:]


def run(*command, **more):
    done = subprocess.run([tool, *command], capture_output=True, **more)
    assert done.returncode == 0, (command, done.returncode, done.stderr)
    return done.stdout


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def figures(path):
    report = json.loads(run("report", "--json", path))
    for key in ("path", "bytes"):
        report["trace"].pop(key)
    for skipped in report["skipped"]:
        skipped.pop("offset")
    for finding in report["health"]:
        for event in finding["events"]:
            event.pop("offset")
    # What augment wrote is recorded from then on.
    for row in report["kernels"] + report["operators"]:
        row.pop("flop_source", None)
        row.pop("bytes_source", None)
    return report


def events(text):
    """The events as JSON readers see them, or nothing if the text is not JSON."""
    def refuse(name):
        raise ValueError(name)

    try:
        all = json.loads(text.decode("utf-8-sig"), parse_constant=refuse)
    except ValueError:
        return None
    return all["traceEvents"] if isinstance(all, dict) else all


def noted(event):
    args = event.get("args") if isinstance(event, dict) else None
    return [key for key in args if key.startswith("seamscope_")] if isinstance(args, dict) else []


for path in traces:
    name = os.path.basename(path)
    before = read(path)
    out = os.path.join(scratch, name.removesuffix(".gz"))
    run("augment", path, out)
    after = read(out)
    # Our keys in the input get new values, if any.
    mine = b"seamscope_" in before or rb"seam\u0073cope" in before
    old, new = events(before), events(after)
    assert new is not None, f"{name}: not JSON"
    if not mine and old is not None:
        assert without(after, before) == before, f"{name}: other bytes changed"
    again = os.path.join(scratch, "again-" + os.path.basename(out))
    run("augment", out, again)
    assert read(again) == after, f"{name}: a second time changes it"
    # The output has nothing that is not JSON, so reports leave nothing out any more.
    one, other = figures(path), figures(out)
    if old is None:
        one.pop("skipped")
        assert not other.pop("skipped"), name
        one["health"] = [found for found in one["health"] if found["name"] != "unreadable-events"]
    assert one == other, f"{name}: the report differs"
    # Compressed, from a pipe and to one.
    assert run("augment", "-", "-", input=open(path, "rb").read()) == after, f"{name}: pipes"
    packed = out + ".gz"
    run("augment", path, packed)
    with open(packed, "rb") as file:
        assert file.read(2) == b"\x1f\x8b", f"{name}: not compressed"
    assert read(packed) == after, f"{name}: compressed"

    count = 0
    if old is None:
        count = after.count(b'"seamscope_category"')
    else:
        assert len(old) == len(new), name
        for a, b in zip(old, new):
            count += bool(noted(b))
            if noted(b) and not mine:
                had = a.get("args") or {}
                torchs = ("kernel_flop", "kernel_num_gb")  # kept where they were recorded
                b = dict(b, args={k: v for k, v in b["args"].items() if not
                                  (k.startswith("seamscope_") or k in torchs and k not in had)})
                if "args" not in a:
                    assert b.pop("args") == {}, (name, b)
            assert a == b or mine, (name, a, b)
    # All device work that the report found has notes.
    kernels = sum(device["kernels"] for device in figures(path)["devices"])
    assert count >= kernels, (name, count, kernels)
    print(f"{name}: {count} events with notes")
