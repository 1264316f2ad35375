"""odd-files.py SEAMSCOPE START [all]: puts odd files into every place where a file is read, and checks
each verb.

START is the folder of `run`'s files for the user's process, which read the pass settings. Without `all`, each kind of
file in each place of a run's folder is tried with some of the verbs, in rotation.
"""

import json
import os
import pty
import resource
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys

tool, start, *of_all = sys.argv[1:]
TERABYTE = 1 << 40
MOST_MEMORY = 400 << 10  # KB
TRACE = ('{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "cpp_fused_relu_0", "pid": 1, "tid": 1, "ts": 0, '
         '"dur": 5, "args": {"kernel": "cpp_fused_relu_0", "file": "%s", "line": 2}}')
LOG = ('V0130 08:26:16.891000 28899 torch/x.py:1] {"inductor_output_code": {"filename": "/cache/ab/cab.py"}, '
       '"frame_id": 0, "frame_compile_id": 1}\n\tcpp_fused_relu_0 = async_compile.cpp_pybinding([\'float*\'], '
       "r'''\n\textern \"C\"  void  kernel(float* p) { cpp_fused_relu_0(1); }\n\t''')\n\t\n\tdef call(self, args):\n"
       "\t    cpp_fused_relu_0(buf0)\n")


def spool_header(blocks):
    """The first page of a spool that claims so many blocks."""
    first, last = (5, 5, 5, 1), (1000005, 1000005, 1000005, 1)
    numbers = (5, 2544, 256 * 1024, 2, 0, 0, 4711, 1, os.getuid(), -1, -1, 0, 0, 0, blocks, blocks, 0)
    return struct.pack("<8s9IiiI5Q4Q4Q4QQ64s64s2048s", b"SEAMSPL\n", *numbers, *first, *last, *last, 0, b"k", b"host",
                       b"./k").ljust(4096, b"\0")


def sparse(path, beginning, size=TERABYTE):
    with open(path, "wb") as file:
        file.write(beginning)
        file.truncate(size)


def database(path):
    sqlite3.connect(path).executescript(
        "create table StringIds(id integer primary key, value text); insert into StringIds values (1, 'k');"
        "create table CUPTI_ACTIVITY_KIND_KERNEL(start integer, end integer, deviceId integer, contextId integer,"
        "streamId integer, correlationId integer, demangledName integer, shortName integer);"
        "insert into CUPTI_ACTIVITY_KIND_KERNEL values (1, 2, 0, 1, 7, 1, 1, 1);")
    with open(path, "r+b") as file:
        file.truncate(TERABYTE)


terminal = os.ttyname(pty.openpty()[1])
sockets = []


def make_socket(path):
    # Its name may be as long as 107 bytes.
    here = socket.socket(socket.AF_UNIX)
    place = os.open(os.path.dirname(path) or ".", os.O_RDONLY)
    here.bind(f"/proc/self/fd/{place}/{os.path.basename(path)}")
    os.close(place)
    sockets.append(here)


