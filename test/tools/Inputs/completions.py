"""Asks shells what they complete, with the files that the build made.

usage: completions.py SHARE FOLDER

SHARE has the completions of bash, and those of zsh and fish, which are asked where they are installed.
"""

import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import time

share, folder = (pathlib.Path(path).resolve() for path in sys.argv[1:])
BASH = share / "bash-completion/completions/seamscope"
ZSH = share / "zsh/site-functions/_seamscope"
FISH = share / "fish/vendor_completions.d/seamscope.fish"
(folder / "some-trace.json").write_text("[]")
environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": "dumb", "LC_ALL": "C.UTF-8",
               "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
# What is typed, what must be offered, and what must not be.
CASES = [
    ("seamscope repo", ["report"], ["diff"]),
    ("seamscope ", ["report", "diff", "kernels", "convert", "run"], ["schema", "completion"]),
    ("seamscope report --so", ["--sort"], ["--step"]),
    ("seamscope report --sort ", ["self", "total", "calls", "p99", "name"], ["delta"]),
    ("seamscope diff --sort ", ["delta", "a_calls"], ["p99"]),
    ("seamscope report --by op", ["op", "op+shape"], ["kernel"]),
    ("seamscope report --columns calls,to", ["calls,total"], ["self"]),
    ("seamscope kernels -c ki", [], ["sil"]),
    ("seamscope kernels --so", ["--sort"], []),
    ("seamscope kernels --", ["--window", "--json"], ["--by"]),
    ("seamscope run --mode ", ["trace", "profile"], []),
]


def run(*command):
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0 and not ended.stderr, ended
    return ended.stdout.split("\n")


def in_bash(line):
    """The answer of bash's function, called as readline does."""
    words = line.split(" ")
    return run("bash", "--norc", "-c", f"""
        source '{BASH}'
        COMP_WORDS=({" ".join(f"'{word}'" for word in words)})
        COMP_CWORD={len(words) - 1}
        COMP_LINE='{line}' COMP_POINT={len(line)}
        _seamscope seamscope 2>/dev/null
        printf '%s\\n' "${{COMPREPLY[@]}}" """)


def in_fish(line):
    return [offered.split("\t")[0] for offered in run("fish", "-N", "-c", f"source '{FISH}'; complete -C '{line}'")]


def typed(command, setup, line, expected):
    """Types the line and a tab into a shell on a terminal, until the answer contains what is expected."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe(command[0], command, environment)
    shown, deadline = "", time.monotonic() + 60

    def read_until(text):
        nonlocal shown
        while text not in shown:
            assert time.monotonic() < deadline, (line, expected, shown)
            if select.select([terminal], [], [], 1)[0]:
                shown += os.read(terminal, 65536).decode(errors="replace")

    os.write(terminal, (setup + "\necho rea''dy\n").encode())
    read_until("ready\r\n")
    shown = ""
    os.write(terminal, (line + "\t\t").encode())
    for text in expected:
        read_until(text)
    os.close(terminal)
    os.kill(child, 9)
    os.waitpid(child, 0)


for name, ask in ("bash", in_bash), ("fish", in_fish):
    if not shutil.which(name):
        print(f"{name}: not installed")
        continue
    for line, offered, not_offered in CASES:
        got = [word.rstrip() for word in ask(line)]
        missing = [word for word in offered if word not in got]
        wrong = [word for word in not_offered if word in got]
        assert not missing and not wrong, (name, line, missing, wrong, got)
    print(f"{name}: {len(CASES)} lines are completed")
ask = None
typed(["bash", "--norc", "--noprofile", "-i"], f"source '{BASH}'; bind 'set enable-bracketed-paste off'",
      "seamscope repo", ["seamscope report "])
typed(["bash", "--norc", "--noprofile", "-i"], f"source '{BASH}'; bind 'set enable-bracketed-paste off'",
      "seamscope report some-t", ["some-trace.json"])
typed(["bash", "--norc", "--noprofile", "-i"], f"source '{BASH}'; bind 'set enable-bracketed-paste off'",
      "seamscope report --sort=p9", ["--sort=p99"])
print("bash: typed")
if shutil.which("zsh"):
    setup = (f"PS1='> '; fpath=('{ZSH.parent}' $fpath); autoload -Uz compinit; compinit -u -D; "
             "unsetopt zle_bracketed_paste 2>/dev/null; setopt no_beep; LISTMAX=0")
    zsh = ["zsh", "-f", "-i"]
    typed(zsh, setup, "seamscope repo", ["seamscope report"])
    typed(zsh, setup, "seamscope report --so", ["--sort"])
    typed(zsh, setup, "seamscope report --sort ", ["self", "p99"])
    typed(zsh, setup, "seamscope report some-t", ["some-trace.json"])
    typed(zsh, setup, "seamscope di", ["seamscope diff"])
    print("zsh: typed")
else:
    print("zsh: not installed")
