"""Reads a program's trace slowly from a pipe, and checks what its terminal shows meanwhile.

usage: progress.py PROGRAM
"""

import os
import subprocess
import sys
import time

program = sys.argv[1]


def shown(terminal):
    """Collects the program's stderr, a terminal or a pipe."""
    os.mkfifo("trace")
    reader = os.open("trace", os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reader, True)
    ours, its = os.openpty() if terminal else os.pipe()
    environment = dict(os.environ, SEAMSCOPE="trace", SEAMSCOPE_OUT="trace")
    child = subprocess.Popen([program], env=environment, stderr=its)
    os.close(its)
    # The pipe is full after 64 KiB: the program writes on when it is read from.
    while not os.read(reader, 1):
        time.sleep(0.01)  # not opened yet
    time.sleep(1.5)
    while os.read(reader, 1 << 16):
        pass
    os.close(reader)
    assert child.wait() == 0
    text = b""
    try:
        while chunk := os.read(ours, 4096):
            text += chunk
    except OSError:
        pass  # the end of a terminal
    os.remove("trace")
    return text.decode()


text = shown(terminal=True)
assert "seamscope: writing " in text and " %" in text, text
assert text.endswith("\r\x1b[K"), repr(text)
assert shown(terminal=False) == ""