#: What may be in a place. Whoever names one of WAITS on the command line waits for it.
KINDS = {
    "pipe": os.mkfifo,
    "terminal": lambda path: os.symlink(terminal, path),
    "socket": make_socket,
    "folder": os.mkdir,
    "zeros": lambda path: os.symlink("/dev/zero", path),
    "full": lambda path: os.symlink("/dev/full", path),
    "memory": lambda path: os.symlink("/proc/self/mem", path),
    "empty": lambda path: open(path, "wb").close(),
    "hole": lambda path: sparse(path, b""),
    "trace and hole": lambda path: sparse(path, (TRACE % "x").encode() + b', {"x": "'),
    "member and hole": lambda path: sparse(path, b'{"x": "'),
    "text and hole": lambda path: sparse(path, LOG.encode()),
    "gzip and hole": lambda path: sparse(path, b"\x1f\x8b\x08\0\0\0\0\0\0\x03"),
    "program and hole": lambda path: sparse(path, b"\x7fELF\x02\x01\x01"),
    "steps and hole": lambda path: sparse(path, struct.pack("<16sQQ", b"seamscope steps\x01", 1 << 20, 0)),
    "many steps": lambda path: sparse(path, struct.pack("<16sQQ", b"seamscope steps\x01", 1 << 60, 0)),
    "spool and hole": lambda path: sparse(path, spool_header(0)),
    "many blocks": lambda path: sparse(path, spool_header((TERABYTE - 4096) // (256 * 1024))),
    "more blocks": lambda path: sparse(path, spool_header((1 << 64) - 1)),
    "database and hole": database,
}
WAITS = ("pipe", "terminal")


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def run(what, *words, **more):
    """Runs the tool and checks how it ends."""
    with open("out", "wb") as out, open("err", "wb") as err:
        child = subprocess.Popen([tool, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                 preexec_fn=limit, env=dict(os.environ, HOME=os.path.abspath("home"), **more))
        try:
            child.wait(60)
        except subprocess.TimeoutExpired:
            child.kill()
            raise AssertionError(f"{what}: {words}: does not end") from None
    said = open("err", encoding="utf-8", errors="replace").read()
    assert child.returncode in (0, 1, 2), (what, words, child.returncode, said)
    for line in said.splitlines():
        assert line.startswith("seamscope: ") and "bad_alloc" not in line, (what, words, line)
    assert len(said.splitlines()) <= 4, (what, words, said)
    # The largest of all children so far.
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert peak < MOST_MEMORY, (what, words, f"{peak} KB")
    return child.returncode, said


def fresh():
    for folder in ("run", "cache", "home", "spools"):
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
    for folder in ("torch-trace", "generated", "eager/1", "unrecorded/compiled", "unrecorded/eager", "own-compiler"):
        os.makedirs("run/" + folder)
    os.makedirs("cache/ab")
    for path in ("run/trace.json", "run/trace.7.json", "run/eager/1/trace.json"):
        with open(path, "w") as file:
            file.write(TRACE % os.path.abspath("run/generated/own.cpp") + "]}")
    with open("run/manifest.json", "w") as file:
        json.dump({"schema": "seamscope.run/1"}, file)
    with open("run/torch-trace/a.log", "w") as file:
        file.write(LOG)
    shutil.copy("run/trace.json", "good.json")


ON_FOLDER = (("report", "run"), ("report", "--json", "run"), ("source", "cpp_fused_relu_0", "run"), ("kernels", "run"),
             ("report", "run/trace.json"), ("diff", "run/trace.json", "good.json"),
             ("augment", "run/trace.json", "o.json"),
             ("combine", "run", "-o", "o.json"), ("convert", "--rank", "0", "run", "o.json"),
             ("adopt", "run", "--cache", "cache"), ("adopt", "--begin", "run"))
IN_FOLDER = ("manifest.json", "trace.json", "trace.7.json", "torch-trace/a.log", "torch-trace/b.log.gz",
             "compiler-times.jsonl", "steps.bin", "eager/1/trace.json", "eager/1/steps.bin",
             "unrecorded/compiled/steps.bin", "unrecorded/eager/steps.bin", "own-compiler/steps.bin",
             "generated/own.cpp", "generated/cab.py")
NAMED = (("report", "odd"), ("report", "--json", "odd"), ("kernels", "odd"), ("diff", "odd", "good.json"),
         ("diff", "good.json", "odd"), ("report", "good.json", "--baseline", "odd"), ("augment", "odd", "o.json"),
         ("convert", "odd", "o.json"), ("convert", "odd", "o.csv"), ("convert", "odd", "o.folded"),
         ("combine", "odd", "good.json", "-o", "o.json"))
NEVER_PIPES = (("recover", "odd", "-o", "o.json"), ("spools", "odd"), ("spools", "--remove", "odd"),
               ("report", "--rank", "0", "odd"))
#: Whether loops are timed, according to the pass settings.
WANTED = """
import importlib.util, os, sys
for name in ("waiting", "statements"):
    spec = importlib.util.spec_from_file_location("_seamscope_" + name, f"{sys.argv[1]}/{name}.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
os.environ["SEAMSCOPE_PASS"] = "config=odd"
print(module.wanted())
"""
AT_ONCE = 2
runs = 0
turn = 0


def chosen(verbs):
    """All, or the next few of them."""
    global turn
    if of_all:
        return verbs
    turn += AT_ONCE
    return [verbs[(turn + at) % len(verbs)] for at in range(AT_ONCE)]


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def put(kind, path):
    remove(path)
    KINDS[kind](path)


for kind in KINDS:
    # The run's folder: one file at a time, with all verbs.
    for place in IN_FOLDER:
        for words in chosen(ON_FOLDER):
            if kind in WAITS and "run/" + place in words:
                continue  # named
            fresh()
            put(kind, "run/" + place)
            run(f"{kind} as {place}", *words)
            runs += 1
    # Inductor's cache.
    for place in ("cache/ab/kernel.main.cpp", "cache/ab/kernel.main.so", "cache/.seamscope-hooks"):
        fresh()
        put(kind, place)
        run(f"{kind} as {place}", "adopt", "run", "--cache", "cache")
        run(f"{kind} as {place}", "run", "--compile", "on", "--cache", "cache", "-o", "new", "--", "true")
        shutil.rmtree("new", ignore_errors=True)
        runs += 2
    # Named on the command line.
    fresh()
    for words in NAMED + NEVER_PIPES:
        if kind in WAITS and words in NAMED:
            continue
        put(kind, "odd")
        code, said = run(f"{kind} named", *words)
        assert code == 0 or any("odd" in line for line in said.splitlines()), (kind, words, said)
        runs += 1
    if kind not in WAITS:
        put(kind, "odd")
        run(f"{kind} named", "report", "--peaks", "odd", "good.json")
    # Among the spools of this user.
    put(kind, f"spools/seamscope-{os.getuid()}-4711-1.spool")
    for words in (("spools",), ("spools", "--json"), ("recover", "-o", "o.json"),
                  ("run", "-o", "k.json", "--", "true")):
        run(f"{kind} as a spool", *words, SEAMSCOPE_SPOOL_DIR=os.path.abspath("spools"))
        runs += 1
    # The pass settings, which the user's process reads, too.
    put(kind, "odd")
    done = subprocess.run([sys.executable, "-S", "-c", WANTED, start], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "True\n"), (kind, done)
    runs += 1

# Traces that the command line names may come through pipes.
fresh()
for words in NAMED:
    remove("odd")
    os.mkfifo("odd")
    writer = subprocess.Popen(["cp", "good.json", "odd"])
    code, said = run("a pipe with a writer", *words)
    assert code == 0 and writer.wait(60) == 0, (words, said)
    runs += 1
print(runs, "runs")
