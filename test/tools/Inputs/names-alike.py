"""names-alike.py FILE: kernels whose long names differ in their middles."""
import json
import sys

events = []
for i, kind in enumerate(["float", "double"]):
    name = ("void numerics::linalg::detail::very_long_namespace::fused_kernel<" + kind +
            ", 3, std::vector<int, std::allocator<int> >, std::basic_string<char, "
            "std::char_traits<char>, std::allocator<char> > >(int, int, int)")
    events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": i * 100.0,
                   "dur": 50.0, "args": {"kernel": name, "file": "k.cpp", "line": i + 1}})
with open(sys.argv[1], "w") as file:
    json.dump({"traceEvents": events}, file)
