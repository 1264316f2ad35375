"""check-recomputed.py REPORT.json: gelu of layers.py by the report and by the generated code."""

import json
import sys

counts = {}
for kernel in json.load(open(sys.argv[1]))["kernels"]:
    gelu = sum(op["calls"] for op in kernel["eager_ops"] if op["name"] == "aten::gelu")
    if not gelu or kernel["graph"] != "0/0":
        continue
    again = sum(op["recomputed"] for op in kernel["eager_ops"] if op["name"] == "aten::gelu")
    code = open(kernel["generated"]["file"]).read()
    # Of the vectorised loops that compute the same the first; a scalar tail has std::erf.
    loops = code.split("#pragma omp for")[-1].split("for(")
    assert max(loop.count(".erf()") for loop in loops) == gelu, (kernel["name"], gelu)
    counts[kernel["name"]] = (gelu, again)
assert counts == {"cpp_fused_add_gelu_native_layer_norm_1": (1, 1),
                  "cpp_fused_add_gelu_native_layer_norm_2": (2, 2),
                  "cpp_fused_add_gelu_3": (3, 2)}, counts
print("kernels have as many erf as their gelu are")
