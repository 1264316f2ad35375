"""Looks at reports as a newcomer does: python3 first_look.py SEAMSCOPE."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import subprocess
import sys
import zipfile

SEAMSCOPE = sys.argv[1]


def run(*arguments, code=0, **environment):
    """The text that a command prints, on both streams."""
    done = subprocess.run([SEAMSCOPE, *arguments], capture_output=True, text=True, timeout=100,
                          env=os.environ | environment)
    assert done.returncode == code, (arguments, done.returncode, done.stdout[-300:], done.stderr)
    return done.stdout, done.stderr


def event(category, name, pid, tid, begin, duration, **args):
    """A call, with times in us."""
    return {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": begin, "dur": duration,
            "args": args}


def write(path, events, **members):
    """The file of a trace."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"traceEvents": events} | members, file)
    return path


def gpu(count, gap):
    """Operators with a kernel each, `gap` us from launch to launch."""
    dims = {"Input Dims": [[512, 512], [512, 512]], "Input type": ["float", "float"]}
    events = []
    for i in range(count):
        at = 1000.0 + gap * i
        events += [event("cpu_op", "aten::mm", 10, 10, at, 12.0, **dims),
                   event("cuda_runtime", "cudaLaunchKernel", 10, 10, at + 4, 6.0, correlation=i + 1),
                   event("kernel", "a_kernel_with_a_long_name_" * 3, 0, 7, at + 15, 5.0, correlation=i + 1,
                         device=0, stream=7),
                   {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 10, "tid": 10, "ts": at + 3,
                    "args": {"Device Type": 0, "Device Id": -1, "Addr": 4096 * (i + 1), "Bytes": 47460864,
                             "Total Allocated": 47460864 * (i + 1)}}]
    return events


def check_names():
    """The name of the output chooses its format."""
    trace = write("trace.json", gpu(5, 100))
    begins = {"x.html": "<!doctype html", "x.json": '{\n  "schema": "seamscope.report/1"', "x.csv": "name,",
              "x.md": "# ", "x.txt": "trace.json: "}
    for name, begin in begins.items():
        run("report", trace, "-o", name)
        with open(name, encoding="utf-8") as file:
            assert file.read(50).lower().startswith(begin.lower()), name
    run("diff", trace, trace, "-o", "diff.html")
    with open("diff.html", encoding="utf-8") as file:
        assert file.read(15).lower() == "<!doctype html>"
    # An option for the format takes precedence.
    run("report", trace, "--csv", "-o", "x.json")
    run("report", trace, "-w", "100", "-o", "x.html")
    for name, begin in (("x.json", "name,"), ("x.html", "trace.json: ")):
        with open(name, encoding="utf-8") as file:
            assert file.read(50).startswith(begin), name
    said = run("report", trace, "-c", "calls", "-o", "y.json", code=2)[1]
    assert "y.json implies --json, which excludes --columns" in said and not os.path.exists("y.json")
    run("report", trace, "-c", "calls", "-o", "y.csv")


def check_width():
    """Lines keep to COLUMNS, and sentences keep all words."""
    trace = write("trace.json", gpu(40, 100))
    whole = run("report", trace)[0]
    for columns in (80, 100, 130):
        text = run("report", trace, COLUMNS=str(columns))[0]
        assert max(map(len, text.splitlines())) <= columns, [line for line in text.splitlines() if len(line) > columns]
        finding = " ".join(text[text.index("launch-bound"):].split())
        assert " ".join(whole[whole.index("launch-bound"):].split("\n\n")[0].split()) in finding
    assert "Source" in whole


def check_units():
    """Bytes have units, and CPU rates are in GFLOP/s."""
    trace = write("trace.json", gpu(5, 100))
    text = run("report", trace)[0]
    assert "237 MB" in text and "237304320" not in text, text
    assert json.loads(run("report", "--json", trace)[0])["memory"][0]["peak_bytes"] == 5 * 47460864
    for duration, title, rate in ((1000, "GFLOP/s", "5.00"), (1, "TFLOP/s", "5.00")):
        kernel = event("cpu_op", "cpp_fused_mm_0", 1, 1, 0, duration, kernel="cpp_fused_mm_0", kernel_flop=5000000)
        text = run("report", write("cpu.json", [kernel]))[0]
        row = next(line for line in text.splitlines() if line.startswith("cpp_fused_mm_0"))
        assert title in text and f" {rate}" in row, text


