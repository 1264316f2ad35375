"""Reports spools of earlier versions and compares with what was reported of them then.

usage: old-spools.py SEAMSCOPE FOLDER
"""
import gzip
import json
import pathlib
import shutil
import subprocess
import sys

seamscope, folder = sys.argv[1], pathlib.Path(sys.argv[2])
expected = json.loads((folder / "expected.json").read_text())


def run(*arguments):
    return subprocess.run([seamscope, *arguments], check=True, capture_output=True, text=True, timeout=60)


for name, figures in expected.items():
    with gzip.open(folder / (name + ".gz")) as packed, open(name, "wb") as spool:
        shutil.copyfileobj(packed, spool)
    report = json.loads(run("report", name, "--json").stdout)
    kernels = [{key: row[key] for key in figures["kernels"][0]} for row in report["kernels"]]
    assert kernels == figures["kernels"], (name, kernels)
    listed = run("spools", name).stdout
    assert "another version" not in listed and "p" + name[1] in listed, listed

# Cut off in its last block, it is read as far as it is whole.
with open("v1-trace.spool", "rb") as whole, open("cut.spool", "wb") as cut:
    cut.write(whole.read()[:-1000])
cut = subprocess.run([seamscope, "report", "cut.spool"], capture_output=True, text=True, timeout=60)
assert "truncated: blocks are missing at its end" in cut.stderr, cut.stderr
assert "shortKernel" in cut.stdout, cut.stdout

run("recover", "v1-trace.spool", "-o", "v1-trace.json")
