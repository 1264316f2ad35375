"""Writes small gzip files that inflate to hundreds of megabytes, each with the bulk in another place of a trace."""

import gzip


def write(name, head, part, count, tail):
    with gzip.open(name + ".json.gz", "wb", 6) as file:
        file.write(head)
        for _ in range(count):
            file.write(part)
        file.write(tail)


MB = 1 << 20
write("string", b'[{"ph": "X", "ts": 1, "dur": 1, "name": "', b"a" * (16 * MB), 20, b"")
write("blanks", b'[{"ph": "X", "ts": 1, "dur": 1},', b" " * (16 * MB), 20, b"{}]")
write("member", b'{"about": "', b"a" * (16 * MB), 20, b'", "traceEvents": []}')
EVENT = b'{"ph":"X","ts":1,"dur":1,"pid":1,"tid":1,"name":"k","args":{"x":"' + b"a" * 100 + b'"}},'
write("events", b"[", EVENT * 10000, 190, b'{"ph":"X","ts":1}]')
write("devices", b'{"deviceProperties":[', b"[]," * 1000000, 20, b'[]],"traceEvents":[]}')
