"""Compares what a report says of two processes with the clocks of these."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import sys

report, clocks = sys.argv[1:]
with open(report, encoding="utf-8") as file:
    document = json.load(file)
with open(clocks, encoding="utf-8") as file:
    waited = {int(rank): float(seconds) * 1e9 for rank, seconds in map(str.split, file)}

ranks = {row["rank"]: row for row in document["ranks"]}
assert sorted(ranks) == [0, 1], ranks
for rank, row in ranks.items():
    kernels = {kernel["name"]: kernel for kernel in row["kernels"]}
    total = kernels["exchange"]["total_ns"]
    # The clock's calls are around those of the function.
    assert 0 <= waited[rank] - total < 0.02 * waited[rank] + 2e6, (rank, waited[rank], total)
    assert row["messages_ns"] >= 0.98 * total, row
    assert row["kernel_ns"] + row["messages_ns"] <= row["window_ns"], row
    assert row["unattributed_ns"] - row["messages_ns"] < 0.5 * row["window_ns"], row

work = {rank: row["kernel_ns"] for rank, row in ranks.items()}
assert work[0] > 2 * work[1], work
mean = sum(work.values()) / 2
assert abs(document["rank_imbalance"] - work[0] / mean) < 1e-6, document["rank_imbalance"]
waits = {(row["kernel"], row["wait"]) for row in document["blocked"]}
assert ("exchange", "MPI_Sendrecv") in waits, waits
exchange = next(row for row in document["kernels"] if row["name"] == "exchange")
assert exchange["running_ns"] < 0.1 * exchange["total_ns"], exchange
