"""check-cut-events.py SEAMSCOPE FOLDER: what a cut does with each event, byte by byte."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gzip
import json
import os
import subprocess
import sys

tool, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)


def convert(*words, given=None, code=0):
    """What is printed on both streams."""
    done = subprocess.run([tool, "convert", *words], input=given, capture_output=True, timeout=60)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done.stdout, done.stderr.decode()


def cut(events, window, head="", tail="", open_with='{{{}"traceEvents": [\n', close="\n]{}}}"):
    """The text of a part of a trace with these lines of events, its lines of events, and all of it as
    JSON."""
    text = open_with.format(head) + ",\n".join(events) + close.format(tail)
    with open("in.json", "w", encoding="utf-8") as file:
        file.write(text)
    convert("--window", window, "in.json", "out.json")
    with open("out.json", encoding="utf-8") as file:
        made = file.read()
    value = json.loads(made)
    lines = made[made.index('"traceEvents": ['):].split("\n")[1:]
    return made, [line.rstrip(",") for line in lines if line.startswith("{")], value


def call(begin, duration, name="k", more=""):
    """With its keys in an order of their own."""
    return f'{{"name":"{name}","dur": {duration}, "ph":"X","cat":"cpu_op" ,"ts":{begin},"pid":1,"tid":1,"args":{{"x":[1,{{}}]}}{more}}}'


def check_calls():
    """A window of [30, 60) us from the first event, which begins at 1000 us."""
    first = call(1000, 1)
    events = {
        first: None,
        call(1035, 5.5): "same",
        call(1030, 30): "same",
        call(1029.999, 0.002, "b"): call("1030.000", "0.001", "b"),
        call(1059.999, 7, "e"): call("1059.999", "0.001", "e").replace("1059.999", "1059.999"),
        call(1000.5, 500, "a"): call("1030.000", "30.000", "a"),
        # It ends where the window begins, or begins where it ends.
        call(1010, 20): None,
        call(1060, 20): None,
        # An empty one is a moment.
        call(1030, 0, "z"): "same",
        call(1030.0, -0.0, "y"): "same",
        call(1060, 0): None,
        call(1029, 0): None,
        call(1045, -3, "negative"): "same",
        call(1028, -3): None,
        '{"ph":"X","name":"n","pid":1,"tid":2,"ts":1031}': "same",
        '{"ph":"X","name":"w","pid":1,"tid":2,"ts":"1020.5","dur":"20","k\\u00e9y":"\\u0041"}':
            '{"ph":"X","name":"w","pid":1,"tid":2,"ts":1030.000,"dur":10.500,"k\\u00e9y":"\\u0041"}',
        '{"ph":"X","name":"twice","ts":7,"pid":1,"tid":2,"ts":1055,"dur":10}':
            '{"ph":"X","name":"twice","ts":1055.000,"pid":1,"tid":2,"ts":1055,"dur":5.000}',
    }
    _, lines, _ = cut(list(events), "30us..60us")
    expected = [before if after == "same" else after for before, after in events.items() if after]
    # Where the last of two equal keys is right, the other stays as well.
    expected[-1] = '{"ph":"X","name":"twice","ts":7,"pid":1,"tid":2,"ts":1055,"dur":5.000}'
    assert lines == expected, "\n".join(["", *lines, "", *expected])


def check_exact():
    """Times of day in ns, which a double does not hold."""
    at = 1790857026123456
    _, lines, _ = cut([call(f"{at}.789", "0.001"), call(f"{at}.790", "1000.001"), call(f"{at + 2}.001", "0.003")], "2ns..1us")
    assert lines == [call(f"{at}.791", "0.998").replace(f'"ts":{at}.791', f'"ts":{at}.791')], lines
    # Below 0, and near the largest.
    _, lines, _ = cut([call("-5.001", "10.002")], "1ns..6us")
    assert lines == [call("-5.000", "5.999")], lines
    _, lines, _ = cut([call("4611686018427386.001", "1.902")], "1ns..1.9us")
    assert lines == [call("4611686018427386.002", "1.899")], lines
    throttled = '{"cat": "cpu_op", "name": "f", "pid": 1, "tid": 1, "ts": %s, "every": 2, "timed": 4, "untimed": 8, "args": {"kernel": "f"}}'
    events = ['{"ph":"X","cat":"cpu_op","name":"f","pid":1,"tid":1,"ts":%d.001,"dur":1,"args":{"kernel":"f"}}' % (at + 10 * i) for i in range(4)]
    made, lines, value = cut(events, "15us..25us",
                             f'"seamscope": {{"format": 1, "mode": "trace", "throttled": [{throttled % f"{at}.001"}], "big": 1.50}}, ')
    assert lines == events[2:3]
    entry, = value["seamscope"]["throttled"]
    assert (entry["timed"], entry["untimed"]) == (1, 2), entry
    assert f'"ts":{at}.001' in made and '"big": 1.50}' in made, made


def half(phase, name, begin, more="", tid=1):
    return f'{{"ph":"{phase}","cat":"cpu_op","name":"{name}","pid":1,"tid":{tid},"ts":{begin}{more}}}'


def report(path):
    done = subprocess.run([tool, "report", "--json", path], capture_output=True, timeout=60, check=True)
    return {row["name"]: (row["calls"], row["total_ns"]) for row in json.loads(done.stdout)["kernels"]}


def check_halves():
    kernel = ',"args":{"kernel":"%s"}'
    events = [half("B", "a", 0, kernel % "a"), half("B", "b", 10, kernel % "b"), half("B", "c", 20, kernel % "c"), half("E", "", 25),
              half("B", "z", 30), half("E", "", 30), half("E", "b", 40), half("B", "d", 50, kernel % "d"), half("E", "d", 55),
              half("E", "a", 100), half("E", "orphan", 100)]
    _, lines, _ = cut(events, "15us..52us")
    # Those of a, b and d reach beyond.
    assert lines == [half("B", "a", "15.000", kernel % "a"), half("B", "b", "15.000", kernel % "b"), *events[2:8],
                     half("E", "d", "52.000"), half("E", "a", "52.000")], lines
    assert report("out.json") == {"a": (1, 37000), "b": (1, 25000), "c": (1, 5000), "d": (1, 2000)}, report("out.json")
    # In an order in which moved begins would pair otherwise they stand behind the rest.
    order = [1, 0, 2, 3, 9, 6, 7, 8]
    _, lines, _ = cut([events[place] for place in order], "15us..52us")
    assert report("out.json") == {"a": (1, 37000), "b": (1, 25000), "c": (1, 5000), "d": (1, 2000)}, report("out.json")
    assert lines[-2:] == [half("B", "a", "15.000", kernel % "a"), half("B", "b", "15.000", kernel % "b")], lines
    # So do an empty call and an open one at the window's begin.
    events = [half("B", "z", 15), half("E", "", 15), half("B", "inner", 10, kernel % "inner"), half("B", "outer", 5, kernel % "outer"),
              half("E", "", 30), half("E", "", 40), half("B", "open", 2, kernel % "open"), call(0, 1)]
    _, lines, _ = cut(events, "15us..50us")
    assert lines[-5:] == [half("B", name, "15.000", kernel % name) for name in ("open", "outer", "inner")] + events[:2], lines
    assert report("out.json") == {"open": (1, 25000), "outer": (1, 25000), "inner": (1, 15000)}, report("out.json")
    # Open ones: how long is known, or until the last end of the process.
    events = [half("B", "a", 0, kernel % "a"), half("B", "b", 10, ',"args":{"kernel":"b","open":true,"open_ns":20000}', 2),
              half("B", "c", 20, tid=3), call(5, 95)]
    _, lines, _ = cut(events, "15us..25us")
    assert lines == [half("B", "a", "15.000", kernel % "a"),
                     half("B", "b", "15.000", ',"args":{"kernel":"b","open":true,"open_ns":10000}', 2),
                     events[2], call("15.000", "10.000")], lines
    assert report("out.json") == {"a": (1, 10000), "b": (1, 10000)}, report("out.json")
    # The last event of the process is not in the part.
    _, lines, _ = cut([*events[:2], call(5, 1), call(60, 1)], "20us..40us")
    assert lines == [half("B", "a", "20.000", kernel % "a"), half("B", "b", "20.000", ',"args":{"kernel":"b","open":true,"open_ns":10000}', 2)]
    assert report("out.json") == {"a": (1, 20000), "b": (1, 10000)}, report("out.json")
    _, lines, _ = cut(events, "10us..40us")
    assert lines[1] == events[1], lines


def check_others():
    """What is no call."""
    def other(phase, ts, more=""):
        return f'{{"ph":"{phase}","name":"o","pid":1,"tid":1{"" if ts is None else f"{chr(44)}{chr(34)}ts{chr(34)}:{ts}"}{more}}}'

    def flow(phase, number, ts):
        return other(phase, ts, f',"cat":"ac2g","id":{number}')

    def span(phase, number, ts):
        return other(phase, ts, f',"cat":"async","id":"{number}"')
    same, gone = "same", None
    events = {
        call(0, 100): call("30.000", "30.000"),
        other("M", None, ',"args":{"name":"x"}'): same,
        other("M", 0, ',"args":{"name":"y"}'): same,
        other("i", 29.999): gone, other("i", 30): same, other("I", 59.999): same, other("i", 60): gone,
        other("C", 40, ',"args":{"n":1}'): same, other("C", 20, ',"args":{"n":1}'): gone,
        other("i", None): same,
        '{"name":"nothing else"}': same,
        # Both ends or none; a flow may lead to the window's last moment.
        flow("s", 1, 35): same, flow("f", 1, 45): same,
        flow("s", 2, 25): gone, flow("f", 2, 35): gone,
        flow("s", 3, 55): gone, flow("f", 3, 65): gone,
        flow("s", 4, 30): same, flow("t", 4, 40): same, flow("f", 4, 60): same,
        # Spans that are not of a thread are cut off as calls are.
        span("b", "a", 10): span("b", "a", "30.000"), span("n", "a", 20): gone, span("e", "a", 40): same,
        span("b", "b", 50): same, span("e", "b", 70): span("e", "b", "60.000"),
        span("b", "c", 10): span("b", "c", "30.000"), span("e", "c", 90): span("e", "c", "60.000"),
        span("b", "d", 10): gone, span("e", "d", 30): gone,
        span("b", "e", 60): gone, span("e", "e", 70): gone,
        span("b", "f", 20): span("b", "f", "30.000"),
        span("b", "0", 0): span("b", "0", "30.000"), span("b", "0", 5.0): gone, span("e", "0", 9.0): gone,
        span("e", "0", 90): span("e", "0", "60.000"),
    }
    _, lines, _ = cut(list(events), "30us..60us")
    expected = [before if after == same else after for before, after in events.items() if after]
    assert lines == expected, "\n".join(["", *lines, "", *expected])


def check_members():
    """All that stands around the events stays, also what nobody knows, in its order and form."""
    head, tail = '"schemaVersion": 1, "a\\u0062": {"x" : [1 ,2.50, {}], "]": "["}, "deviceProperties": [\n {"id" :0}\n],', ', "late": 1e3'
    made, lines, _ = cut([call(0, 10), call(20, 10)], "5us..", head, tail)
    assert lines == [call("5.000", "5.000"), call(20, 10)]
    for text in ('{\n"schemaVersion": 1,\n', '"a\\u0062": {"x" : [1 ,2.50, {}], "]": "["},\n', '"deviceProperties": [\n {"id" :0}\n],\n',
                 ',\n"late": 1e3'):
        assert text in made, (text, made)
    # The member of ours stands right before the events.
    assert made.index('"deviceProperties"') < made.index('"seamscope_cut"') < made.index('"traceEvents"') < made.index('"late"')
    assert made.count('"seamscope_cut"') == 1
    again = convert("--window", "1us..2us", "out.json", "-")[0].decode()
    assert again.count('"seamscope_cut"') == 1 and call("6.000", "1.000") in again, again
    # An array has no members: it becomes an object. Nothing in a part is a trace, too.
    _, lines, value = cut([call(0, 10), call(20, 10)], "5us..15us", open_with="[", close="]")
    assert lines == [call("5.000", "5.000")] and set(value) == {"seamscope_cut", "traceEvents"}
    _, lines, value = cut([call(0, 10), call(20, 10)], "12us..15us")
    assert lines == [] and value["traceEvents"] == []
    done = subprocess.run([tool, "report", "out.json"], capture_output=True, text=True, timeout=60, check=True)
    assert "out.json: 0 events" in done.stdout, done.stdout


def check_ways():
    """From a pipe, to one, compressed; over the input; of a file that is cut off."""
    cut([call(0, 10), call(20, 10)], "5us..")
    with open("in.json", "rb") as file:
        text = file.read()
    with open("out.json", "rb") as file:
        expected = file.read()
    assert convert("--window", "5us..", "-", "-", given=text)[0] == expected
    assert convert("--window", "5us..", "-", "-", given=gzip.compress(text))[0] == expected
    convert("--window", "5us..", "in.json", "-o", "out.json.gz")
    with open("out.json.gz", "rb") as file:
        assert gzip.decompress(file.read()) == expected
    with open("short.json", "wb") as file:
        file.write(text[:-9])
    _, said = convert("--window", "5us..", "short.json", "short-out.json", code=1)
    assert "short.json: offset" in said and "short-out.json holds what could be read of it" in said, said
    with open("short-out.json", encoding="utf-8") as file:
        assert len(json.load(file)["traceEvents"]) == 1
    _, said = convert("--window", "5us..", "in.json", "in.json", code=1)
    with open("in.json", "rb") as file:
        assert file.read() == text, said
    # What is not JSON is put right first.
    _, lines, _ = cut([call(0, 10), call(20, 10).replace("[1,{}]", "NaN"), call(21, 1).replace("[1,{}]", "inf")], "5us..")
    assert lines[1:] == [call(20, 10).replace("[1,{}]", "null"), call(21, 1).replace("[1,{}]", "null")], lines


for check in (check_calls, check_exact, check_halves, check_others, check_members, check_ways):
    check()
