"""mutate-traces.py SEAMSCOPE SEEDS COUNT: damages traces in COUNT ways, and rewrites each with every verb
that can.

SEEDS is the folder of the fuzzers, whose seeds are damaged, and a recorded spool with them. The output must be JSON to
the last byte, by a parser that is not ours; if it differs from the input's bytes, or the verb fails, a message must say
so.
"""

import gzip
import importlib.util
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import threading

tool, folder, count = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
spec = importlib.util.spec_from_file_location("seeds", folder / "seeds.py")
seeds = importlib.util.module_from_spec(spec)
spec.loader.exec_module(seeds)

#: Inserted into a trace: not JSON at all, or not at that place.
TOKENS = [b"NaN", b"-NaN", b"Infinity", b"-Infinity", b"inf", b"01", b"-01", b"1.", b".5", b"+1", b"1e",
          b"0x1", b"1_0", b"--1", b'"', b"'", b"\\", b"\\q", b"\\u12", b"\\u12g4", b"\\ud800",
          b"\\udc00\\ud800", b"\0", b"\x01", b"\n", b"\x1f", b"\x7f", b"\xff", b"\xc0\xaf", b"\xed\xa0\x80",
          b"\xf4\x90\x80\x80", b"\xe4\xb8", b"\xef\xbb\xbf", b",", b",,", b", ,", b":", b"[", b"]", b"{", b"}",
          b"[[[[", b"]]", b"[" * 3000, b"tru", b"nul", b"True", b"undefined", b"//x\n", b"/* x */",
          b'{"ph": "X", "name": "k", "ts": NaN, "dur": 1},' * 3,
          b'{"ph": "X", "name": "k", "ts": 1, "dur": 1, "args": {"v": inf}},', b'"ts": 1, "ts": 2,',
          b'"args": {"a": 01},', b'{"a": 1, "a": },', b"{},", b'"traceEvents": [],', b"1e999"]


def damaged(data, chance):
    """The bytes with one to four changes."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice((1, 2, 5, 50)))
        what = chance.randrange(8)
        if what == 0:
            data[at:end] = b""
        elif what == 1:
            data[at:at] = data[at:end]
        elif what == 2 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif what == 3 and at < len(data):
            data[at] = chance.randrange(256)
        elif what == 4:
            data[at:] = b"" if chance.randrange(4) == 0 else data[at:]
        elif what == 5:
            other = chance.randrange(len(data) + 1)
            data[at:at] = data[other:other + 40]
        elif what == 6:
            # In place of a value: after a colon.
            colons = [place for place in range(len(data)) if data[place] == ord(":")]
            if colons:
                at = chance.choice(colons) + 1
                rest = [place for place in range(at, len(data)) if data[place] in b",}]"]
                data[at:rest[0] if rest else len(data)] = chance.choice(TOKENS)
        else:
            data[at:at] = chance.choice(TOKENS)
    return bytes(data)


def refuse(name):
    raise ValueError(name)


def check(what, path):
    if not os.path.exists(path):
        return None
    data = open(path, "rb").read()
    try:
        json.loads(data.decode("utf-8-sig"), parse_constant=refuse)
    except (ValueError, RecursionError) as why:
        with open("found", "wb") as file:
            file.write(data)
        raise AssertionError(f"{what}: {path} is not JSON: {why}") from None
    return data


def run(what, out, *words):
    if os.path.exists(out):
        os.unlink(out)
    done = subprocess.run([tool, *words], capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    said = done.stderr.decode()
    assert done.returncode in (0, 1), (what, words, done.returncode, said)
    assert done.returncode == 0 or said, (what, words)
    for line in said.splitlines():
        assert line.startswith("seamscope: "), (what, words, line)
    data = check(f"{what}: {' '.join(words)}", out)
    assert data is not None or done.returncode, (what, words, said)
    return data, said


def whole(pieces):
    """A spool of the fuzzers' seeds, whose pieces end where only zeros follow."""
    spool = b""
    while pieces:
        (size,) = struct.unpack_from("<H", pieces)
        spool += pieces[2:2 + size].ljust(256 * 1024 if spool else 4096, b"\0")
        pieces = pieces[2 + size:]
    return spool


def main():
    traces = [json.dumps(trace).encode() for _, trace in seeds.traces()]
    traces += [json.dumps(trace, indent=1).encode() for _, trace in seeds.traces()]
    traces += [json.dumps(trace["traceEvents"]).encode() for _, trace in seeds.traces() if "traceEvents" in trace]
    spools = [gzip.decompress((folder / "../tools/Inputs/faces/recorded.spool.gz").read_bytes())]
    spools += [whole(pieces) for name, pieces in seeds.spool() if name in ("trace", "profile")]
    assert len(traces) > 5 and spools
    changed = 0
    good = traces[0]
    with open("good.json", "wb") as file:
        file.write(good)
    for number in range(count):
        chance = random.Random(number)
        what = f"variant {number}"
        text = damaged(chance.choice(traces), chance)
        with open("in.json", "wb") as file:
            file.write(text)
        data, said = run(what, "out.json", "convert", "in.json", "out.json")
        assert data is None or data == text or said, (what, "changed without a word")
        changed += data != text
        run(what, "out.json", "augment", "in.json", "out.json")
        run(what, "out.json", "combine", "in.json", "good.json", "-o", "out.json")
        if number % 8 == 0:
            # For a spool, mostly what is in its texts and numbers.
            spool = bytearray(chance.choice(spools))
            used = [at for at in range(4096, len(spool)) if spool[at]] or [0]
            for _ in range(chance.choice((1, 3, 30))):
                at = chance.choice(used) if chance.randrange(8) else chance.randrange(4096)
                spool[at] = chance.choice((spool[at] ^ 1 << chance.randrange(8), 0xff, 0, 0x22, 0x5c, 0x0a, 0x80))
            with open("in.spool", "wb") as file:
                file.write(spool)
            for verb in ("recover", "convert"):
                run(what, "out.json", verb, "in.spool", *(["--keep"] if verb == "recover" else []), "-o", "out.json")
            run(what, "out.json", "augment", "in.spool", "out.json")
        left = {name for name in os.listdir(".") if name not in ("in.json", "in.spool", "good.json", "out.json")}
        assert not left, (what, left)
    assert changed > count / 4, changed
    print(f"{count} variants, {changed} of them not copied as they are")


# Some variants are nested deeply.
sys.setrecursionlimit(1 << 20)
threading.stack_size(1 << 29)
failure = []


def guarded():
    try:
        main()
    except BaseException as why:
        failure.append(why)
        raise


runner = threading.Thread(target=guarded)
runner.start()
runner.join()
sys.exit(bool(failure))
