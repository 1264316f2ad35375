"""spool-blocks.py FOLDER: counts blocks of some kinds in the only spool in FOLDER."""

import os
import struct
import sys

HEADER, BLOCK = 4096, 256 * 1024
KINDS = {1: "events", 3: "threads", 4: "live"}

(name,) = os.listdir(sys.argv[1])
with open(os.path.join(sys.argv[1], name), "rb") as file:
    data = file.read(HEADER + 32 * BLOCK)
found = [struct.unpack_from("<I", data, start)[0] for start in range(HEADER, len(data) - 3, BLOCK)]
print(", ".join(f"{text}: {found.count(kind)}" for kind, text in KINDS.items()))
