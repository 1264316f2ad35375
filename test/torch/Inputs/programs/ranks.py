"""Two ranks that compile: one function in both, another in the second alone. With --spawn the program
starts its ranks itself, so that none is told its number when it starts.
"""
import json
import os
import socket
import sys

import torch
import torch.distributed as dist
from found import both_ways, kernels_in, records


def work(x):
    return torch.relu(x) * 3 + 1  # both


def more(x):
    return torch.sin(x) - 2  # second


def rank(number=None):
    dist.init_process_group("gloo", **({} if number is None else {"rank": number}))
    number = dist.get_rank()
    x = torch.rand(256, 64)
    compiled = torch.compile(work)
    for _ in range(3 + number):
        y = compiled(x)
    dist.all_reduce(y)
    if number:
        torch.compile(more)(x)
    dist.destroy_process_group()


def spawn():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), WORLD_SIZE="2")
    torch.multiprocessing.spawn(rank, nprocs=2)


def check(found):
    """`--rank N` comes as a third argument: the report is of that rank alone."""
    alone = int(sys.argv[4]) if len(sys.argv) > 4 else None
    # What torch's logs, one a rank, say was compiled.
    compiled = {0: set(), 1: set()}
    for record, payload in records(found.folder):
        if "inductor_output_code" in record:
            compiled[record["rank"]].update(name for name, _ in kernels_in(payload))
    assert compiled[0] < compiled[1] and len(compiled[1]) == 2, compiled
    both, second = (compiled[0] & compiled[1]).pop(), (compiled[1] - compiled[0]).pop()
    expected = {0: {both: 3}, 1: {both: 4, second: 1}}
    kernels = {kernel["name"]: kernel for kernel in found.report["kernels"]}
    assert len(kernels) == len(found.report["kernels"])
    if alone is None:
        assert {name: kernel["calls"] for name, kernel in kernels.items()} == {both: 7, second: 1}
        ranks = found.report["ranks"]
        assert [each["rank"] for each in ranks] == [0, 1], ranks
        for each in ranks:
            calls = {kernel["name"]: kernel["calls"] for kernel in each["kernels"]}
            assert calls == expected[each["rank"]], each
            assert each["kernel_ns"] + each["unattributed_ns"] == each["window_ns"], each
        for name, kernel in kernels.items():
            assert kernel["total_ns"] == sum(part["total_ns"] for each in ranks
                                             for part in each["kernels"] if part["name"] == name)
    else:
        assert {name: kernel["calls"] for name, kernel in kernels.items()} == expected[alone]
        assert found.report["trace"]["rank"] == alone and "ranks" not in found.report
    assert found.kernel("both")["name"] == both
    assert found.operators(kernels[both]) == {"aten::relu": 1, "aten::mul": 1, "aten::add": 1}
    if alone != 0:
        assert found.kernel("second")["name"] == second
    for kernel in kernels.values():
        assert kernel["generated"]["file"].startswith(found.folder), kernel["generated"]
    operators = {op["name"]: op["calls"] for op in found.report["operators"]}
    assert operators["c10d::allreduce_"] == (2 if alone is None else 1), sorted(operators)
    # Each rank marks its calls of compiled functions.
    for name in found.manifest["traces"]:
        trace = json.load(open(os.path.join(found.folder, name)))
        names = [event.get("name") for event in trace["traceEvents"]]
        assert trace["distributedInfo"]["world_size"] == 2, trace["distributedInfo"]
        number = trace["distributedInfo"]["rank"]
        assert names.count("seamscope.compiled work") == 3 + number, (name, number)
        assert names.count("seamscope.compiled more") == number, (name, number)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--spawn"]:
        spawn()
    else:
        both_ways(rank, check)
