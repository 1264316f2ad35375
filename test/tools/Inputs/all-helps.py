"""Prints the help of every verb; fails where it is no plain text."""
import re
import subprocess
import sys

program = sys.argv[1]


def help_of(*words):
    text = subprocess.run([program, *words, "--help"], capture_output=True, check=True).stdout
    odd = re.search(rb"[^\n\x20-\x7e]", text)
    if odd:
        sys.exit(f"{' '.join(words)} --help: byte {odd[0]!r} at {odd.start()}")
    return text.decode()


verbs = re.findall(r"^  ([a-z]+) ", help_of().split("Subcommands:")[1], re.MULTILINE)
assert len(verbs) >= 10, verbs
for verb in verbs:
    print(f"== {verb}\n{help_of(verb)}")
