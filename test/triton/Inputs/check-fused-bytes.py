"""check-fused-bytes.py RUN REPORT: bytes of kernels by their graphs against Inductor's own estimate (kernel_num_gb),
which it writes next to the source of each kernel."""
import glob
import json
import re
import sys

run, report = sys.argv[1:]
estimates = {}
for path in glob.glob(run + "/torch-trace/*"):
    with open(path) as file:
        for name, source in re.findall(r"async_compile\.triton\('(\w+)', '''(.*?)'''", file.read(), re.S):
            estimates[name] = round(float(re.search(r"'kernel_num_gb': ([0-9.e-]+)", source).group(1)) * 1e9)
with open(report) as file:
    kernels = json.load(file)["kernels"]
found = 0
for row in kernels:
    if row["name"] not in estimates:
        continue
    work = row["graph_work"]
    assert work["bytes"] == estimates[row["name"]], (row["name"], work, estimates[row["name"]])
    assert row["bytes"] == work["bytes"] * row["calls"] and row["bytes_source"] == "graph", row["name"]
    assert (row["flop_source"] is None) == (work["flop"] is None), row["name"]
    # A large sum is split among two kernels: neither has the operations of its node.
    assert (work["flop"] is None) == ("several kernels run a part of" in (work["flop_unknown"] or "")), work
    found += 1
assert found == len(estimates), (found, estimates)
print(f"{found} kernels move what Inductor estimates")
