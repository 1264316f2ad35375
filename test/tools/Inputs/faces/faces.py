#!/usr/bin/env python3
"""Compares the output of the verbs for small traces with the files in expected/.

usage: faces.py SEAMSCOPE FOLDER [--update]

The traces are laid out in FOLDER, in which all commands run: no output depends on the machine. With
--update the files in expected/ are written again; check them with `git diff`.
"""

import difflib
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
FACES = {"txt": ["-w", "120"], "json": ["--json"], "csv": ["--csv"], "md": ["--markdown"]}

# Name of the files, words of the command; each in all output formats.
REPORTS = ["host", "throttled", "profile", "gpu", "gpu-within", "mlir", "recovered", "hostile"]
CASES = {
    **{name: ["report", name + ".json"] for name in REPORTS},
    "by-line": ["report", "--by", "line", "host.json"],
    "by-op": ["report", "--by", "op", "gpu.json"],
    "kernels-host": ["kernels", "host.json"],
    "kernels-gpu": ["kernels", "gpu.json"],
    "kernels-within": ["kernels", "gpu-within.json"],
    "diff": ["diff", "host.json", "host-after.json"],
    "diff-ops": ["diff", "gpu.json", "nsys.sqlite"],
}
# Cases with only some output formats.
SOME = {
    "ranks": (["report", "ranks"], {**FACES, "json": ["--json", "--top=2"]}),
    "baseline": (["report", "--baseline", "eager.json", "host.json"], {**FACES, "json": ["--json", "--top=1"]}),
    "diff-rows": (["diff", "--filter", "^[st]", "--sort", "b", "--top=2", "host.json", "host-after.json"],
                  {"txt": [*FACES["txt"], "-c", "b,a,match"], "json": ["--json"]}),
    "kernels-rows": (["kernels", "--sort", "total", "--top=4", "--step", "2", "gpu.json"],
                     {"txt": FACES["txt"], "csv": ["--csv", "-c", "idx,kernel,sil"]}),
    "filtered": (["report", "--filter", "^st", "recovered.json"], FACES),
    # Two of its kernels run long enough to be shown.
    "compiled": (["report", "compiled-run"], {**FACES, "json": ["--json", "--top=2"]}),
    "kernels-hostile": (["kernels", "hostile.json"], {"txt": FACES["txt"], "csv": FACES["csv"]}),
    "nsys": (["report", "nsys.sqlite"], {"txt": FACES["txt"], "json": FACES["json"]}),
    "spool": (["report", "recorded.spool"], {"txt": FACES["txt"], "json": FACES["json"]}),
    "spools": (["spools", "recorded.spool"], {"json": ["--json"]}),
}


def lay_out(folder):
    """The traces, as the commands find them."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / "traces", folder)
    with tarfile.open(folder / "compiled-run.tar.gz") as packed:
        packed.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    with gzip.open(HERE / "recorded.spool.gz") as packed:
        (folder / "recorded.spool").write_bytes(packed.read())
    subprocess.run([sys.executable, HERE.parent / "make-database.py", "nsys", folder / "nsys.sqlite"],
                   check=True, timeout=60)


def runs():
    """Name of the file, words of the command."""
    for name, words in CASES.items():
        for face, more in FACES.items():
            yield f"{name}.{face}", [*words, *more]
    for name, (words, faces) in SOME.items():
        for face, more in faces.items():
            yield f"{name}.{face}", [*words, *more]


def shown(tool, words, folder):
    """Output of a command, followed by standard error, and its status."""
    environment = {key: value for key, value in os.environ.items()
                   if not key.startswith("SEAMSCOPE") and key not in ("COLUMNS", "PAGER")}
    ended = subprocess.run([tool, *words], cwd=folder, env=environment, capture_output=True, timeout=120)
    text = ended.stdout.decode()
    if ended.stderr or ended.returncode:
        text += f"== exit status {ended.returncode}, standard error:\n{ended.stderr.decode()}"
    if words[0] == "spools":  # what a file takes on the disk
        text = re.sub(r'("bytes": )\d+', r"\g<1>0", text)
    return text.replace(str(folder), "FOLDER")


def main():
    tool, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    update = sys.argv[3:] == ["--update"]
    lay_out(folder)
    expected = HERE / "expected"
    expected.mkdir(exist_ok=True)
    differ, names = 0, set()
    for name, words in runs():
        names.add(name)
        path, text = expected / name, shown(tool, words, folder)
        # Line ends are part of CSV.
        before = path.read_bytes().decode() if path.exists() else ""
        if text == before and path.exists():
            continue
        differ += 1
        if update:
            path.write_bytes(text.encode())
            continue
        print(f"seamscope {' '.join(words)}")
        sys.stdout.writelines(
            line if line.endswith("\n") else line + "\n\\ no newline\n"
            for line in difflib.unified_diff(before.splitlines(True), text.splitlines(True),
                                             f"expected/{name}", "now"))
    for path in sorted(expected.iterdir()):
        if path.name not in names:
            differ += 1
            path.unlink() if update else print(f"expected/{path.name} is of no command")
    print(f"{len(names)} outputs, {differ} {'written' if update else 'differ'}")
    sys.exit(bool(differ) and not update)


if __name__ == "__main__":
    main()
