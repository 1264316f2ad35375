"""Counts the libraries in an Inductor cache that need libseamscope."""
import pathlib
import subprocess
import sys

cache, readelf = sys.argv[1:]
counts = {"kernels": [0, 0], "probes": [0, 0]}
for path in pathlib.Path(cache).glob("??/*.so"):
    kind = "kernels" if path.name.endswith(".main.so") else "probes"
    dynamic = subprocess.run([readelf, "-d", path], capture_output=True, text=True, check=True)
    counts[kind][0] += 1
    counts[kind][1] += "libseamscope" in dynamic.stdout
for kind, (number, needing) in counts.items():
    print(f"{kind}: {number}, with the runtime: {needing}")