def check_order():
    """Findings come before the kernels."""
    text = run("report", write("trace.json", gpu(40, 100)))[0]
    assert text.index("launch-bound") < text.index("Device ") < text.index("Kernel ") < text.index("Operator "), text


def check_collectives():
    """A CPU that waits in collectives."""
    events = []
    for i in range(3):
        events += [event("cpu_op", "aten::empty", 1, 1, 1000 * i, 4),
                   event("user_annotation", "gloo:all_reduce", 1, 2, 1000 * i + 50, 900)]
    text = run("report", write("gloo.json", events))[0]
    assert "exposed-collectives  at most 2.700 ms" in text and "process 1: collectives ran" in text, text
    # While something is computed, they do not wait.
    events += [event("cpu_op", "aten::mm", 1, 1, 1000 * i + 10, 980) for i in range(3)]
    assert "exposed-collectives" not in run("report", write("gloo.json", events))[0]


def check_replays():
    """There is nothing to say about kernels that follow each other directly."""
    launch = event("cuda_runtime", "cudaGraphLaunch", 10, 10, 1000.0, 20.0, correlation=1)
    kernels = [event("kernel", f"k{i}", 0, 7, 1100 + 50.024 * i, 50.0, correlation=1, device=0, stream=7)
               for i in range(20)]
    text = run("report", write("graph.json", [launch] + kernels))[0]
    assert "k19" in text and "latency 100 %" not in text, text
    assert "GPU kernel" in run("report", write("eager.json", gpu(5, 100)))[0]


def check_source():
    """A single trace has sources below a root that is given."""
    os.makedirs("src", exist_ok=True)
    with open("src/k.cpp", "w", encoding="utf-8") as file:
        file.write("// 1\nvoid scale(float *x) {\n  x[0] *= 2;\n}\n")
    path = os.path.abspath("src/k.cpp")
    trace = write("k.json", [event("cpu_op", "scale", 1, 1, 0, 5, kernel="scale", file=path, line=2)])
    text = run("source", "scale", trace, "--root", "src")[0]
    assert "x[0] *= 2;" in text, text
    assert "x[0]" not in run("source", "scale", trace)[0]
    assert "k.json: has no kernel 'scall'; did you mean 'scale'?" in run("source", "scall", trace, code=1)[1]
    assert "is neither a trace nor the folder of a run" in run("source", "scale", "src", code=1)[1]


def check_workbook():
    """Heads of columns are words with a unit."""
    trace = write("trace.json", gpu(5, 100))
    out = subprocess.run([SEAMSCOPE, "report", trace, "-o", "x.xlsx"], capture_output=True, text=True, timeout=100)
    if "without libxlsxwriter" in out.stderr:
        return
    assert out.returncode == 0, out.stderr
    with zipfile.ZipFile("x.xlsx") as book:
        texts = "".join(book.read(name).decode() for name in book.namelist() if name.startswith("xl/worksheets/"))
    assert "_ns<" not in texts and "Total (ns)" in texts, texts[:3000]


def check_noise():
    """Runs that differ too much pass, and the text says so."""
    runs = [write(f"run-{i}.json", [event("kernel", "k", 0, 7, 0, duration, device=0)])
            for i, duration in enumerate((100, 180, 60, 130, 240, 80))]
    out, said = run("diff", runs[0], runs[3], "--more-a", runs[1], "--more-a", runs[2], "--more-b", runs[4],
                    "--more-b", runs[5], "--fail-above", "5%")
    assert "runs differ too much to tell whether B is above the threshold" in out, out
    assert "runs differ too much" in said


for check in (check_names, check_width, check_units, check_order, check_collectives, check_replays, check_source,
              check_workbook, check_noise):
    check()
