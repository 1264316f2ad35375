"""Functions of which torch.compile fuses all operators. With --check REPORT, compares the work of these operators with
what the functions say."""
import collections
import json
import sys

import torch

ROWS, COLUMNS, CALLS = 64, 1024, 3
SIZE = ROWS * COLUMNS * CALLS


def chain(x, y):
    a = x + y
    b = a * 0.5
    c = torch.sqrt(b * b + 1)
    d = c / (a + 2)
    return torch.tanh(d) - b


def softmax(x, y):
    return torch.softmax(x, -1) * y


def gelu(x, y):
    h = torch.nn.functional.gelu(x * y)
    return (h * 2).sum()


def log_softmax(x, y):
    return torch.nn.functional.log_softmax(torch.exp(x) * 0.1, -1)


def layers(x, y):
    h = torch.cos(x) * 3
    h = torch.mm(h, y.t()[:, :ROWS])
    h = torch.mm(h, x)
    h = torch.cos(h) * 3
    return torch.mm(h, y.t())


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    for function in (chain, softmax, gelu, log_softmax, layers):
        compiled = torch.compile(function)
        for _ in range(CALLS):
            x, y = torch.rand(ROWS, COLUMNS), torch.rand(ROWS, COLUMNS, requires_grad=function is gelu)
            result = compiled(x, y)
            if function is gelu:
                result.backward()


def sums(kernel):
    """The work of the kernel less that of all its operators; empty: nothing is left."""
    left = collections.Counter()
    for sign, work in [(1, kernel["work"])] + [(-1, each["work"]) for each in kernel["operators"]]:
        for key in ("flop_min", "flop_max", "bytes_read_max", "bytes_written_min", "bytes_written_max"):
            left[key] += sign * work[key]
        for row in work["operations"]:
            left[row["operation"]] += sign * row["count_max"]
        for row in work["math"]:
            left[row["function"]] += sign * row["values_max"]
    return {key: number for key, number in left.items() if number}


class Kernel:
    def __init__(self, report, function, backward=False):
        found = [each for each in report["kernels"] if each.get("operators") and
                 any(line["function"] == function for line in each["python"]) and
                 any((use["direction"] == "backward") == backward for use in each["uses"])]
        assert len(found) == 1, (function, [each["name"] for each in found])
        self.row = found[0]
        self.operators = {each["name"]: each for each in self.row["operators"]}
        assert None in self.operators and list(self.operators)[-1] is None, list(self.operators)

    def work(self, name, key):
        return self.operators[name]["work"][key]

    def math(self, name):
        return {each["function"]: each["values"] for each in self.work(name, "math")}


def check(report):
    kernel = Kernel(report, "chain")
    assert list(kernel.operators) == ["add", "mul", "mul_1", "add_1", "sqrt", "add_2", "div", "tanh", "sub", None]
    for name in kernel.operators:
        assert kernel.work(name, "flop") == (0 if name in ("tanh", None) else SIZE), name
        assert not kernel.operators[name]["recomputed"] and "again" not in kernel.operators[name]
    assert kernel.math("tanh") == {"tanhf": SIZE} and kernel.math("sqrt") == {}
    assert kernel.operators["sqrt"]["operator"] == "aten::sqrt"
    assert kernel.operators["sqrt"]["python"]["code"] == "c = torch.sqrt(b * b + 1)"
    assert kernel.operators[None]["python"] is None and kernel.operators[None]["operator"] is None
    assert kernel.work("add", "bytes_read") == 8 * SIZE and kernel.work("sub", "bytes_written") == 4 * SIZE
    print("chain: each operator has the work of its statements")

    kernel = Kernel(report, "softmax")
    assert kernel.work("amax", "bytes_read") >= 4 * SIZE and kernel.math("exp") == {"expf": SIZE}, kernel.operators
    assert kernel.work("sub", "bytes_read") >= 4 * SIZE and kernel.work("mul", "bytes_written") == 4 * SIZE
    print("softmax: loads and stores belong to operators")

    kernel = Kernel(report, "gelu", backward=True)
    assert kernel.operators["erf"]["recomputed"], kernel.operators["erf"]
    assert kernel.operators["erf"]["again"]["flop_max"] == kernel.work("erf", "flop_max") > SIZE
    assert kernel.row["recomputed"]["flop_max"] < kernel.row["work"]["flop_max"]
    forward = Kernel(report, "gelu")
    assert forward.operators["erf"]["recomputed"] and forward.operators["erf"]["again"]["flop_max"] == 0
    assert forward.row["recomputed"]["flop_max"] == 0
    print("gelu: the backward pass computes it again")

    kernel = Kernel(report, "log_softmax")
    again = [each for each in kernel.row["operators"] if each["recomputed"]]
    assert again and all(0 < each["again"]["flop_max"] < each["work"]["flop_max"] for each in again), again
    assert not kernel.operators["exp"]["recomputed"]
    print("log_softmax: a loop computes what another one did")

    shared = [each for each in report["kernels"] if each.get("operators") and "cos" in each["name"]]
    calls = [row["nodes"] for each in shared for row in each["operators"] if row["operator"] == "aten::cos"]
    assert sorted(node for rows in calls for row in rows for node in row["nodes"]) == ["cos", "cos_1"], calls
    print("layers: one kernel leads to the nodes of each call")

    known = [each for each in report["kernels"] if each.get("operators")]
    assert all(sums(each) == {} for each in known), [sums(each) for each in known]
    print(f"{len(known)} kernels add up")


if sys.argv[1:2] == ["--check"]:
    check(json.load(open(sys.argv[2])))
else:
    main()
