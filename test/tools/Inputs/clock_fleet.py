"""A simulated fleet: the traces of ranks whose clocks are known, and what a report has to find in them.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import dataclasses
import json
import os
import random

NAMES = {"allreduce": "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
         "_reduce_scatter_base": "ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
         "broadcast": "ncclDevKernel_Broadcast_RING_LL(ncclDevKernelArgsStorage<4096ul>)"}
START_NS = 5_000_000_000  # of the run, by a clock that is right
BASE_NS = 1_700_000_000_000_000_000


@dataclasses.dataclass
class Fleet:
    """Times are in ns. `late` computes `late_ns` longer in every fourth step; clocks are off by up to `offset_ns` and
    their rates by up to `drift_ppm`; the rank `drops` lacks a collective of the whole run."""
    ranks: int
    steps: int = 40
    tensor: int = 2  # ranks of a tensor-parallel group
    world: bool = True  # whether there are collectives of all ranks
    late: int = 3
    late_ns: int = 400_000
    compute_ns: int = 300_000
    transfer_ns: int = 15_000
    offset_ns: int = 0
    drift_ppm: float = 0
    base: bool = True  # whether the traces say when their times begin
    drops: int = -1
    seed: int = 1
    waits: list = dataclasses.field(default_factory=list)
    events: list = dataclasses.field(default_factory=list)

    def __post_init__(self):
        self.rng = random.Random(self.seed)
        self.clocks = [(self.rng.randint(-self.offset_ns, self.offset_ns), self.rng.uniform(-1, 1) * self.drift_ppm)
                       for _ in range(self.ranks)]
        self.events = [[] for _ in range(self.ranks)]
        self.waits = [0] * self.ranks
        self.caused = [0] * self.ranks
        self.now = [START_NS] * self.ranks
        for step in range(self.steps):
            self.compute(step)
            for first in range(0, self.ranks, self.tensor):
                self.collective("allreduce", range(first, first + self.tensor), f"tp{first}", 256)
            self.compute(-1)
            for index in range(self.tensor):
                self.collective("_reduce_scatter_base", range(index, self.ranks, self.tensor), f"dp{index}", 4096)
            if self.world:
                self.collective("allreduce", range(self.ranks), "0", 64, step)

    def compute(self, step):
        for rank in range(self.ranks):
            length = self.compute_ns + self.rng.randrange(self.compute_ns // 10)
            if rank == self.late and step % 4 == 3:
                length += self.late_ns
            self.events[rank].append(("gemm", self.now[rank], self.now[rank] + length, {}))
            self.now[rank] += length + 1000

    def collective(self, kind, members, group, elements, step=-1):
        begins = {rank: self.now[rank] + self.rng.randrange(2000) for rank in members}
        last = max(begins.values())
        drops = self.drops in begins and group == "0"
        for rank, begin in begins.items():
            end = last + self.transfer_ns + self.rng.randrange(2000)
            self.now[rank] = end + 1000
            if drops and rank == self.drops and step == 1:
                continue
            self.events[rank].append((NAMES[kind], begin, end, {
                "Collective name": kind, "In msg nelems": elements, "Out msg nelems": elements, "dtype": "Float",
                "Group size": len(members), "Process Group Name": group}))
            if not drops:
                self.waits[rank] += min(last - begin, end - begin)
                if begin != last:
                    self.caused[max(begins, key=begins.get)] += last - begin

    def local(self, rank, ns):
        """A time as the rank's clock has it."""
        offset, drift = self.clocks[rank]
        return ns + offset + round((ns - START_NS) * drift / 1e6)

    def offsets(self, rank):
        """What has to be added to the rank's clock for that of rank 0, at its first collective and at the end of its
        last."""
        times = [event[1:3] for event in self.events[rank] if event[3]]
        times = min(begin for begin, _ in times), max(end for _, end in times)
        return [(self.local(rank, ns), self.local(0, ns) - self.local(rank, ns)) for ns in times]

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        for rank, events in enumerate(self.events):
            written = []
            for number, (name, begin, end, arguments) in enumerate(events):
                begin, end = self.local(rank, begin), self.local(rank, end)
                stream = 20 if arguments else 7
                written.append(
                    {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": stream,
                     "ts": begin / 1000, "dur": (end - begin) / 1000,
                     "args": {"device": 0, "stream": stream, "correlation": number + 1, **arguments}})
            trace = {"distributedInfo": {"backend": "nccl", "rank": rank, "world_size": self.ranks},
                     "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3"}], "traceEvents": written}
            if self.base:
                trace["baseTimeNanoseconds"] = BASE_NS
            with open(os.path.join(folder, f"rank{rank}.json"), "w", encoding="utf-8") as file:
                json.dump(trace, file)
