"""check-compiler-times.py COLD.json WARM.json: reports of a run that filled the cache, and of one that
found it full. The times of compilation are those of the run that compiled."""
import json
import sys

cold, warm = (json.load(open(path)) for path in sys.argv[1:])
files = cold["compile"]["files"]
assert [file["ns"] for file in files] == sorted((file["ns"] for file in files), reverse=True), files
of_kernel = {name: file for file in files for name in file["kernels"]}
assert cold["kernels"]
for kernel in cold["kernels"]:
    # 10 ms is less than any compiler takes for a file with vectors in it.
    file = of_kernel[kernel["name"]]
    assert kernel["compile_ns"] == file["ns"] > 10_000_000, (kernel["name"], file)
    assert kernel["generated"]["file"].endswith("/" + file["file"]), (kernel["generated"], file)
    assert file["calls"] == 1 and not file["failed"], file
assert warm["kernels"] and all(kernel["compile_ns"] is None for kernel in warm["kernels"])
assert not any(file["kernels"] for file in warm["compile"]["files"]), warm["compile"]["files"]
