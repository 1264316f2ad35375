"""check-fused-work.py SEAMSCOPE TRACE: work of fused Triton kernels against the arguments of their calls.

An argument counts once, in the elements that it stores. What the trace records itself comes first. The name of a kernel
lists each operator once, so that it says nothing about the number of operations, unless none of them computes."""
import collections
import gzip
import json
import re
import subprocess
import sys

SIZES = {"float": 4, "c10::BFloat16": 2, "c10::Half": 2, "double": 8, "long int": 8, "int": 4, "bool": 1}
PARTS = {"slice", "select", "split", "embedding", "index", "gather"}
MOVES = {"_to_copy", "clone", "copy", "cat", "t", "transpose", "view", "_unsafe_view", "permute", "expand", "full"}


def stored(dims, strides):
    """Elements in memory of a tensor; strides of 0 repeat them."""
    count = 1
    for size, stride in zip(dims, strides or [1] * len(dims)):
        count *= size if stride else min(size, 1)
    return count


def bytes_of(args):
    total, sizes, numbers = 0, [], []
    strides = args.get("Input Strides") or [None] * len(args["Input Dims"])
    for dims, kind, step, value in zip(args["Input Dims"], args["Input type"], strides, args["Concrete Inputs"]):
        if kind in SIZES:
            total += SIZES[kind] * stored(dims, step)
            product = 1
            for size in dims:
                product *= size
            sizes.append(product)
        else:
            numbers.append(int(value))
    product = 1
    for number in numbers:
        product *= number
    results = {product} | ({numbers[0]} if len(numbers) == 2 else set())
    return total, sizes[0] in results


def main():
    tool, path = sys.argv[1:]
    with (gzip.open if path.endswith(".gz") else open)(path) as file:
        events = json.load(file)["traceEvents"]
    report = json.loads(subprocess.run([tool, "report", "--json", path], check=True, capture_output=True).stdout)
    calls = collections.defaultdict(list)
    recorded = {}
    for event in events:
        name, args = event.get("name", ""), event.get("args", {})
        if event.get("cat") == "kernel" and "kernel_num_gb" in args:
            recorded[name] = round(args["kernel_num_gb"] * 1e9)
        if event.get("cat") == "cpu_op" and re.match("triton_(poi|red|per)_fused_", name):
            calls[name].append(args)
    count = collections.Counter()
    for row in report["kernels"]:
        name = row["name"]
        if name not in calls:
            continue
        words = set(re.sub(r"_\d+$", "", name).split("_"))
        known = [bytes_of(args) for args in calls[name] if "Input Dims" in args]
        source = "recorded" if name in recorded else "formula"
        if source == "recorded":
            expected, at_least = recorded[name] * row["calls"], False
        elif not known or words & PARTS:
            expected, at_least, source = None, False, None
        else:
            expected = sum(bytes for bytes, _ in known)
            at_least = any(least for _, least in known)
        assert row["bytes"] == expected, (name, row["bytes"], expected)
        assert row["bytes_source"] == source, (name, row["bytes_source"])
        assert row["bytes_at_least"] == at_least, (name, row["bytes_at_least"])
        if not known or not row["flop"]:
            assert row["flop"] == 0 or row["unknown_work"], name
        count[source] += 1
        # Both are known: the difference is what the call reads and writes in place.
        if source == "recorded" and known:
            print(name, recorded[name], "recorded,", known[0][0], "at least" if known[0][1] else "exactly", "by formula")
    print(f"{sum(count.values())} fused kernels agree: {count['formula']} formula, {count['recorded']} recorded")


main()
