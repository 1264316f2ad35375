"""usage: include_circles.py ROOT: fails where files of passes/, runtime/ or tools/ below ROOT include each other in a
circle, and prints its includes. X.cpp and X.h are one node: a function is declared in the header of the file
that has it.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import os
import re
import sys

FOLDERS = ("passes", "runtime", "tools")
# What -I names.
SEARCHED = ("runtime", "runtime/include", "tools", "passes", "passes/llvm", "passes/mlir")


def node(path):
    return os.path.splitext(path)[0]


def files_below(root):
    for folder in FOLDERS:
        for at, _, names in os.walk(os.path.join(root, folder)):
            for name in names:
                if name.endswith((".c", ".cpp", ".h", ".def")):
                    yield os.path.relpath(os.path.join(at, name), root)


def read(root):
    """The nodes that each node includes, each with the first line that does so."""
    files = set(files_below(root))
    includes = collections.defaultdict(dict)
    for path in sorted(files):
        own = path.split("/")[0]
        places = [os.path.dirname(path), *sorted(SEARCHED, key=lambda place: place.split("/")[0] != own)]
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not (match := re.match(r'\s*#\s*include\s+"([^"]+)"', line)):
                    continue
                target = next((found for place in places
                               if (found := os.path.normpath(os.path.join(place, match[1]))) in files), None)
                if target and node(target) != node(path):
                    includes[node(path)].setdefault(node(target), f"{path}:{number}")
    return includes


def shortest_circle(includes, start):
    """The nodes of the shortest way from a node back to itself; None: there is none."""
    before, queue = {}, collections.deque([start])
    while queue:
        at = queue.popleft()
        for target in sorted(includes.get(at, ())):
            if target == start:
                way = [at]
                while way[-1] != start:
                    way.append(before[way[-1]])
                return way[::-1]
            if target not in before:
                before[target] = at
                queue.append(target)
    return None


def main(root):
    includes = read(root)
    if not includes:
        sys.exit(f"{root}: no file includes another")
    reported = set()
    for start in sorted(includes):
        way = shortest_circle(includes, start)
        if not way or reported & set(way):
            continue
        reported.update(way)
        print("circle of includes:", " -> ".join([*way, way[0]]))
        for one, other in zip(way, [*way[1:], way[0]]):
            print(f"  {includes[one][other]}: includes {other}")
    sys.exit(1 if reported else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
