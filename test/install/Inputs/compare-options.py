"""Compares the options of each verb's --help with those of its page."""
import pathlib
import re
import subprocess
import sys

program, pages = sys.argv[1:]


def output(*command):
    return subprocess.run([program, *command], capture_output=True, text=True, check=True).stdout


verbs = re.findall(r"^  ([a-z]+) ", output("--help").split("Subcommands:")[1], re.MULTILINE)
for verb in verbs:
    given = set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", output(verb, "--help"), re.MULTILINE))
    given.discard("--help")
    page = (pathlib.Path(pages) / f"seamscope-{verb}.md").read_text()
    rows = re.findall(r"^\| (`-.*?) \|", page, re.MULTILINE)
    listed = set(re.findall(r"--[\w-]+", " ".join(rows)))
    if given == listed:
        print(f"{verb}: {len(given)} options, all there")
    else:
        print(f"{verb}: they differ: only in --help {sorted(given - listed)}, "
              f"only in the page {sorted(listed - given)}")
