"""Makes SQLite databases as nsys export and nvprof write them, with known answers.

  make-database.py KIND FILE [COUNT]

The tables and columns are those of the documented schemas; the tests that use
this script say what each KIND must give. COUNT is the number of kernels of the
kinds that end in "big".
"""

import os
import sqlite3
import struct
import sys

PROCESS, THREAD = 4711, 4712


def global_id(process, thread=0):
    """Combined as nsys does: a machine, a process, a thread."""
    return 1 << 56 | process << 24 | thread


class Database:
    def __init__(self, path, string_table, string_id):
        if os.path.exists(path):
            os.remove(path)
        self.connection = sqlite3.connect(path)
        self.string_table = string_table
        self.strings = {}
        unique = " UNIQUE" if string_table == "StringTable" else ""
        self.run(
            f"CREATE TABLE {string_table}({string_id} INTEGER PRIMARY KEY, "
            f"value TEXT NOT NULL{unique})"
        )

    def run(self, text, *values):
        self.connection.execute(text, *values)

    def string(self, text):
        if text not in self.strings:
            self.strings[text] = len(self.strings) + 1
            self.run(
                f"INSERT INTO {self.string_table} VALUES(?, ?)", (self.strings[text], text)
            )
        return self.strings[text]

    def table(self, name, columns, rows=(), without=()):
        """A table with these columns, except those in `without`; missing values are NULL."""
        kept = [c for c in columns.split() if c not in without]
        self.run("CREATE TABLE {}({})".format(name, ", ".join(f'"{c}"' for c in kept)))
        self.connection.executemany(
            "INSERT INTO {} VALUES({})".format(name, ", ".join("?" * len(kept))),
            ([row.get(c) for c in kept] for row in rows),
        )

    def close(self):
        self.connection.commit()
        self.connection.close()


KERNEL = (
    "start end deviceId contextId greenContextId streamId correlationId globalPid demangledName "
    "shortName mangledName launchType cacheConfig registersPerThread gridX gridY gridZ blockX "
    "blockY blockZ staticSharedMemory dynamicSharedMemory localMemoryPerThread localMemoryTotal "
    "gridId sharedMemoryExecuted graphNodeId sharedMemoryLimitConfig"
)
NEWER_KERNEL = KERNEL + " graphId clusterX clusterY clusterZ clusterSchedulingPolicy"
RUNTIME = "start end eventClass globalTid correlationId nameId returnValue callchainId"
MEMCPY = (
    "start end deviceId contextId greenContextId streamId correlationId globalPid bytes copyKind "
    "deprecatedSrcId srcKind dstKind srcDeviceId srcContextId dstDeviceId dstContextId "
    "migrationCause graphNodeId virtualAddress copyCount"
)
MEMSET = (
    "start end deviceId contextId greenContextId streamId correlationId globalPid value bytes "
    "graphNodeId memKind"
)
NVTX = (
    "start end eventType rangeId category color text globalTid endGlobalTid textId domainId "
    "uint64Value int64Value doubleValue uint32Value int32Value floatValue jsonTextId jsonText "
    "binaryData"
)
GRAPH = "start end deviceId contextId streamId correlationId globalPid graphId graphExecId"

GEMM = "ampere_sgemm_128x64_tn"
POINTWISE = "void at::native::vectorized_elementwise_kernel<4, at::native::MulFunctor<float>>(int)"
REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"


