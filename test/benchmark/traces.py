"""How fast traces are read, compared with the JSON library alone and with torch's own analysis."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import glob
import gzip
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
import zlib

import measure

tool = os.path.join(measure.build, "bin", "seamscope")


def make(path, *arguments):
    return json.loads(measure.run([os.path.join(measure.here, "make-trace"), path, *arguments]))


def report(path, known=None):
    """Returns seconds and the largest resident size in bytes. Fails if the figures are not the known ones."""
    begin = time.perf_counter()
    child = subprocess.Popen([tool, "report", "--json", "--top", "1", path], env=measure.clean,
                             stdout=subprocess.PIPE)
    text = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    elapsed = time.perf_counter() - begin
    if status:
        measure.fail(f"report {path}: status {status}")
    if known:
        found = json.loads(text)
        device = found["devices"][0]
        got = {"events": found["trace"]["events"], "kernels": device["kernels"],
               "kernel_ns": device["kernel_ns"], "busy_ns": device["busy_ns"],
               "linked": found["linking"]["linked"]}
        if got != known:
            measure.fail(f"report {path}: {got}, not {known}")
    return elapsed, usage.ru_maxrss * 1024


def measure_reader(folder, megabytes, count, quiet):
    path = os.path.join(folder, "trace.json")
    known = make(path, "--megabytes", str(megabytes))
    size = os.path.getsize(path)
    walk = os.path.join(folder, "walk")
    measure.run(["g++", "-std=c++20", "-O2", "-DNDEBUG", "-msse4.2", "-mpclmul",
                 f"-I{measure.root}/tools", os.path.join(measure.here, "walk.cpp"),
                 f"{measure.root}/tools/trace/chrome/EventScanner.cpp", "-lsimdjson", "-o", walk])
    ratios, times, sizes, walks = [], [], [], []
    for _ in range(count):
        quiet.wait()
        walks.append(json.loads(measure.run([walk, path]))["seconds"])
        elapsed, resident = report(path, known)
        times.append(elapsed)
        sizes.append(resident)
        ratios.append(walks[-1] / elapsed)
    middle = statistics.median(times)
    measure.bar(f"report, {megabytes} MB, of the walk's rate", statistics.median(ratios), 0.8,
                "ratio", f"{size / middle / 1e6:.0f} MB/s, walk "
                f"{size / statistics.median(walks) / 1e6:.0f} MB/s", least=True)
    least = os.path.join(folder, "least.json")
    with open(least, "w", encoding="utf-8") as file:
        file.write('[{"ph": "X", "cat": "cpu_op", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": 1}]')
    own = report(least)[1]
    measure.bar("report, memory over the file's size", (statistics.median(sizes) - own) / size, 0.1,
                "ratio", f"{statistics.median(sizes) / 1e6:.0f} MB resident")

    packed = path + ".gz"
    with open(path, "rb") as source, gzip.open(packed, "wb", compresslevel=6) as target:
        shutil.copyfileobj(source, target, 1 << 20)
    ratios = []
    for _ in range(count):
        begin = time.perf_counter()
        inflater = zlib.decompressobj(31)
        with open(packed, "rb") as file:
            while block := file.read(1 << 18):
                inflater.decompress(block)
        alone = time.perf_counter() - begin
        ratios.append(alone / report(packed, known)[0])
    measure.bar("report, .gz, of the inflater's rate", statistics.median(ratios), 0.8, "ratio",
                least=True)
    os.remove(packed)
    os.remove(path)


def measure_scaling(folder, quiet):
    """Time per event at 1e5, 1e6 and, with difficult shapes, 1e6 events, over that of the middle one."""
    path = os.path.join(folder, "trace.json")

    def ns_an_event(count, *shape):
        known = make(path, "--events", str(count), *shape)
        quiet.wait()
        return statistics.median(report(path, known)[0] for _ in range(3)) * 1e9 / known["events"]

    middle = ns_an_event(1000000)
    for name, value in (
        ("1e5 events", ns_an_event(100000)),
        ("nested 50 deep", ns_an_event(1000000, "--depth", "50")),
        ("1e5 names", ns_an_event(1000000, "--names", "100000")),
        ("64 streams", ns_an_event(1000000, "--streams", "64")),
    ):
        measure.bar(f"report, ns an event, {name}, over 1e6", value / middle, 1.15, "ratio",
                    f"{value:.0f} over {middle:.0f} ns")
    os.remove(path)


def torch_python():
    return os.environ.get("SEAMSCOPE_PYTHON") or os.path.join(measure.root, ".venv", "bin", "python")


def measure_names(folder, quiet):
    """Names a million samples at a million addresses of torch's largest library."""
    if not os.path.exists(torch_python()):
        print("no torch: the names of its code are left out", file=sys.stderr)
        return
    library = measure.run([torch_python(), "-c", "import os, torch; print(os.path.join("
                           "os.path.dirname(torch.__file__), 'lib', 'libtorch_cpu.so'))"]).strip()
    notes = measure.run(["readelf", "-n", library])
    build = notes.split("Build ID: ")[1].split()[0]
    # The segment of code: offset and size in the file.
    code = next(line.split() for line in measure.run(["readelf", "-lW", library]).splitlines()
                if line.split()[:1] == ["LOAD"] and " R E " in line)
    offset, size, count = int(code[1], 16), int(code[4], 16), 1000000
    step = size // count

    def write(path, of):
        samples = {"tid": [1] + [0] * (count - 1), "ns": [1000] * count,
                   "address": [offset] + [step] * (count - 1)}
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"seamscope": {"version": "1", "format": 1, "mode": "trace"},
                       "seamscope_samples": [{
                           "format": 1, "pid": 1, "state": "on", "rate": 1000000,
                           "threads": [{"tid": 1, "from_ns": 0, "to_ns": 2000 * count}],
                           "modules": [{"path": of, "build_id": build, "begin": 0,
                                        "end": offset + size, "offset": 0, "from_ns": 0}],
                           "waits": [], "samples": samples}],
                       "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "k", "pid": 1, "tid": 1,
                                        "ts": 0, "dur": 2 * count}]}, file)

    def seconds_of(of):
        path = os.path.join(folder, "samples.json")
        write(path, of)
        quiet.wait()
        taken = statistics.median(
            measure.seconds([tool, "report", "--by", "library", path]) for _ in range(3))
        os.remove(path)
        return taken

    whole, nameless = seconds_of(library), seconds_of("/nonexistent/libtorch_cpu.so")
    measure.bar("report --by library, names of 1e6 addresses of libtorch_cpu", whole - nameless, 3,
                "s", f"{whole:.2f} s in all, {nameless:.2f} s without the file")


