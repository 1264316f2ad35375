"""check-names.py TEXT WIDTH COUNT: the kernel table of a report must have COUNT different names, each within the
width (of a name up to 48, else of a line)."""
import re
import sys

path, width, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
lines = [re.sub(r"\x1b\[\d*m", "", line.rstrip("\r\n")) for line in open(path)]
names = [re.split(r" {2,}", line)[0] for line in lines if line.startswith("void ")]
assert len(names) == count == len(set(names)), names
for line, name in zip([line for line in lines if line.startswith("void ")], names):
    assert len(name) <= 48 if width == 48 else len(line) <= width, (len(name), len(line))
