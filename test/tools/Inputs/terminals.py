"""The appearance of text on a terminal: its pager, its colours, its width.

usage: terminals.py SEAMSCOPE FOLDER
"""

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios

tool, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
os.chdir(folder)
event = {"ph": "X", "cat": "cpu_op", "pid": 1, "tid": 1, "dur": 5}
with open("trace.json", "w") as file:
    json.dump([dict(event, name=f"kernel_{'of_a_long_name_' * 8}{i}", ts=10 * i, args={"kernel": f"k{i}"})
               for i in range(40)], file)
usual = {"PATH": os.environ["PATH"], "TERM": "xterm", "LC_ALL": "C.UTF-8"}


def shown(*words, columns=100, rows=24, keys=b"", **environment):
    """What the terminal shows in the end, and the exit status."""
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.execve(tool, [tool, *words], {**usual, **environment})
    if keys:
        os.write(terminal, keys)
    text = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        text += piece
    return text.decode().replace("\r\n", "\n"), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def piped(*words, **environment):
    return subprocess.run([tool, *words], env={**usual, **environment}, capture_output=True, text=True, timeout=60)


REPORT = ["report", "trace.json"]
plain = piped(*REPORT).stdout
# A pager gets the text, once, and the exit status is the report's.
text, status = shown(*REPORT, SEAMSCOPE_PAGER="sed s/^/paged:/")
assert status == 0 and text.startswith("paged:trace.json: 40 events") and text.count("[window]") == 1, (status, text)
text, status = shown(*REPORT, PAGER="sed s/^/paged:/")
assert text.startswith("paged:"), text
# The first variable that is set decides, and there is no pager if it is empty or cat.
text, _ = shown(*REPORT, SEAMSCOPE_PAGER="sed s/^/one:/", PAGER="sed s/^/two:/")
assert text.startswith("one:"), text
for none in "", "cat":
    text, _ = shown(*REPORT, SEAMSCOPE_PAGER=none, PAGER="sed s/^/two:/")
    assert text.startswith("trace.json: "), text
    text, _ = shown(*REPORT, PAGER=none)
    assert text.startswith("trace.json: "), text
# A missing pager is ignored.
text, status = shown(*REPORT, PAGER="no-such-pager -x")
assert status == 0 and text.startswith("trace.json: "), (status, text)
# Leaving it early is not an error.
text, status = shown(*REPORT, PAGER="head -n 1")
assert status == 0 and text.count("\n") == 1, (status, text)
# Settings of less, unless the user has some.
text, _ = shown(*REPORT, PAGER="sh -c 'echo [$LESS]'")
assert "[FRX]" in text, text
text, _ = shown(*REPORT, PAGER="sh -c 'echo [$LESS]'", LESS="R")
assert "[R]" in text, text
# What is not text on a terminal is not paged: data, Markdown, files, pipes.
for words in ["--json"], ["--csv"], ["--markdown"]:
    text, _ = shown(*REPORT, *words, PAGER="sed s/^/paged:/")
    assert "paged:" not in text, text
text, _ = shown(*REPORT, "-o", "file.txt", PAGER="sed s/^/paged:/")
assert text == "" and open("file.txt").read() == plain, text
assert "paged:" not in piped(*REPORT, PAGER="sed s/^/paged:/").stdout
# All verbs that show texts do so.
for words in ["diff", "trace.json", "trace.json"], ["kernels", "trace.json"]:
    text, status = shown(*words, PAGER="sed s/^/paged:/")
    assert status == 0 and text.startswith("paged:"), (words, status, text)
# less itself, where it is: short texts are just printed.
if any(os.access(os.path.join(path, "less"), os.X_OK) for path in usual["PATH"].split(":")):
    text, status = shown(*REPORT, "--top", "2", rows=50)
    assert status == 0 and "[window]" in text, (status, text)
    text, status = shown(*REPORT, rows=10, keys=b"q")
    assert status == 0 and "[window]" not in text, (status, text)
else:
    text, status = shown(*REPORT, "--top", "2")
    assert status == 0 and "[window]" in text, (status, text)

# Colours: only on a terminal that has them, and not with NO_COLOR.
none = {"PAGER": "cat"}
assert "\x1b[" in shown(*REPORT, **none)[0]
assert "\x1b[" in shown(*REPORT, PAGER="sed s/^/paged:/")[0]
for more in {"NO_COLOR": "1"}, {"TERM": "dumb"}:
    assert "\x1b[" not in shown(*REPORT, **none, **more)[0], more
assert "\x1b[" in shown(*REPORT, **none, NO_COLOR="")[0]
assert "\x1b" not in plain

# Width: COLUMNS, else the terminal's; an invalid number is ignored.
quiet = {**none, "NO_COLOR": "1"}


def widest(text):
    return max(map(len, text.splitlines()))


assert widest(shown(*REPORT, columns=90, **quiet)[0]) == 90
assert widest(shown(*REPORT, columns=130, **quiet)[0]) == 130
assert widest(shown(*REPORT, columns=130, COLUMNS="95", **quiet)[0]) == 95
assert widest(piped(*REPORT, COLUMNS="95").stdout) == 95
assert piped(*REPORT, COLUMNS="wide").stdout == piped(*REPORT, COLUMNS="0").stdout == plain
assert widest(piped(*REPORT, "-w", "120", COLUMNS="95").stdout) == 120
# Help is for people, too.
for columns in 60, 100:
    text = piped("report", "--help", COLUMNS=str(columns)).stdout
    lines = [line for line in text.split("Examples:")[0].splitlines() if not line.startswith("Usage")]
    assert columns - 20 < max(map(len, lines)) <= columns, (columns, max(lines, key=len))
print("as git does")
