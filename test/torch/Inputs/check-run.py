"""check-run.py RUN PROGRAM REPORT.json: a report beside torch's own log and the program.

Reads the structured log by itself and compares what torch says of each kernel with the report.
"""

import collections
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs"))
from found import records

run, program, report_path = sys.argv[1:4]
report = json.load(open(report_path))
source = [line.strip() for line in open(program)]

logs = glob.glob(os.path.join(run, "torch-trace", "*.log"))
assert len(logs) == 1, logs
mappings = []
for record, payload in records(run):
    name = record.get("artifact", {}).get("name")
    if name == "inductor_provenance_tracking_node_mappings":
        mappings.append((f"{record['frame_id']}/{record['frame_compile_id']}", json.loads(payload)))

# Every kernel call: the nodes that torch says, in the graph that torch says.
assert len(mappings) == len(report["graphs"]), (len(mappings), len(report["graphs"]))
calls = 0
for (ident, mapping), graph in zip(mappings, report["graphs"]):
    assert graph["id"] == ident
    # With a line more in front the program is another one: its graphs are its own.
    assert not graph["cached"]
    of_kernel = mapping["cppCodeToPost"]
    assert len(of_kernel) == len(graph["calls"]), ident
    for call in graph["calls"]:
        wanted = of_kernel[f"{call['kernel']}:{call['handle']}"]
        assert {node["name"] for node in call["nodes"]} == set(wanted), call
        captured = {pre for post in wanted for pre in mapping["postToPre"].get(post, [])}
        assert {node["name"] for node in call["captured"]} == captured, call
        assert all(node["type"] or node["name"].startswith(("var_mean", "split")) for node in call["nodes"]), call
        calls += 1
    assert [call["call"] for call in graph["calls"]] == list(range(len(graph["calls"])))
assert calls > 10, calls

# Every line is one of the program as it is now.
for kernel in report["kernels"]:
    assert kernel["python"], kernel["name"]
    for line in kernel["python"]:
        assert line["file"] == os.path.abspath(program), line
        assert source[line["line"] - 1] == line["code"], line
    for use in kernel["uses"]:
        assert not use["old_lines"], use
    generated = kernel["generated"]
    text = open(generated["file"]).read().split("\n")
    assert generated["file"].startswith(run), generated
    assert "kernel" in text[generated["line"] - 1], generated


def tagged(tag):
    found = [k for k in report["kernels"] if any(l["code"].endswith("# " + tag) for l in k["python"])]
    forward = [k for k in found if all(u["direction"] != "backward" for u in k["uses"])]
    assert forward, tag
    return forward


def operators(kernel):
    return collections.Counter({op["name"]: op["calls"] for op in kernel["eager_ops"]})


(chain,) = tagged("chain")
assert chain["name"] == "cpp_fused_add_mul_0" and chain["calls"] == 3
assert operators(chain) == {"aten::add": 3, "aten::mul": 1}, chain["eager_ops"]
assert {line["code"][-7:] for line in chain["python"]} == {"# chain"} and len(chain["python"]) == 2

(place,) = tagged("place")
assert place["calls"] == 3 and len(place["uses"]) == 3 and len(place["python"]) == 3
assert len({use["handle"] for use in place["uses"]}) == 3
assert operators(place) == {"aten::softmax": 3}

assert operators(tagged("before")[0]) == {"aten::relu": 1, "aten::add": 1}
assert operators(tagged("after")[0]) == {"aten::sin": 1, "aten::mul": 1}
grown = tagged("grows")
assert len(grown) == 2 and sorted(k["calls"] for k in grown) == [1, 2]
assert all(operators(k) == {"aten::cos": 1, "aten::sub": 1} for k in grown)
assert sum((operators(k) for k in tagged("norm")), collections.Counter())["aten::layer_norm"] >= 1

backward = [k for k in report["kernels"] if any(u["direction"] == "backward" for u in k["uses"])]
assert backward and all(k["nodes"] for k in backward), [k["name"] for k in backward]

(broke,) = report["graph_breaks"]
assert source[broke["line"] - 1].endswith("# break"), broke
assert "print" in broke["explanation"] and broke["reason"], broke
again = [r for r in report["recompiles"] if r["function"] == "grows"]
assert len(again) == 1 and "size mismatch" in again[0]["failed"][0]["reason"], report["recompiles"]
assert source[again[0]["line"] - 1].startswith("def grows")
times = report["compile"]
assert times["total_ns"] > 0
assert sum(phase["ns"] for phase in times["phases"]) == times["total_ns"]

manifest = json.load(open(os.path.join(run, "manifest.json")))
assert manifest["schema"] == "seamscope.run/1" and manifest["exit_code"] == 0
assert manifest["torch"] == report["torch"]
for name in manifest["traces"] + manifest["torch_logs"] + manifest["generated"]:
    assert os.path.isfile(os.path.join(run, name)), name
print(f"{calls} calls of kernels as torch has them")
