"""Makes traces of several processes and devices and checks what reports say: python3 identity.py SEAMSCOPE."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gzip
import json
import os
import subprocess
import sys

SEAMSCOPE = sys.argv[1]
BASE = 1790857026000000000
DAY = 86400 * 10**9


def run(*arguments, code=0):
    """The text that a command prints, on both streams."""
    done = subprocess.run([SEAMSCOPE, *arguments], capture_output=True, text=True, timeout=100)
    assert done.returncode == code, (arguments, done.returncode, done.stdout[-300:], done.stderr)
    return done.stdout, done.stderr


def event(category, name, pid, tid, begin, duration, **args):
    """A call, with times in us."""
    return {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": begin, "dur": duration,
            "args": args}


def rank(pid, device=0, durations=(10, 2, 100), begin=1000, write=int, first=1):
    """Three operators and their kernels; ids as `write` writes them."""
    events = []
    for i, (name, duration) in enumerate(zip(("mm", "relu", "add"), durations)):
        at, number = begin + 200 * i, write(first + i)
        events += [event("cpu_op", "aten::" + name, pid, pid, at, 20),
                   event("cuda_runtime", "cudaLaunchKernel", pid, pid, at + 5, 5, correlation=number),
                   event("kernel", "k_" + name, write(device), write(7), at + 30, duration,
                         correlation=number, device=write(device), stream=write(7))]
    return events


def steps(pid, count, duration=700):
    """Marked steps."""
    return [event("user_annotation", f"ProfilerStep#{i}", pid, pid, 1000 + 1000 * i, duration) for i in range(count)]


def write(path, events, **members):
    """The file of a trace."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    text = json.dumps({"schemaVersion": 1, "baseTimeNanoseconds": BASE, "traceEvents": events} | members)
    with (gzip.open if path.endswith(".gz") else open)(path, "wt") as file:
        file.write(text)
    return path


def report(*arguments):
    """JSON and text."""
    return json.loads(run("report", "--json", *arguments)[0]), run("report", *arguments)[0]


def by_operator(found):
    """Time on devices."""
    return {row["name"]: row["device_ns"] for row in found["operators"]}


WHOLE = {"aten::mm": 10000, "aten::relu": 2000, "aten::add": 100000}


def check_ids():
    """Ids as text and with a fraction, also in a combined trace; 0 and -1 link nothing."""
    for kind in (int, str, float, lambda number: f"{number}.0"):
        one = write("ids.json", rank(10, write=kind))
        found, shown = report(one)
        assert by_operator(found) == WHOLE and "3 of 3 kernels linked" in shown, shown
        assert [device["id"] for device in found["devices"]] == [0]
        # Kept apart from the equal numbers of another.
        two = write("others.json", rank(11, durations=(3, 3, 3), write=kind))
        run("combine", one, two, "-o", "both.json")
        assert by_operator(report("both.json")[0]) == {name: ns + 3000 for name, ns in WHOLE.items()}
        write("folder/0.json", rank(10, write=kind))
        write("folder/1.json", rank(11, durations=(3, 3, 3), write=kind))
        found, _ = report("folder")
        assert by_operator(found) == {name: ns + 3000 for name, ns in WHOLE.items()}, found["operators"]
        assert [device["id"] for device in found["devices"]] == [0, 1]
    for number in (0, -1):
        nothing = rank(10)
        for each in nothing:
            if "correlation" in each["args"]:
                each["args"]["correlation"] = number
        zero = write("zero.json", nothing)
        run("combine", zero, write("zero-1.json", nothing), "-o", "zeros.json")
        for path, kernels in ((zero, 3), ("zeros.json", 6)):
            found, shown = report(path)
            assert set(by_operator(found).values()) == {0} and f"0 of {kernels} kernels linked" in shown, shown


def check_devices():
    """Kernel tables name the device, if there are several."""
    path = write("devices.json", rank(10) + rank(10, 1, begin=2000, first=11))
    _, shown = report(path)
    for title in ("Kernel  ", "GPU kernel  "):
        head = next(line for line in shown.splitlines() if line.startswith(title))
        assert head.split("  ")[1:] and "Device" in head, head
    rows = [line.split()[1] for line in shown.splitlines() if line.startswith("k_add ")]
    assert sorted(rows[:2]) == sorted(rows[2:4]) == ["0", "1"], shown
    _, shown = report(write("device.json", rank(10)))
    assert not [line for line in shown.splitlines() if line.startswith(("Kernel  ", "GPU kernel  ")) and "Device" in line]


