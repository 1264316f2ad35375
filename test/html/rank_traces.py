"""Traces of the ranks of a run, and what each rank did in its wall time, from their events alone.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import json
import os
import random

REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
GATHER = "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)"


def kernel(name, begin, duration, stream, **arguments):
    return {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": stream, "ts": begin, "dur": duration,
            "args": {"device": 0, "stream": stream, **arguments}}


def collective(name, kind, begin, duration, stream, ranks, group):
    return kernel(name, begin, duration, stream,
                  **{"Collective name": kind, "In msg nelems": 4096, "Out msg nelems": 4096, "dtype": "Float",
                     "Group size": ranks, "Process Group Name": group})


def write(folder, ranks, steps=6, late=None, matched=True):
    """One trace for each rank. `late` computes longer than the others, which wait for it; without `matched`, the
    collectives' group is not known. Returns the events by rank."""
    os.makedirs(folder, exist_ok=True)
    rng = random.Random(ranks)
    all_events = [[] for _ in range(ranks)]
    at = 1000
    for step in range(steps):
        ready = []
        for rank, events in enumerate(all_events):
            length = rng.randrange(200, 300) + (180 if rank == late else 0)
            events.append(kernel("gemm", at, length, 7))
            # A reduction in another group, which no other rank knows: computing hides its begin, and during its end the
            # rank waits for others in another collective.
            events.append(collective(REDUCE, "allreduce", at + length - 30, 110, 9, 2, f"alone {rank}"))
            ready.append(at + length + 60)
        end = max(ready) + 40
        for rank, events in enumerate(all_events):
            group = "0" if matched else ""
            events.append(collective(REDUCE, "allreduce", ready[rank], end - ready[rank], 20, ranks, group))
            # Next to it, another one that transfers at once, and a kernel.
            events.append(kernel("scale", ready[rank] + 5, 12, 7))
            events.append(collective(GATHER, "_allgather_base", end - 20, 50, 21, ranks, group and "1"))
            events.append({"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 11,
                           "ts": end + 20, "dur": 35, "args": {"device": 0, "stream": 11, "bytes": 64}})
        at = end + 100
    for rank, events in enumerate(all_events):
        if not matched:
            for event in events:
                event["args"].pop("Process Group Name", None)
        with open(os.path.join(folder, f"rank{rank}.json"), "w", encoding="utf-8") as file:
            json.dump({"distributedInfo": {"backend": "nccl", "rank": rank, "world_size": ranks},
                       "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3"}],
                       "baseTimeNanoseconds": 1_700_000_000_000_000_000, "traceEvents": events}, file)
    return all_events


def parts(all_events, matched=True):
    """By rank {part: us}, moment by moment: each us of the wall time is in the first part that applies; and how long
    the others waited for each rank."""
    groups = {}
    for rank, events in enumerate(all_events):
        for event in events:
            name = event["args"].get("Process Group Name")
            if matched and name in ("0", "1"):
                groups.setdefault(name, {}).setdefault(rank, []).append(event)
    waits, caused = {}, [0] * len(all_events)
    for by_rank in groups.values():
        for calls in zip(*(sorted(events, key=lambda event: event["ts"]) for events in by_rank.values())):
            begins = [event["ts"] for event in calls]
            last = max(begins)
            for event in calls:
                waits[id(event)] = min(last - event["ts"], event["dur"])
            if last > min(begins):
                caused[begins.index(last)] += sum(waits[id(event)] for event in calls)
    result = []
    for events in all_events:
        begin = min(event["ts"] for event in events)
        end = max(event["ts"] + event["dur"] for event in events)
        order = ["compute", "communication", "waiting for the last rank", "copies and fills"]
        ticks = ["idle: the host alone"] * (end - begin)
        for part in reversed(order):
            for event in events:
                first, stop = event["ts"], event["ts"] + event["dur"]
                if "Collective name" in event["args"]:
                    wait = waits.get(id(event), 0)
                    first, stop = (first, first + wait) if part == order[2] else (
                        first + wait, stop) if part == order[1] else (0, 0)
                elif part != {"kernel": order[0], "gpu_memcpy": order[3]}[event["cat"]]:
                    continue
                for tick in range(first, stop):
                    ticks[tick - begin] = part
        result.append({part: ticks.count(part) for part in [*order, "idle: the host alone"]})
    return result, caused
