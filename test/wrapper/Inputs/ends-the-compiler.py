"""ends-the-compiler.py COMMAND...: kills the command once the compiler wrote its number to the file
`pid`, and waits for the compiler to be gone, too."""
import os
import subprocess
import sys
import time

command = subprocess.Popen(sys.argv[1:])
end = time.monotonic() + 60


def wait_for(what, happened):
    while not happened():
        if time.monotonic() > end:
            sys.exit(f"{what}: not within 60 s")
        time.sleep(0.01)


def started():
    return os.path.exists("pid") and open("pid").read().endswith("\n")


def is_gone(pid):
    try:
        return open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


wait_for("the compiler's start", started)
compiler = int(open("pid").read())
assert compiler != command.pid and not is_gone(compiler)
command.kill()
command.wait()
wait_for("the compiler's end", lambda: is_gone(compiler))