def nsys_rows(db, process=PROCESS, thread=THREAD, device=0, shift=0):
    """One step: a gemm below an operator with sizes, a pointwise kernel below one without, a
    collective below a range of a domain, a kernel that nothing launched, a copy and a fill."""
    tid, pid = global_id(process, thread), global_id(process)

    def kernel(name, start, end, stream, correlation):
        return dict(
            start=start + shift, end=end + shift, deviceId=device, contextId=1, streamId=stream,
            correlationId=correlation, globalPid=pid, demangledName=db.string(name),
            shortName=db.string(name.split("<")[0].split("(")[0].split()[-1]),
        )

    def call(name, start, end, correlation):
        return dict(
            start=start + shift, end=end + shift, eventClass=0, globalTid=tid,
            correlationId=correlation, nameId=db.string(name), returnValue=0,
        )

    def nvtx(start, end, text, kind=59, domain=0, as_id=False):
        row = dict(
            start=start + shift, end=None if end is None else end + shift, eventType=kind,
            globalTid=tid, domainId=domain,
        )
        row["textId" if as_id else "text"] = db.string(text) if as_id else text
        return row

    kernels = [
        kernel(GEMM, 2500, 3500, 7, 101),
        kernel(POINTWISE, 4500, 4700, 7, 102),
        kernel(REDUCE, 5300, 6300, 8, 103),
        kernel(GEMM, 3400, 3600, 8, None),
    ]
    calls = [
        call("cudaLaunchKernel_v7000", 2000, 2100, 101),
        call("cudaLaunchKernel_v7000", 4100, 4200, 102),
        call("cuLaunchKernelEx", 5100, 5200, 103),
        call("cudaMemcpyAsync_v3020", 6000, 6100, 104),
        call("cudaMemsetAsync_v3020", 6200, 6250, 106),
        call("cudaStreamSynchronize_v3020", 7000, 9000, 105),
    ]
    ranges = [
        nvtx(500, None, "NCCL", kind=75, domain=2),
        nvtx(600, None, "begin", kind=34),
        nvtx(500, 8000, "request", kind=60),
        nvtx(1000, 9000, "ProfilerStep#1, op_id = 1"),
        nvtx(1500, 3000, "aten::addmm, seq = 12, op_id = 7, sizes = [[4], [4, 8], [8, 4]]"),
        nvtx(4000, 4500, "aten::mul, seq = 13", as_id=True),
        nvtx(5000, 5500, "ncclAllReduce", domain=2, as_id=True),
        nvtx(9500, None, "tail"),
    ]
    copies = [
        dict(
            start=6400 + shift, end=6600 + shift, deviceId=device, contextId=1, streamId=7,
            correlationId=104, globalPid=pid, bytes=4096, copyKind=2, srcKind=2, dstKind=0,
        )
    ]
    fills = [
        dict(
            start=6600 + shift, end=6650 + shift, deviceId=device, contextId=1, streamId=7,
            correlationId=106, globalPid=pid, value=0, bytes=64, memKind=2,
        )
    ]
    return kernels, calls, ranges, copies, fills


def nsys_names(db, processes):
    db.table(
        "ThreadNames", "nameId priority globalTid",
        [dict(nameId=db.string(n), priority=p, globalTid=global_id(process, thread))
         for process, thread in processes for n, p in (("python", 1), ("main loop", 10))],
    )
    db.table(
        "PROCESSES", "globalPid pid name",
        [dict(globalPid=global_id(process), pid=process, name="python3.11")
         for process, _ in processes],
    )
    db.table(
        "META_DATA_EXPORT", "name value",
        [dict(name="EXPORT_PRODUCT_VERSION", value="2025.3.1.90"),
         dict(name="EXPORT_SCHEMA_VERSION", value="3.20.1")],
    )
    db.table("TARGET_INFO_SYSTEM_ENV", "globalVid devStateName name nameEnum value",
             [dict(name="Hostname", value="node7")])
    db.table("ENUM_CUDA_MEM_KIND", "id name label",
             [dict(id=0, label="Pageable"), dict(id=1, label="Pinned"), dict(id=2, label="Device")])


def nsys(path, kernel_columns=KERNEL):
    db = Database(path, "StringIds", "id")
    kernels, calls, ranges, copies, fills = nsys_rows(db)
    db.table("CUPTI_ACTIVITY_KIND_KERNEL", kernel_columns, kernels)
    db.table("CUPTI_ACTIVITY_KIND_RUNTIME", RUNTIME, calls)
    db.table("CUPTI_ACTIVITY_KIND_MEMCPY", MEMCPY, copies)
    db.table("CUPTI_ACTIVITY_KIND_MEMSET", MEMSET, fills)
    db.table("NVTX_EVENTS", NVTX, ranges)
    db.table("TARGET_INFO_GPU", "vmId id name busLocation", [dict(id=0, name="NVIDIA A100")])
    nsys_names(db, [(PROCESS, THREAD)])
    return db


def nsys_graph(path):
    """A newer export, with a graph that was traced as a whole."""
    db = nsys(path, NEWER_KERNEL)
    db.run(
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME(start, end, globalTid, correlationId, nameId) "
        "VALUES(6700, 6800, ?, 107, ?)",
        (global_id(PROCESS, THREAD), db.string("cudaGraphLaunch_v10000")),
    )
    db.table("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", GRAPH, [
        dict(start=7000, end=8000, deviceId=0, contextId=1, streamId=7, correlationId=107,
             globalPid=global_id(PROCESS), graphId=3, graphExecId=4)])
    return db


def nsys_old(path):
    """As few columns as a kernel needs; no other table except calls."""
    db = Database(path, "StringIds", "id")
    kernels, calls, _, _, _ = nsys_rows(db)
    db.table("CUPTI_ACTIVITY_KIND_KERNEL", "start end deviceId shortName", kernels)
    db.table("CUPTI_ACTIVITY_KIND_RUNTIME", "start end globalTid nameId", calls)
    return db


