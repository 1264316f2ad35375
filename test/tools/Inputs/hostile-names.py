"""hostile-names.py SEAMSCOPE: every text of a trace is hostile; checks what each verb prints."""

import json
import subprocess
import sys

# Clears the screen, sets the title, reverses the order of text around it, hides it, ends a line.
HOSTILE = "n\x1b[2J\x1b]0;t\x07\x9b31m\u202e\u200b\ufeff\r\n\x00\x7f=1+1"
FORBIDDEN = [chr(code) for code in [*range(0, 9), *range(11, 32), 0x7F, *range(0x80, 0xA0)]]
FORBIDDEN += ["\u202e", "\u200b", "\ufeff"]
FORBIDDEN.remove("\r")  # of CSV; looked at by itself


def event(cat, **more):
    made = {"ph": "X", "cat": cat, "name": HOSTILE, "pid": HOSTILE, "tid": HOSTILE, "ts": 1, "dur": 5,
            "args": {"kernel": HOSTILE, "region": HOSTILE, "file": HOSTILE, "ops": HOSTILE, "line": 1,
                     "linkage_name": HOSTILE, "correlation": 1, "thread": 1,
                     "Input Dims": [[1], HOSTILE], "Input type": [HOSTILE]}}
    return dict(made, **more)


def write(name, trace):
    with open(name, "w") as file:
        json.dump(trace, file)


events = [event(cat) for cat in ("cpu_op", "omp_region", "kernel", "cuda_runtime", "gpu_memcpy", HOSTILE)]
events += [event("user_annotation"), event("user_annotation", name="ProfilerStep" + HOSTILE)]
events += [event("cpu_op", ph="B", ts=9), event("cpu_op", ts=HOSTILE)]
for key in ("name", "labels"):
    for what in ("process_name", "process_labels", "thread_name"):
        events.append({"ph": "M", "name": what, "pid": HOSTILE, "tid": HOSTILE, "args": {key: HOSTILE}})
about = {"format": 1, "version": HOSTILE, "command_line": HOSTILE, "host_name": HOSTILE, "mode": HOSTILE,
         "abandoned": [{"name": HOSTILE, "calls": 1}]}
write("device.json", {"seamscope": about, "deviceProperties": [{"id": 0, "name": HOSTILE}], "traceEvents": events})
write("host.json", {"traceEvents": [event("cpu_op"), event("omp_region"), event("")]})
write("other.json", {"seamscope": {"format": 1, "profile": [{"name": HOSTILE}]}, "traceEvents": []})
path = "f\x1b[2J\n.json"
write(path, [event("cpu_op"), event("cpu_op", ts=HOSTILE)])


def look(*arguments):
    done = subprocess.run([sys.argv[1], *arguments], capture_output=True)
    for stream in (done.stdout, done.stderr):
        text = stream.decode()  # fails when it is not UTF-8
        found = [hex(ord(character)) for character in FORBIDDEN if character in text]
        assert not found, (arguments, found)
        assert "\r" not in text.replace("\r\n", ""), arguments
    assert len(done.stderr.splitlines()) <= 2, (arguments, done.stderr)
    return done


KEYS = ("kernel", "op", "op+shape", "category", "device", "stream", "step", "annotation", "line")
for name in ("device.json", "host.json", path):
    assert look("report", name).returncode == 0
    for key in KEYS:
        assert look("report", "--by", key, name).returncode == 0
        look("report", "--by", key, "--csv", name)
    look("report", "--csv", name)
    for other in ("device.json", "host.json"):
        look("report", "--baseline", other, name)
        look("report", "--baseline", other, "--csv", name)
        look("diff", name, other)
        look("diff", "--csv", name, other)
    assert look("convert", name, "out.csv").returncode == 0
    with open("out.csv", newline="") as file:
        text = file.read()
    assert not [character for character in FORBIDDEN if character in text], name
    assert not [line for line in text.split("\r\n") if line.startswith(("=", "+", "@"))], name
look("report", "other.json")
look("report", "missing" + path)
look("report", "--by", "\x1b[2J", "host.json")
look("\x1b[2J")
look("convert", "host.json", "x\x1b[2J.txt")
look("recover", path, "-o", "out.json")
