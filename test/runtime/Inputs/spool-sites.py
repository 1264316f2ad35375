"""spool-sites.py FOLDER COUNT: the only spool in FOLDER must have COUNT sites."""

import os
import struct
import sys

HEADER, BLOCK, BLOCK_HEADER, SITES = 4096, 256 * 1024, 64, 2

(name,) = os.listdir(sys.argv[1])
with open(os.path.join(sys.argv[1], name), "rb") as file:
    data = file.read()
count = 0
for start in range(HEADER, len(data), BLOCK):
    if struct.unpack_from("<I", data, start)[0] != SITES:
        continue
    at = start + BLOCK_HEADER
    while at < start + BLOCK and (size := struct.unpack_from("<I", data, at)[0]):
        count += 1
        at += size
if count != int(sys.argv[2]):
    sys.exit(f"{sys.argv[2]} sites expected, {count} found")
