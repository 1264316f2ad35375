"""Prints the files below a folder, relative to it, sorted."""
import os
import sys

found = []
for folder, _, files in os.walk(sys.argv[1]):
    found += [os.path.relpath(os.path.join(folder, name), sys.argv[1]) for name in files]
print("\n".join(sorted(found)))
