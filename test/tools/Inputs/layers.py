"""usage: layers.py TOOLS LAYERS: fails if a file in the folder TOOLS includes one from a layer that its own layer is
not built on. LAYERS is the list that tools/CMakeLists.txt writes, one layer on each line: "name: folder ... over
layer ..."."""

import os
import re
import sys

tools, listed = sys.argv[1:]
folders, below = {}, {}
with open(listed, encoding="utf-8") as file:
    for line in file:
        name, rest = line.split(":")
        own, _, over = rest.partition(" over ")
        below[name] = {name}.union(*(below[other] for other in over.split()))
        folders.update({folder: name for folder in own.split()})


def layer(path):
    """The layer of a path below TOOLS: that of the innermost listed folder."""
    while path := os.path.dirname(path):
        if path in folders:
            return folders[path]
    return None


found = 0
looked = 0
for at, inner, names in os.walk(tools):
    inner[:] = [name for name in inner if name != "wrapper"]  # a program of its own
    for name in sorted(names):
        path = os.path.relpath(os.path.join(at, name), tools)
        if not name.endswith((".cpp", ".h", ".def")):
            continue
        own = layer(path)
        if not own:
            print(f"{path}: is in no layer of tools/CMakeLists.txt")
            found += 1
            continue
        with open(os.path.join(at, name), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not (match := re.match(r'#include "([^"]+)"', line)):
                    continue
                looked += 1
                what = match[1]
                # From the runtime: the format of spools, and the headers that it installs.
                if what.startswith(("format/", "seamscope/")):
                    continue
                if not os.path.exists(os.path.join(tools, what)):
                    print(f"{path}:{number}: {what} is not below tools/")
                elif layer(what) not in below[own]:
                    print(f"{path}:{number}: {own} may not include {what}, which is of {layer(what)}")
                else:
                    continue
                found += 1
if not looked:
    sys.exit(f"{tools}: no file includes anything")
sys.exit(1 if found else 0)
