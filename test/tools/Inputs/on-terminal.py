"""on-terminal.py COLUMNS COMMAND...: runs it on a terminal of that width and prints what it shows."""
import fcntl
import os
import pty
import struct
import sys
import termios

columns, command = int(sys.argv[1]), sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    os.environ["NO_COLOR"] = "1"
    os.environ["SEAMSCOPE_PAGER"] = ""
    os.environ.pop("COLUMNS", None)
    os.execvp(command[0], command)
shown = b""
while True:
    try:
        chunk = os.read(terminal, 65536)
    except OSError:
        break
    if not chunk:
        break
    shown += chunk
status = os.waitpid(child, 0)[1]
sys.stdout.write(shown.decode().replace("\r\n", "\n"))
sys.exit(os.waitstatus_to_exitcode(status))
