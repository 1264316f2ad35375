"""listed.py FILE: the file lists each recipe, with its first line."""

import sys

import seamscope

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
for name, path in seamscope.recipes().items():
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("-- ") and f"| `{name}` | {first[3:].rstrip('.')} |\n" in text, name
