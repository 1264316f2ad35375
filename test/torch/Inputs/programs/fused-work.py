"""Fused kernels with known work. `fused-work.py --check REPORT` compares it with a report.

For each kernel, by the operators in its name: the operations of its nodes and the bytes of its buffers, by hand; and
how the executed instructions that the kernel counted itself differ from them."""
import json
import re
import sys

N, M = 128, 256


def chain(x, y, z):
    return ((x + y) * z - y) * 2


def in_place(x, w, b):
    return x @ w * b + b


def twice(x, w):
    e = x * 3
    return e @ w, (e + 1) / (x + 2)


def halves(x):
    return x[:, :64] * x[:, 64:128]


def rows(table, index, x):
    return table[index] + x


def constant_row(x):
    return x[0] * 5 + x - 1


F = 4  # bytes of a float
# operators in the name: operations of nodes, bytes, executed operations
KERNELS = {
    "add mul sub": (4 * N * M, (2 * N * M + M + N * M) * F, 4 * N * M),
    # The product's buffer is read and written, b read once.
    "add mul": (2 * N * M, (2 * N * M + M) * F, 2 * N * M),
    "mul slice": (N * 64, 3 * N * 64 * F, N * 64),
    "add index": (N * M, 3 * N * M * F + N * 8, N * M),
    # The product's operand is written, and used by the same kernel.
    "add div mul": (4 * N * M, 3 * N * M * F, 4 * N * M),
    # The row times 5 is a node of M elements, but is computed again for each row.
    "add mul select sub": (M + 2 * N * M, 2 * N * M * F, 3 * N * M),
}


def main():
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(1)
    rand = torch.rand
    cases = [(chain, (rand(N, M), rand(M), rand(N, M))),
             (in_place, (rand(N, 64), rand(64, M), rand(M))),
             (halves, (rand(N, M),)),
             (rows, (rand(1000, M), torch.randint(0, 1000, (N,)), rand(N, M))),
             (constant_row, (rand(N, M),)),
             (twice, (rand(N, M), rand(M, 64)))]
    for function, arguments in cases:
        torch._dynamo.reset()
        compiled = torch.compile(function)
        for _ in range(3):
            result = compiled(*arguments)
        torch.testing.assert_close(result, function(*arguments))


def check(path):
    with open(path) as file:
        kernels = json.load(file)["kernels"]
    found = 0
    for row in kernels:
        graph, work = row.get("graph_work"), row.get("work")
        if graph is None or work is None:
            continue
        assert graph["source"] == "graph" and work["source"] == "counted"
        # What was counted comes first.
        assert row["flop_source"] is None and row["bytes_source"] is None, row["name"]
        calls = row["calls"]
        executed = work["flop"] // calls
        moved = (work["bytes_read"] + work["bytes_written"]) // calls
        words = re.sub(r"^cpp_fused_|_\d+$", "", row["name"]).replace("_", " ")
        print(f"{words}: graph {graph['flop']} FLOP {graph['bytes']} B, counted {executed} FLOP {moved} B")
        if words in KERNELS:
            assert KERNELS[words] == (graph["flop"], graph["bytes"], executed), (words, KERNELS[words])
            found += 1
    print(f"{found} kernels as expected")


if "--check" in sys.argv:
    check(sys.argv[2])
else:
    main()
