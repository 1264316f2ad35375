"""round-trip.py TOOL FOLDER TRACE...: the reports of traces that were written as Parquet files are those of the traces,
and what is wrong in such files, of the last trace, is said."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pyarrow
import pyarrow.parquet

tool, folder, *traces = sys.argv[1:]
FACES = (["report"], ["report", "--json"], ["report", "--csv"], ["report", "--markdown"], ["report", "--html", "-"],
         ["report", "--by", "category"], ["kernels"])


def run(*words):
    ran = subprocess.run([tool, *words], capture_output=True, check=False, timeout=120)
    return ran.returncode, ran.stdout, ran.stderr


def size_of(path):
    out = run("report", "--json", path)[1]
    return json.loads(out)["trace"]["bytes"] if out else 0


def same(face, trace, columns, sizes):
    """Where a trace has its path or size, both have the same."""
    found = []
    for path, size in zip((trace, columns), sizes):
        status, out, err = run(*face, path)
        texts = [each.decode(errors="surrogateescape") for each in (out, err)]
        for written in (path, path.replace("_", "\\_"), json.dumps(path)[1:-1].replace("/", "\\/")):
            texts = [each.replace(written, "TRACE") for each in texts]
        for end in (",", "\n"):
            texts[0] = texts[0].replace(f'"bytes": {size}{end}', f'"bytes": SIZE{end}')
        found.append((status, *texts))
    other = [pair for pair in zip(found[0][1].splitlines(), found[1][1].splitlines()) if pair[0] != pair[1]]
    assert found[0] == found[1], (face, trace, other[:3], found[0][2], found[1][2])


compared = written = 0
for number, trace in enumerate(traces):
    # A path of the same length, since texts are aligned.
    ours = os.path.join(folder, f"{number:04}.xxxxxxx" + os.path.splitext(trace)[1])
    shutil.copy(trace, ours)
    columns = os.path.join(folder, f"{number:04}.parquet")
    columns += "x" * (len(ours) - len(columns))
    status, _, err = run("convert", ours, columns[:len(folder) + 13])
    if status and not os.path.exists(columns[:len(folder) + 13]):
        raise SystemExit(f"{trace}: {err.decode()}")
    os.rename(columns[:len(folder) + 13], columns)
    written += 1
    sizes = size_of(ours), size_of(columns)
    for face in FACES:
        same(face, ours, columns, sizes)
        compared += 1

# JSON made of the columns is that trace, too.
again = os.path.join(folder, "again.json")
assert run("convert", columns, again)[0] == 0
assert run("report", "--csv", again)[1] == run("report", "--csv", columns)[1]

# Values that cannot be.
model, refused = os.path.join(columns, "model"), 0


def change(table, column, of):
    """A copy whose table has other values."""
    wrong = os.path.join(folder, "wrong")
    shutil.rmtree(wrong, ignore_errors=True)
    shutil.copytree(columns, wrong)
    path = os.path.join(wrong, "model", table + ".parquet")
    rows = pyarrow.parquet.read_table(path)
    values = of(rows.column(column).to_pylist())
    index = rows.column_names.index(column)
    rows = rows.remove_column(index) if values is None else rows.set_column(index, column, [values])
    pyarrow.parquet.write_table(rows, path)
    return wrong


for table, column, of in (
        ("event", "site", lambda values: [10**9, *values[1:]]), ("event", "site", lambda values: [-1, *values[1:]]),
        ("event", "track", lambda values: [None, *values[1:]]), ("event", "dur", lambda values: [-5, *values[1:]]),
        ("event", "ts", lambda values: [2**62, *values[1:]]), ("event", "ts", lambda values: None),
        ("event", "dur", lambda values: [2**61] * len(values)), ("event", "ts", lambda values: [0.5] * len(values)),
        ("event", "ts", lambda values: ["a"] * len(values)), ("site", "name", lambda values: [2**40, *values[1:]]),
        ("site", "line", lambda values: [-1] * len(values)), ("correlation", "event", lambda values: values[::-1]),
        ("correlation", "event", lambda values: [10**9] * len(values)),
        ("string", "text", lambda values: [1] * len(values))):
    status, _, err = run("report", change(table, column, of))
    assert status == 1 and err.count(b"\n") == 1 and folder.encode() in err, (table, column, status, err)
    refused += 1
for name, text in (("model/head.json", "{"), ("model/head.json", '{"traceEvents": []}'),
                   ("model/event.parquet", "PAR1PAR1")):
    wrong = change("event", "ts", lambda values: values)
    with open(os.path.join(wrong, name), "w", encoding="utf-8") as file:
        file.write(text)
    status, _, err = run("report", wrong)
    assert status == 1 and err.count(b"\n") == 1, (name, status, err)
    refused += 1

for words, status, text in ((["convert", ours, columns + "x.parquet"], 0, b""),
                            (["convert", ours, columns + "x.parquet"], 1, b"is there already"),
                            (["convert", "-", folder + "/no.parquet"], 2, b"name one, not -"),
                            (["convert", "--window", "0%..50%", ours, folder + "/no.parquet"], 2, b"the whole trace"),
                            (["convert", ours + ".absent", folder + "/no.parquet"], 1, b"No such file")):
    found = run(*words)
    assert found[0] == status and text in found[2], (words, found)
# Ended while it writes: nothing is left.
child = subprocess.Popen([tool, "convert", traces[0], folder + "/stopped.parquet"])
while child.poll() is None and not any(each.startswith(".stopped") for each in os.listdir(folder)):
    time.sleep(0.005)
child.terminate()
# It may have been done already.
assert child.wait(timeout=60) == (0 if os.path.exists(folder + "/stopped.parquet") else -signal.SIGTERM), child

os.environ["SEAMSCOPE_PYTHON"] = folder + "/no-python"
status, _, err = run("report", columns)
assert status == 1 and b"no-python: cannot be started" in err and b"SEAMSCOPE_PYTHON" in err, err
os.environ["SEAMSCOPE_PYTHON"] = "/bin/false"
status, _, err = run("report", columns)
assert status == 1 and err.count(b"\n") == 1 and b"/bin/false: could not read" in err, err
assert not [each for each in os.listdir(folder) if each.startswith(".") or each == "no.parquet"], os.listdir(folder)
print(f"{written} traces, {compared} reports, {refused} refused")