def measure_columns(folder, quiet):
    """Parquet files of a trace: their size, how fast they are read, and how soon a query has its answer."""
    python = os.path.join(measure.root, ".tables", "bin", "python")
    if not os.path.exists(python):
        print("no .tables (./dev setup makes it): Parquet files are left out", file=sys.stderr)
        return
    path, columns = os.path.join(folder, "trace.json"), os.path.join(folder, "trace.parquet")
    known = make(path, "--events", "1000000")
    with_python = {"SEAMSCOPE_PYTHON": python}
    measure.run([tool, "convert", path, columns], **with_python)

    def bytes_an_event(pattern):
        return sum(map(os.path.getsize, glob.glob(os.path.join(columns, pattern)))) / known["events"]

    measure.bar("Parquet, bytes an event of the trace model", bytes_an_event("model/*.parquet"), 9, "B",
                f"slice {bytes_an_event('slice.parquet'):.1f}, JSON {os.path.getsize(path) / known['events']:.0f}")

    def median_seconds(*command):
        quiet.wait()
        taken = []
        for _ in range(3):
            begin = time.perf_counter()
            measure.run(list(command), **with_python, PYTHONPATH=os.path.join(measure.build, "share/seamscope/python"))
            taken.append(time.perf_counter() - begin)
        return statistics.median(taken)

    ours, theirs = median_seconds(tool, "report", columns), median_seconds(tool, "report", path)
    measure.bar("report of Parquet files over that of JSON", ours / theirs, 0.9, "ratio", f"{ours:.2f}, {theirs:.2f} s")
    scan = median_seconds(python, "-c", f"""import duckdb, glob
for each in glob.glob({columns + '/model/*.parquet'!r}):
    duckdb.sql(f"select sum(hash(columns(*))) from '{{each}}'").fetchall()""")
    # What reads the files, and what its answer goes through: the least that reading takes.
    tables = [os.path.basename(each)[:-len(".parquet")] for each in glob.glob(os.path.join(columns, "model/*.parquet"))]
    read = median_seconds("sh", "-c", 'exec "$@" > /dev/null', "sh", python, "-m", "seamscope._columns", "--",
                          os.path.join(columns, "model"), *tables)
    measure.bar("Parquet files decoded over DuckDB's scan of them", read / scan, 2, "ratio",
                f"{read:.2f}, {scan:.2f} s")
    first = median_seconds(python, "-c", "import seamscope; print(seamscope.open(" + repr(path) + ", quiet=True).sql("
                           "'select name, sum(dur) from slice group by all order by 2 desc').fetchall()[:1])")
    at_once = median_seconds(tool, "sql", "--python", python, "--recipe", "top-kernels", columns)
    measure.bar("first answer of a query, of JSON over of Parquet", first / at_once, 5, "ratio",
                f"{first:.2f}, {at_once:.2f} s", least=True)
    shutil.rmtree(columns)
    os.remove(path)


