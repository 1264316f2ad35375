"""provenance.py MODEL: MobileBERT, or a small network of convolutions with residual blocks.

Of each, every kernel that Inductor generates is to lead to a line of the model.
"""
import os
import sys

import torch
from found import Found, records
from torch import nn


class Block(nn.Module):
    def __init__(self, width, wider, stride):
        super().__init__()
        self.first = nn.Conv2d(width, wider, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(wider)
        self.second = nn.Conv2d(wider, wider, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(wider)
        self.skip = None
        if stride != 1 or width != wider:
            self.skip = nn.Sequential(nn.Conv2d(width, wider, 1, stride, bias=False),
                                      nn.BatchNorm2d(wider))

    def forward(self, x):
        y = torch.relu(self.norm1(self.first(x)))
        y = self.norm2(self.second(y))
        return torch.relu(y + (x if self.skip is None else self.skip(x)))


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 7, 2, 3, bias=False)
        self.norm = nn.BatchNorm2d(16)
        self.blocks = nn.Sequential(Block(16, 16, 1), Block(16, 32, 2), Block(32, 64, 2))
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        x = torch.relu(self.norm(self.stem(x)))
        x = nn.functional.max_pool2d(x, 3, 2, 1)
        x = self.blocks(x)
        return self.head(x.mean((2, 3)))


def mobilebert():
    from transformers import MobileBertConfig, MobileBertForQuestionAnswering

    config = MobileBertConfig(num_hidden_layers=2)
    words = torch.randint(config.vocab_size, (2, 32))
    return MobileBertForQuestionAnswering(config).eval(), words


def main(name):
    torch.manual_seed(0)
    model, given = mobilebert() if name == "mobilebert" else (Residual().eval(),
                                                              torch.rand(2, 3, 64, 64))
    compiled = torch.compile(model)
    with torch.no_grad():
        for _ in range(2):
            compiled(given)
    if name == "residual":
        model.train()
        compiled(given).square().sum().backward()


def check(name, folder, report):
    found = Found(folder, report, sys.argv[0])
    # Inductor's own map, by graph: kernel and handle to nodes, and those to captured nodes.
    maps = []
    for record, payload in records(folder):
        artifact = record.get("artifact", {}).get("name")
        if artifact == "inductor_provenance_tracking_node_mappings":
            import json
            maps.append((f"{record['frame_id']}/{record['frame_compile_id']}", json.loads(payload)))
    graphs = found.report["graphs"]
    assert [graph["id"] for graph in graphs] == [ident for ident, _ in maps]
    calls = 0
    for (_, own), graph in zip(maps, graphs):
        assert {f"{call['kernel']}:{call['handle']}" for call in graph["calls"]} == set(
            own["cppCodeToPost"])
        for call in graph["calls"]:
            wanted = own["cppCodeToPost"][f"{call['kernel']}:{call['handle']}"]
            assert {node["name"] for node in call["nodes"]} == set(wanted), call
            captured = {pre for post in wanted for pre in own["postToPre"].get(post, [])}
            assert {node["name"] for node in call["captured"]} == captured, call
            calls += 1
    # Every kernel ran, and leads to the model's source.
    ours = "modeling_mobilebert.py" if name == "mobilebert" else os.path.basename(sys.argv[0])
    kernels = found.report["kernels"]
    assert kernels
    for kernel in kernels:
        assert kernel["name"].startswith("cpp_fused_"), kernel["name"]
        lines = [line for line in kernel["python"] if os.path.basename(line["file"]) == ours]
        assert lines, (kernel["name"], kernel["python"])
        for line in lines:
            text = open(line["file"]).read().split("\n")[line["line"] - 1].strip()
            assert text == line["code"], line
        assert kernel["calls"] >= 1 and kernel["nodes"], kernel["name"]
        for use in kernel["uses"]:
            assert use["python"], (kernel["name"], use)
            # Weights laid out anew for the convolutions are no operator's work.
            if use["direction"] != "backward" and any(node["target"] for node in use["nodes"]):
                assert use["eager_ops"], (kernel["name"], use)
    called = {call["kernel"] for graph in graphs for call in graph["calls"] if not call["extern"]}
    assert called == {kernel["name"] for kernel in kernels}, called
    print(f"{name}: {len(kernels)} kernels, {calls} calls, all as Inductor has them")


if sys.argv[2:3] == ["--check"]:
    check(sys.argv[1], *sys.argv[3:])
else:
    main(sys.argv[1])
