"""A softmax and a layer norm with what follows them fused in, and with "model" as the first
argument a network of several fused kernels, whose loops are counted."""
import json
import sys

import torch


def softmax_scaled(x, y):
    s = torch.softmax(x, -1)
    return s * y


def norm(x, w, b):
    h = torch.nn.functional.layer_norm(x, (x.shape[-1],), w, b)
    return torch.relu(h)


def main():
    torch.manual_seed(0)
    x, y = torch.rand(512, 1000), torch.rand(512, 1000)
    w, b = torch.rand(1000), torch.rand(1000)
    for function, values in ((softmax_scaled, (x, y)), (norm, (x, w, b))):
        compiled = torch.compile(function)
        for _ in range(3):
            torch.testing.assert_close(compiled(*values), function(*values), rtol=1e-4, atol=1e-4)


def model():
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(64, 4, 256, dropout=0.0, batch_first=True)
    network = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
    head = torch.nn.Sequential(torch.nn.Linear(64, 300), torch.nn.LogSoftmax(-1))
    compiled = torch.compile(torch.nn.Sequential(network, head))
    for _ in range(3):
        compiled(torch.rand(8, 128, 64)).square().mean().backward()


def kernel_with(report, word):
    found = [each for each in report["kernels"] if word in each["name"] and each["uses"]]
    assert len(found) == 1, (word, [each["name"] for each in report["kernels"]])
    return found[0]


def nodes_of(loop):
    assert loop["nodes"] and len(loop["nodes"]) == 1, loop
    return set(loop["nodes"][0]["nodes"]), set(loop["nodes"][0]["captured"])


def check(report):
    softmax = kernel_with(report, "softmax")
    outer = [each for each in softmax["loops"] if each["parent"] is None]
    inner = [each for each in softmax["loops"] if each["parent"] is not None]
    assert [nodes_of(each)[0] for each in outer] == [
        {"amax", "sub", "exp", "sum_1", "div", "mul"}], softmax["loops"]
    expected = [({"amax"}, {"s"}), ({"sub", "exp", "sum_1"}, {"s"}), ({"div", "mul"}, {"s", "mul"})]
    inner.sort(key=lambda each: each["source"]["line"])
    assert [nodes_of(each) for each in inner] == expected, [nodes_of(each) for each in inner]
    print("softmax: three loops lead to their nodes")

    layer_norm = kernel_with(report, "layer_norm")
    outer = [each for each in layer_norm["loops"] if each["parent"] is None]
    outer.sort(key=lambda each: each["source"]["line"])
    names = [nodes_of(each)[0] for each in outer]
    assert len(names) >= 2 and all(each == {"var_mean"} for each in names[:-1]), names
    assert names[-1] >= {"sub", "rsqrt", "mul", "mul_1", "add", "add_1", "relu"}, names
    assert "relu" in nodes_of(outer[-1])[1]
    print("layer norm: all loops lead to their nodes")


def count(report):
    known = unknown = fused = 0
    for kernel in report["kernels"]:
        if not kernel["uses"] or not kernel["loops"]:
            continue
        fused += 1
        calls = {(each["graph"], each["direction"], each["process"], each["call"]): each
                 for each in kernel["uses"]}
        for loop in kernel["loops"]:
            if loop["nodes"] is None:
                unknown += 1
                continue
            known += 1
            for use in loop["nodes"]:
                call = calls[use["graph"], use["direction"], use["process"], use["call"]]
                assert use["nodes"], loop
                assert set(use["nodes"]) <= {each["name"] for each in call["nodes"]}, (use, call)
                assert set(use["captured"]) <= {each["name"] for each in call["captured"]}, use
    assert fused > 3 and known > unknown, (fused, known, unknown)
    print(f"model: {fused} kernels, {known} loops with nodes, {unknown} unknown, "
          "all nodes their kernel's")


if sys.argv[1:2] == ["--check"]:
    check(json.load(open(sys.argv[2])))
elif sys.argv[1:3] == ["model", "--check"]:
    count(json.load(open(sys.argv[3])))
elif sys.argv[1:2] == ["model"]:
    model()
else:
    main()
