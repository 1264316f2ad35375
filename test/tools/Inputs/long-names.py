"""long-names.py FILE COUNT: writes a trace of COUNT events whose common name has 600 characters."""

import sys

event = '{"ph": "X", "cat": "cpu_op", "name": "%s", "pid": 1, "tid": 1, "ts": %d, "dur": 1}'
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write("[")
    for number in range(int(sys.argv[2])):
        file.write((",\n" if number else "") + event % ("n" * 600, number))
    file.write("]")