def measure_peer(folder, quiet):
    """Measures torch's profile_analysis on a file that it can read."""
    python = torch_python()
    if not os.path.exists(python):
        print("no torch: its profile_analysis is left out", file=sys.stderr)
        return
    path = os.path.join(folder, "trace.json")
    known = make(path, "--megabytes", "32")
    quiet.wait()
    theirs = measure.seconds([python, "-m", "torch._inductor.analysis.profile_analysis",
                              "--analysis", path, "bfloat16"])
    start = measure.seconds([python, "-c", "import torch._inductor.analysis.profile_analysis"])
    ours = statistics.median(report(path, known)[0] for _ in range(5))
    measure.bar("torch's profile_analysis over report, 32 MB", (theirs - start) / ours, 20, "ratio",
                f"{theirs - start:.1f} s without its imports, {ours:.3f} s", least=True)
    hta = "from hta.trace_analysis import TraceAnalysis as T"
    if subprocess.run([python, "-c", hta], capture_output=True).returncode:
        print("no HolisticTraceAnalysis in that Python (pip install HolisticTraceAnalysis): left out",
              file=sys.stderr)
    else:
        folder_of_one = os.path.join(folder, "hta")
        os.mkdir(folder_of_one)
        os.rename(path, os.path.join(folder_of_one, "trace.json"))
        path = os.path.join(folder_of_one, "trace.json")
        # It takes the rank from the trace and reads whole folders.
        with open(path, "r+b") as file:
            text = file.read().replace(b'"schemaVersion": 1,',
                                       b'"schemaVersion": 1, "distributedInfo": {"rank": 0},', 1)
            file.seek(0)
            file.write(text)
        begin = time.perf_counter()
        done = subprocess.run([python, "-c", f"{hta}; T(trace_dir={folder_of_one!r})."
                               "get_gpu_kernel_breakdown(visualize=False)"],
                              capture_output=True, text=True)
        theirs = time.perf_counter() - begin
        if done.returncode:
            print(f"HolisticTraceAnalysis died: {done.stderr.strip().splitlines()[-1]}",
                  file=sys.stderr)
        else:
            start = measure.seconds([python, "-c", hta])
            ours = statistics.median(report(path, known)[0] for _ in range(5))
            measure.bar("HolisticTraceAnalysis over report, 32 MB", (theirs - start) / ours, 20,
                        "ratio", f"{theirs - start:.1f} s without its imports, {ours:.3f} s",
                        least=True)
    os.remove(path)


def measure_traces(folder, megabytes, count, quiet):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    measure_reader(folder, megabytes, count, quiet)
    measure_scaling(folder, quiet)
    measure_columns(folder, quiet)
    measure_names(folder, quiet)
    measure_peer(folder, quiet)
