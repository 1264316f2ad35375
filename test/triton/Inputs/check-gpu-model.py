"""check-gpu-model.py RUN REPORT.json PROGRAM: the report of gpu-model.py beside what the stand-in's GPU did.

The stand-in wrote down every kernel of both runs; which of them an operator or a part of a step is, is written here
by hand; and nodes and lines are those of torch's own log and of the program's text. Times agree to the ns.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../torch/Inputs/programs"))
from found import records

run, report_path, program = sys.argv[1:4]
report = json.load(open(report_path))
found = report["attribution"]
assert found["time_of"] == "device" and not found["unplaced"] and not found["without_event"], found

# What a call of each function launches: part and eager operator, or kernel of the compiled run.
EAGER = {"Model": ["linear", "gelu", "layer_norm", "add", "linear", "div", "softmax"],
         "double": ["sigmoid", "mul"], "triple": ["sigmoid", "mul"]}
NAMES = {"linear": "addmm", "layer_norm": "native_layer_norm", "softmax": "_softmax"}
FUSED, SOFTMAX, SIGMOID = ("triton_per_fused_add_addmm_gelu_native_layer_norm_0",
                           "triton_per_fused__softmax", "triton_poi_fused_mul_sigmoid_0")
COMPILED = {"Model": ["eager_mm", FUSED, "eager_mm", SOFTMAX], "double": [SIGMOID], "triple": [SIGMOID]}
REPLACED = {FUSED: ["gelu", "layer_norm", "add"], SOFTMAX: ["div", "softmax"], SIGMOID: ["sigmoid", "mul"]}
LINES = {FUSED: {"gelu", "norm", "residual"}, SOFTMAX: {"attention"}, SIGMOID: {"double", "triple"}}
FUNCTIONS = list(EAGER)
CALLS = 12


def launched(which, expected):
    """The launches of each step: (what, ns), in the order of the program."""
    done = [each for each in json.load(open(os.path.join(run, f"{which}.json")))["activities"]
            if each["kind"] == "kernel"]
    done.sort(key=lambda each: each["correlation"])
    steps, at = [], 0
    for number in range(CALLS * len(FUNCTIONS)):
        names = expected[FUNCTIONS[number % len(FUNCTIONS)]]
        mine = done[at:at + len(names)]
        at += len(names)
        for name, each in zip(names, mine, strict=True):
            assert each["name"].startswith(name if which == "compiled" else "eager_" + NAMES.get(name, name)), each
        steps.append([(name, each["end"] - each["begin"]) for name, each in zip(names, mine)])
    assert at == len(done), (at, len(done))
    return steps


def spans(path):
    """Of each step when it begins and ends on the host and on the device, in ns."""
    events = [e for e in json.load(open(path))["traceEvents"] if e.get("ph") == "X"]
    done_at = 0
    marks = sorted((e for e in events if e["name"].startswith("seamscope.compiled ")), key=lambda e: e["ts"])
    kernels = [e for e in events if e.get("cat") == "kernel"]
    launches = {e["args"]["correlation"]: e for e in events if e.get("cat") == "cuda_driver"}
    for mark in marks:
        begin, end = mark["ts"], mark["ts"] + mark["dur"]
        mine = [e for e in kernels if begin <= launches[e["args"]["correlation"]]["ts"] < end]
        last = max(e["ts"] + e["dur"] for e in mine)
        yield mark["name"].split(" ", 1)[1], round(1000 * (max(end, last) - max(begin, done_at)))
        done_at = last


eager, compiled = launched("eager", EAGER), launched("compiled", COMPILED)
steps = found["steps"]
assert 12 <= len(steps) < len(eager), len(steps)
left = len(eager) - len(steps)  # at the front: with compilation, and slow first ones
took = {"eager": list(spans(os.path.join(run, "eager/1/trace.json")))[left:],
        "compiled": list(spans(os.path.join(run, "trace.json")))[left:]}
for number, step in enumerate(steps):
    assert step["name"] == FUNCTIONS[(left + number) % len(FUNCTIONS)], (number, step["name"])
    for side, launches in (("eager", eager[left + number]), ("compiled", compiled[left + number])):
        parts = {part["name"]: part[f"{side}_ns"] for part in step["parts"]}
        gemm = sum(ns for name, ns in launches if name in ("linear", "eager_mm"))
        assert parts["gemm"] == gemm, (number, side, parts, gemm)
        assert parts["memory_bound"] == sum(ns for _, ns in launches) - gemm, (number, side, parts)
        assert took[side][number] == (step["name"], step[f"{side}_ns"]), (took[side][number], step)
        assert parts["overhead"] + parts["idle"] == step[f"{side}_ns"] - sum(ns for _, ns in launches), parts
        assert sum(parts.values()) == step[f"{side}_ns"], parts

source = open(program, encoding="utf-8").read().splitlines()
nodes_of = {}
for record, payload in records(run):
    if record.get("artifact", {}).get("name") == "inductor_provenance_tracking_node_mappings":
        for key, nodes in json.loads(payload)["cppCodeToPost"].items():
            nodes_of.setdefault(key.rsplit(":", 1)[0], set()).update(nodes)
kernels = {kernel["name"]: kernel for kernel in report["kernels"] if kernel["name"].startswith("triton_")}
assert len(kernels) == 3, list(kernels)
for name, kernel in kernels.items():
    (known,) = [each for each in REPLACED if name.startswith(each)]
    assert kernel["device"] == 0 and kernel["threads"] is None, kernel
    mine = [ns for launches in compiled[left:] for each, ns in launches if each == known]
    assert kernel["compared_calls"] == len(mine) and kernel["compared_ns"] == sum(mine), (name, len(mine))
    theirs = {}
    for number, launches in enumerate(compiled[left:]):
        for each, _ in launches:
            if each == known:
                for operator, ns in eager[left + number]:
                    if operator in REPLACED[known]:
                        calls, total = theirs.get(operator, (0, 0))
                        theirs[operator] = calls + 1, total + ns
    assert kernel["eager_ns"] == sum(ns for _, ns in theirs.values()), (name, kernel["eager_ns"], theirs)
    ops = {op["name"].removeprefix("aten::"): (op["compared_calls"], op["total_ns"])
           for op in kernel["eager_ops"] if op["compared_calls"]}
    assert ops == theirs, (name, ops, theirs)
    # `linear` is the library's, but this kernel adds its bias.
    assert "aten::linear" in [op["name"] for op in kernel["eager_ops"]] or known == SIGMOID
    assert {node["name"] for node in kernel["nodes"]} == nodes_of[name], name
    for line in kernel["python"]:
        assert line["file"] == os.path.abspath(program) and source[line["line"] - 1].strip() == line["code"], line
    tags = {line["code"].rsplit("# ", 1)[1] for line in kernel["python"] if "# " in line["code"]}
    assert tags == LINES[known], (name, tags)
    assert kernel["uses"] and all(use["handle"] for use in kernel["uses"]), kernel["uses"]
# The two kernels of one name lie in two graphs, and each of their launches in its own.
events = [e for e in json.load(open(sys.argv[4]))["traceEvents"] if e.get("name") == SIGMOID]
of_graph = [e["args"]["seamscope_graph"] for e in sorted(events, key=lambda e: e["ts"])]
assert of_graph == ["1/0", "2/0"] * CALLS, of_graph
print(f"{len(steps)} steps and {len(kernels)} kernels as the GPU ran them")