def check_steps():
    """Steps of different processes are not added up."""
    for counts, words in (((1,), "1 step of 700.00 us\n"), ((2,), "2 steps of 700.00 us\n"),
                          ((1, 1), "1 step in each of 2 processes, of 700.00 us\n"),
                          ((3, 3), "3 steps in each of 2 processes, of 700.00 us\n"),
                          ((1, 3), "1 to 3 steps in each of 2 processes, of 700.00 us\n")):
        name = "steps-" + "-".join(map(str, counts))
        for number, count in enumerate(counts):
            write(f"{name}/{number}.json", steps(20 + number, count) + rank(20 + number, number))
        assert words in report(name)[1], (counts, report(name)[1])
    first, last = steps(10, 2)
    last["dur"] = 49
    assert "2 steps of 49.00 us and 700.00 us\n" in report(write("two.json", [first, last]))[1]
    # As torch 1.8 wrote them.
    old = write("old.json", [event("Operator", f"ProfilerStep#{i}", 1, 1, 100 * i, 50) for i in range(3)]
                + [event("Operator", "aten::mm", 1, 1, 100 * i + 1, 10) for i in range(3)])
    found, shown = report(old)
    assert set(by_operator(found)) == {"aten::mm"} and "3 steps of 50.00 us\n" in shown, shown
    assert json.loads(run("report", "--json", "--step", "2", old)[0])["operators"][0]["calls"] == 1


def merged(pids, parts):
    """Formats of tools that merge profiles."""
    return [each | {"pid": pids.format(number, each["pid"])} for number, part in enumerate(parts) for each in part]


def check_merged():
    """A merged file, alone and together with the files that it was merged from."""
    parts = [steps(100, 2) + rank(100), steps(101, 2) + rank(101, durations=(11, 3, 101))]
    sums = {"aten::mm": 21000, "aten::relu": 5000, "aten::add": 201000}
    for number, pids in enumerate(("[TP0{}] {}", "rank{}_{}", "{}:{}")):
        folder = f"merged-{number}"
        for index, part in enumerate(parts):
            write(f"{folder}/x-TP-{index}.json.gz", part)
        both = write(f"{folder}/a-merged.json.gz", merged(pids, parts), distributedInfo={"rank": 0})
        found, shown = report(both)
        assert by_operator(found) == sums and [device["id"] for device in found["devices"]] == [0, 1], shown
        assert "2 steps in each of 2 processes" in shown and ", rank" not in shown.splitlines()[0], shown
        found, shown = report(folder)
        assert by_operator(found) == sums and len(found["ranks"]) == 2, shown
        assert f"note: left out: {both}: it holds the events of 2 other traces" in shown, shown
    # One made by `combine`, and one made of three parts, two of which were merged first.
    for index, part in enumerate(parts):
        write(f"combined/{index}.json", part)
    run("combine", "combined/0.json", "combined/1.json", "-o", "combined/both.json")
    write("combined/2.json", rank(102, durations=(1, 1, 1)))
    found, shown = report("combined")
    assert by_operator(found) == {name: ns + 1000 for name, ns in sums.items()} and len(found["ranks"]) == 3, shown
    # Naming all of them gives a warning.
    parts = ["merged-0/x-TP-0.json.gz", "merged-0/x-TP-1.json.gz"]
    said = run("combine", *parts, "merged-0/a-merged.json.gz", "-o", "twice.json")[1]
    assert "a-merged.json.gz has as many calls as the others together" in said, said
    assert run("combine", *parts, "-o", "once.json")[1] == ""
    # A copy is reported.
    calls = steps(100, 2) + rank(100)
    write("copies/a.json", calls)
    write("copies/b.json.gz", calls)
    assert "note: copies/b.json.gz holds the same calls as copies/a.json; both count" in report("copies")[1]
    write("copies/b.json.gz", steps(100, 2) + rank(100, durations=(10, 2, 101)))
    assert "same calls" not in report("copies")[1]


def check_ambiguous():
    """If the owner of a number is not known, nothing is claimed."""
    found, shown = report(write("plain.json", rank(100) + rank(101, 1)))
    assert [(item["name"], item["count"]) for item in found["health"]] == [("ambiguous-launches", 6)], shown
    assert set(by_operator(found).values()) == {0} and found["devices"][0]["idle"]["host_ns"] == 0


def check_far_apart():
    """`combine` warns of traces of different days."""
    days = [write(f"day-{i}.json", rank(10 + i), baseTimeNanoseconds=BASE + i * 9 * DAY) for i in range(2)]
    assert "the traces begin 9.0 days apart; --align start" in run("combine", *days, "-o", "days.json")[1]
    near = write("near.json", rank(12), baseTimeNanoseconds=BASE + 10**9)
    assert run("combine", days[0], near, "-o", "seconds.json")[1] == ""
    assert run("combine", "--align", "start", *days, "-o", "days.json")[1] == ""


def check_empty():
    """An empty trace: a line, and exit code 1."""
    for text in ('{"traceEvents": []}', "[]", '{"traceEvents": [{"ph": "M", "name": "process_name", "pid": 1}]}'):
        with open("empty.json", "w", encoding="utf-8") as file:
            file.write(text)
        out, said = run("report", "empty.json", code=1)
        assert out == "" and "holds no events" in said and said.count("\n") == 1, (text, out, said)


for check in (check_ids, check_devices, check_steps, check_merged, check_ambiguous, check_far_apart, check_empty):
    check()
