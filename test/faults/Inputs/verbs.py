"""Makes each system call of each verb fail, one per run, and checks the result for the user.

  verbs.py SEAMSCOPE INJECT FOLDER [--runs N] [--only CASE]

With an error the tool either does its whole work, or ends with status 1 and one line that says why. No
file is half-written, no temporary file is left, and existing files stay; the same is true of signals.
--runs: about this number of runs in all, evenly over the cases (0: every call with every error).
Calls of the dynamic loader and of constructors of libraries come before the program's entry point and
are left out.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import collections
import concurrent.futures
import errno
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tools/Inputs/faces"))
import faces  # noqa: E402
import outputs  # noqa: E402

ERRORS = ("ENOSPC", "EIO", "EMFILE", "EPERM", "EINTR")
# Only these calls can fail with EINTR.
INTERRUPTIBLE = {"open", "openat", "read", "pread64", "readv", "write", "pwrite64", "writev", "close", "fsync",
                 "fdatasync", "ftruncate", "fallocate", "flock", "fcntl", "ioctl", "poll", "wait4", "getrandom"}
SIGNALS = ("SIGKILL", "SIGTERM", "SIGINT")
OLD = b"what was there\n"

# Name, words, and the output; {in} is the folder of inputs, {work} the run's own. Without an output
# it is standard output.
CASES = [
    ("report", "report {in}/host.json -w 120"),
    ("report-pipe", "report - --json", "stdin"),
    ("report-text", "report {in}/gpu.json -o {work}/out.txt"),
    ("report-json", "report {in}/gpu.json --json -o {work}/out.json"),
    ("report-csv", "report {in}/host.json --csv -o {work}/out.csv"),
    ("report-markdown", "report {in}/host.json --markdown -o {work}/out.md"),
    ("report-html", "report {in}/gpu.json --html -o {work}/out.html"),
    ("report-xlsx", "report {in}/host.json --xlsx -o {work}/out.xlsx"),
    ("report-run", "report {in}/compiled-run --json -o {work}/out.json"),
    ("report-ranks", "report {in}/ranks --json -o {work}/out.json"),
    ("report-nsys", "report {in}/nsys.sqlite --json -o {work}/out.json"),
    ("report-spool", "report {in}/recorded.spool --json -o {work}/out.json"),
    ("report-baseline", "report --baseline {in}/eager.json {in}/host.json --json -o {work}/out.json"),
    ("report-by", "report --by op {in}/gpu.json --csv -o {work}/out.csv"),
    ("diff", "diff {in}/host.json {in}/host-after.json --json -o {work}/out.json"),
    ("kernels", "kernels {in}/gpu.json --csv -o {work}/out.csv"),
    ("roofline", "roofline {in}/gpu.json -o {work}/out.svg"),
    ("source", "source cpp_fused {in}/compiled-run -o {work}/out.txt"),
    ("convert-json", "convert {in}/host.json {work}/out.json"),
    ("convert-gzip", "convert {in}/gpu.json -o {work}/out.json.gz"),
    ("convert-csv", "convert {in}/host.json {work}/out.csv"),
    ("convert-folded", "convert {in}/host.json {work}/out.folded"),
    ("convert-stdout", "convert {in}/host.json -"),
    ("convert-nsys", "convert {in}/nsys.sqlite {work}/out.json"),
    ("convert-spool", "convert {in}/recorded.spool {work}/out.json"),
    ("augment", "augment {in}/gpu.json {work}/out.json"),
    ("augment-itself", "augment {work}/out.json {work}/out.json", "trace"),
    ("augment-pipe", "augment - {work}/out.json", "stdin"),
    ("combine", "combine {in}/host.json {in}/host-after.json {in}/recorded.spool -o {work}/out.json"),
    ("recover", "recover {work}/left.spool -o {work}/out.json", "spool"),
    ("recover-gzip", "recover --keep {work}/left.spool -o {work}/out.json.gz", "spool"),
    ("spools", "spools {in}/recorded.spool --json"),
    ("spools-remove", "spools --remove {work}/left.spool", "spool"),
    ("adopt", "adopt {work}/run --cache {work}/cache --start-ns 1 --wall-ns 2 -- python3 x.py", "folder"),
    ("adopt-begin", "adopt --begin {work}/new"),
    ("mlir-print", "mlir-baseline x.mlir --print"),
    ("schema", "schema report"),
    ("completion", "completion bash"),
    ("help", "report --help"),
]


class Case:
    def __init__(self, options, name, words, setting=""):
        self.options, self.name, self.setting = options, name, setting
        self.work = options.folder / name
        self.words = [word.replace("{in}", str(options.inputs)).replace("{work}", str(self.work / "w"))
                      for word in words.split()]
        out = [word for word in self.words if word.startswith(f"{self.work}/w/out")]
        self.out = pathlib.Path(out[-1]) if out else None
        self.faults = collections.Counter()

    def prepare(self):
        shutil.rmtree(self.work, ignore_errors=True)
        for folder in ("w", "tmp", "log"):
            (self.work / folder).mkdir(parents=True)
        if self.out:
            self.out.write_bytes(OLD)
        inputs = self.options.inputs
        if self.setting == "trace":
            shutil.copy(inputs / "gpu.json", self.out)
        if self.setting == "spool":
            shutil.copy(inputs / "recorded.spool", self.work / "w/left.spool")
        if self.setting == "folder":
            shutil.copytree(inputs / "compiled-run", self.work / "w/run", ignore=shutil.ignore_patterns(
                "manifest.json", "generated"))
            (self.work / "w/cache").mkdir()

    def files(self):
        """The files in the case's folders, None for a folder, without the note that a cache may lack."""
        return {str(path.relative_to(self.work)): outputs.contents(path) if path.is_file() else None
                for path in sorted((*(self.work / "w").rglob("*"), *(self.work / "tmp").rglob("*")))
                if path.name != ".seamscope-hooks"}

    def run(self, *options):
        """The tool's exit status, its output, and the files in the folder."""
        self.prepare()
        log = self.work / "log"
        environment = {key: value for key, value in os.environ.items() if not key.startswith("SEAMSCOPE")}
        environment.update(TMPDIR=str(self.work / "tmp"), TERM="dumb", COLUMNS="100")
        given = self.options.inputs / "host.json" if self.setting == "stdin" else os.devnull
        with open(given, "rb") as stdin, open(log / "stdout", "wb") as stdout, open(log / "stderr", "wb") as stderr:
            status = subprocess.run(
                [self.options.inject, "--program", "--limit", "120", "--result", log / "result", *options,
                 "--", self.options.tool, *self.words],
                cwd=self.work, env=environment, stdin=stdin, stdout=stdout, stderr=stderr, timeout=200).returncode
        files = self.files()
        return Ended(status, json.loads((log / "result").read_text()), (log / "stdout").read_bytes(),
                     (log / "stderr").read_text(errors="replace"), files)

    def calls(self):
        """The names of the calls that can fail, in order."""
        self.run("--list", str(self.work) + ".calls")
        lines = pathlib.Path(str(self.work) + ".calls").read_text(errors="replace").splitlines()
        return [line.split("\t")[2] for line in lines]

    def judge(self, right, before, ended, error):
        """The problems that were found."""
        failed = ended.result["failed"]
        if error in SIGNALS:
            # A file that replaces another briefly needs its own name.
            named = failed[0].split(" ", 1)[0] == "rename" and ended.result["signal"] == 9
            for name in ended.files.keys() | before.keys():
                kept = ended.files.get(name, b"gone")
                if kept not in (before.get(name, b"gone"), right.files.get(name, b"gone")) and not named:
                    return f"leaves {name}"
            out = str(self.out.relative_to(self.work)) if self.out else None
            if self.setting == "spool" and "w/left.spool" not in ended.files and out and ended.files.get(out) != right.files[out]:
                return "removes the spool and writes nothing"
            return ""
        if ended.status == 124 or ended.result["signal"]:
            return f"ended by {'its time limit' if ended.status == 124 else ended.result}"
        unheard = any(call.startswith("write ") and call.endswith("/log/stderr") for call in failed)
        said = [line for line in ended.stderr.splitlines() if line not in right.stderr.splitlines()]
        if any(not line.startswith("seamscope: ") for line in said):
            return "says more than lines of its own"
        out = str(self.out.relative_to(self.work)) if self.out else None
        if ended.status == right.status:
            # A spool that cannot be read is listed as such, with the reason.
            if ended.stdout != right.stdout and not (self.name.startswith("spools") and ended.files == right.files and (
                    b"remove" in ended.stdout or os.strerror(getattr(errno, error)).encode() in ended.stdout)):
                return "ends as if all were well, with another output"
            kept = {name for name in ended.files if name not in right.files}
            # A file that could not be removed stays, and a message says so.
            if kept - ({"w/left.spool"} if said or unheard else set()):
                return f"leaves {sorted(kept)}"
            # A source that adopt cannot keep gives a message and a note in the manifest.
            if any(ended.files.get(name) != text for name, text in right.files.items()) and not (
                    self.name == "adopt" and said and isinstance(json.loads(ended.files["w/run/manifest.json"]), dict)):
                return "ends as if all were well, with another file"
            return ""
        if ended.status != 1:
            return "has another status"
        if len(said) != 1 and not unheard:
            return f"says {len(said)} lines"
        if not right.stdout.startswith(ended.stdout):
            return "writes other text"
        for name, text in ended.files.items():
            whole = name in right.files and text == right.files[name]
            if not whole and (name not in before or text != before[name]):
                return f"leaves {name}"
        for name in before:
            if name not in ended.files and name in right.files:
                return f"removes {name}"
            if name not in ended.files and out and ended.files.get(out) != right.files[out]:
                return f"removes {name} and writes nothing"
        return ""

    def sweep(self, wanted):
        self.prepare()
        before = self.files()
        right, again = self.run(), self.run()
        if right.status not in (0, 124) or right.stdout != again.stdout or right.files != again.files:
            return [f"{self.name}: ends with {right.status}, or differently each time: {right.stderr}"]
        calls = self.calls()
        pairs = [(number, error) for number, call in enumerate(calls, 1) for error in ERRORS + SIGNALS
                 if (error != "EINTR" or call in INTERRUPTIBLE)
                 # libxlsxwriter handles these faults badly, but they cannot happen: seeking in a file never fails.
                 and not (error in ERRORS and call == "lseek" and self.name == "report-xlsx")]
        if wanted and len(pairs) > wanted:
            pairs = random.Random(self.name).sample(pairs, wanted)
        wrong = []
        for number, error in sorted(pairs):
            ended = self.run("--fail", f"{number}:{error}")
            if not ended.result["failed"]:
                continue
            self.faults[error] += 1
            if why := self.judge(right, before, ended, error):
                wrong.append(f"{self.name}: call {number}, {ended.result['failed'][0]}: {error}: {why}\n"
                             f"    status {ended.status}: {ended.stderr.strip()}")
        shutil.rmtree(self.work)
        return wrong


Ended = collections.namedtuple("Ended", "status result stdout stderr files")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("inject", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--only")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    options.inputs = options.folder / "in"
    options.tool, options.inject = options.tool.resolve(), options.inject.resolve()
    faces.lay_out(options.inputs)
    cases = [Case(options, *case) for case in CASES if not options.only or case[0] == options.only]
    with concurrent.futures.ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        found = pool.map(lambda case: case.sweep(-(-options.runs // len(cases))), cases)
        wrong = [line for lines in found for line in lines]
    print("\n".join(wrong))
    total = sum((case.faults for case in cases), collections.Counter())
    print(f"{total.total()} faults in {len(cases)} commands: "
          + ", ".join(f"{total[error]} {error}" for error in ERRORS + SIGNALS) + f"; {len(wrong)} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
