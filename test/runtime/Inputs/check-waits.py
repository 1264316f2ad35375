"""Checks what threads waited in.

usage: check-waits.py LINES TRACE PROGRAM
LINES: "name tid number of the system call"
"""

import os
import struct
import sys

import samples

lines, trace, program = sys.argv[1:]
(entry,) = samples.read(trace)
assert entry.state == "on", entry.entry
count = 0
for line in open(lines):
    name, tid, call = line.split()
    stretches = [stretch for stretch in entry.off[int(tid)] if stretch[3] == 2 and stretch[1] - stretch[0] > 2e8]
    assert len(stretches) == 1, (name, entry.off[int(tid)])
    wait = entry.waits.get(stretches[0][4])
    assert wait, f"{name}: nobody looked what it waits in"
    assert wait["system_call"] == int(call), (name, wait["system_call"])
    stack = bytes.fromhex(wait["stack"])
    assert len(stack) >= 64 and len(stack) % 8 == 0, (name, len(stack))
    words = struct.unpack(f"<{len(stack) // 8}Q", stack)
    paths = {os.path.basename(entry.module_of(entry.until, word) or "") for word in words}
    assert os.path.basename(program) in paths and "libc.so.6" in paths, (name, paths)
    assert entry.module_of(entry.until, wait["pc"]), name
    count += 1
print(f"{count} threads wait in the right calls")
