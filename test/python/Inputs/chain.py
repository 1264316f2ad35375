"""The function that tests of the package compile."""
import torch

torch.manual_seed(0)
torch.set_num_threads(2)
A, B, W = torch.rand(512, 512), torch.rand(512, 512), torch.rand(512, 512)


def chain(a, b):
    return torch.relu(a * b + 1) - a


def product_and_chain(a, b, w):
    return torch.relu((a @ w) * b + 1) - a


def events_of(path, **wanted):
    """Complete events of a trace whose members have the given values."""
    import json

    with open(path) as file:
        return [e for e in json.load(file)["traceEvents"]
                if e["ph"] == "X" and all(e[key] == value for key, value in wanted.items())]


def steps_of(path):
    return [e for e in events_of(path, cat="user_annotation")
            if e["name"].startswith("ProfilerStep#")]


def kernels_of(path):
    return [e for e in events_of(path, cat="cpu_op") if e["name"].startswith("cpp_fused")]