def nsys_two(path):
    """Two processes that each see one device, which both call device 0, with equal correlations."""
    db = Database(path, "StringIds", "id")
    processes = [(PROCESS, THREAD), (PROCESS + 100, THREAD + 100)]
    both = [nsys_rows(db, *process, shift=10000 * i) for i, process in enumerate(processes)]
    for name, columns, part in (
        ("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, 0),
        ("CUPTI_ACTIVITY_KIND_RUNTIME", RUNTIME, 1),
        ("NVTX_EVENTS", NVTX, 2),
    ):
        db.table(name, columns, both[0][part] + both[1][part])
    db.table("TARGET_INFO_GPU", "vmId id name busLocation",
             [dict(id=0, name="NVIDIA A100"), dict(id=1, name="NVIDIA H100")])
    db.table("TARGET_INFO_CUDA_DEVICE", "gpuId cudaId pid uuid numMultiprocessors",
             [dict(gpuId=0, cudaId=0, pid=PROCESS), dict(gpuId=1, cudaId=0, pid=PROCESS + 100)])
    nsys_names(db, processes)
    return db


def nsys_shared(path):
    """Two processes on one device, on streams of equal numbers."""
    db = Database(path, "StringIds", "id")
    both = [nsys_rows(db, PROCESS + 100 * i, THREAD, shift=10000 * i) for i in range(2)]
    db.table("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, both[0][0] + both[1][0])
    db.table("CUPTI_ACTIVITY_KIND_RUNTIME", RUNTIME, both[0][1] + both[1][1])
    return db


def nsys_odd(path):
    """Rows with impossible values: each is reported and left out."""
    db = Database(path, "StringIds", "id")
    kernels, _, _, _, _ = nsys_rows(db)
    odd = [dict(kernels[0], **change) for change in (
        dict(end=100), dict(end=None), dict(start="soon"), dict(deviceId=-1), dict(deviceId=None),
        dict(end=2**63 - 1), dict(start=-(2**63), end=2**63 - 1), dict(start=2.5))]
    fine = [dict(kernels[0], **change) for change in (
        dict(correlationId=2**40), dict(demangledName=777), dict(demangledName=None),
        dict(streamId=None), dict(globalPid=None), dict(start=-5, end=-5))]
    db.table("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, odd + fine)
    db.table("NVTX_EVENTS", NVTX, [
        dict(start=1, end=2, eventType=59, text="no thread"),
        dict(start=2**62, end=None, eventType=59, text="far", globalTid=1)])
    return db


def unlike(path):
    db = Database(path, "StringIds", "id")
    db.table("OSRT_API", "start end nameId globalTid")
    return db


def foreign(path):
    db = Database(path, "Notes", "id")
    return db


def nsys_without(path):
    db = Database(path, "StringIds", "id")
    kernels, _, _, _, _ = nsys_rows(db)
    db.table("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, kernels, without=["deviceId"])
    return db


def nsys_nameless(path):
    db = Database(path, "StringIds", "id")
    db.table("CUPTI_ACTIVITY_KIND_KERNEL", "start end deviceId")
    return db


def nsys_stringless(path):
    db = Database(path, "Texts", "id")
    db.table("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL)
    return db


def nsys_view(path):
    """A view is not a table: its contents would be computed."""
    db = Database(path, "StringIds", "id")
    db.run("CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT 1 AS start, 2 AS end, 0 AS deviceId")
    return db


def nsys_unindexed(path):
    """The texts in a table that does not find them by number."""
    db = nsys(path)
    db.run("ALTER TABLE StringIds RENAME TO Old")
    db.run("CREATE TABLE StringIds(id INT, value TEXT)")
    db.run("INSERT INTO StringIds SELECT id, value FROM Old ORDER BY id DESC")
    db.run("DROP TABLE Old")
    return db


def nsys_big(path, count=1000000):
    db = Database(path, "StringIds", "id")
    names = [db.string(f"void kernel_{i}<float>(float*)") for i in range(200)]
    launch = db.string("cudaLaunchKernel_v7000")
    pid, tid = global_id(PROCESS), global_id(PROCESS, THREAD)
    db.table("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, (
        dict(start=1000 * i + 500, end=1000 * i + 1200, deviceId=0, contextId=1, streamId=7,
             correlationId=i + 1, globalPid=pid, demangledName=names[i % 200],
             shortName=names[i % 200], gridX=1, blockX=128) for i in range(count)))
    db.table("CUPTI_ACTIVITY_KIND_RUNTIME", RUNTIME, (
        dict(start=1000 * i + 100, end=1000 * i + 200, eventClass=0, globalTid=tid,
             correlationId=i + 1, nameId=launch, returnValue=0) for i in range(count)))
    db.table("NVTX_EVENTS", NVTX, (
        dict(start=1000 * i + 50, end=1000 * i + 300, eventType=59, domainId=0, globalTid=tid,
             text=f"aten::op{i % 50}, seq = {i}, op_id = {i}, sizes = [[{i % 8}, 4], []]")
        for i in range(count)))
    return db


def object_id(process, thread):
    return struct.pack("<iq", process, thread)


def nvprof(path):
    """A gemm below an operator, a pointwise kernel below one on another thread, a copy, a fill,
    and what the runtime and the driver both recorded."""
    db = Database(path, "StringTable", "_id_")
    main, other = (PROCESS, 0x89ABCDEF), (PROCESS, 77)
    work = "start end deviceId contextId streamId correlationId"

    def marker(number, flags, time, thread, name="", domain=""):
        return dict(
            id=number, flags=flags, timestamp=time, objectKind=2, objectId=object_id(*thread),
            name=db.string(name) if name else 0, domain=db.string(domain) if domain else 0)

    def call(cbid, start, end, thread, correlation):
        # nvprof has 32 bits of the thread's handle, with a sign.
        tid = thread[1] - (1 << 32) if thread[1] >> 31 else thread[1]
        return dict(cbid=cbid, start=start, end=end, processId=thread[0], threadId=tid,
                    correlationId=correlation)

    db.table("CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", "_id_ " + work + " gridX blockX name", [
        dict(start=2500, end=3500, deviceId=0, streamId=7, correlationId=11,
             name=db.string("_Z5sgemmPf")),
        dict(start=4500, end=4700, deviceId=0, streamId=7, correlationId=12,
             name=db.string("_Z3mulPf"))])
    db.table("CUPTI_ACTIVITY_KIND_KERNEL", "_id_ " + work + " name")
    db.table("CUPTI_ACTIVITY_KIND_RUNTIME",
             "_id_ cbid start end processId threadId correlationId returnValue", [
                 call(211, 2000, 2100, main, 11), call(13, 4100, 4200, other, 12),
                 call(41, 6000, 6100, main, 13), call(131, 7000, 9000, main, 14),
                 call(9999, 9100, 9200, main, 15)])
    db.table("CUPTI_ACTIVITY_KIND_DRIVER",
             "_id_ cbid start end processId threadId correlationId returnValue",
             [call(307, 2010, 2090, main, 11), call(216, 6200, 6250, main, 16)])
    db.table("CUPTI_ACTIVITY_KIND_MEMCPY", "_id_ copyKind srcKind dstKind flags bytes " + work, [
        dict(copyKind=1, srcKind=1, dstKind=3, bytes=64, start=6400, end=6600, deviceId=0,
             streamId=7, correlationId=13)])
    db.table("CUPTI_ACTIVITY_KIND_MEMSET", "_id_ value bytes " + work + " flags memoryKind", [
        dict(start=6600, end=6650, deviceId=0, streamId=7, correlationId=16, memoryKind=3)])
    db.table("CUPTI_ACTIVITY_KIND_MARKER", "_id_ flags timestamp id objectKind objectId name domain", [
        marker(1, 2, 1000, main, "epoch"),
        marker(2, 2, 1500, main, "addmm, seq = 3"),
        marker(2, 4, 3000, main),
        marker(3, 4, 4300, other),  # its begin is in a later row
        marker(4, 1, 4000, main, "a moment"),
        marker(3, 2, 4000, other, "aten::mul", ""),
        marker(5, 2, 5000, main, "ncclAllReduce", "NCCL"),
        marker(5, 4, 5500, main),
        marker(6, 2, 9000, main, "open"),
        marker(7, 4, 9000, main),  # never began
        marker(1, 4, 9100, main)])
    db.table("CUPTI_ACTIVITY_KIND_DEVICE", "_id_ id name",
             [dict(id=0, name=db.string("Tesla V100"))])
    db.table("CUPTI_ACTIVITY_KIND_NAME", "_id_ objectKind objectId name",
             [dict(objectKind=2, objectId=object_id(*other), name=db.string("autograd"))])
    return db


def nvprof_empty(path):
    """nvprof creates all tables, even for what it did not record."""
    db = Database(path, "StringTable", "_id_")
    for name in ("KERNEL", "CONCURRENT_KERNEL", "MEMCPY", "MEMSET"):
        db.table("CUPTI_ACTIVITY_KIND_" + name, "_id_ start end deviceId name")
    return db


def main():
    kind, path = sys.argv[1:3]
    make = globals()[kind.replace("-", "_")]
    make(path, *map(int, sys.argv[3:])).close()


main()
