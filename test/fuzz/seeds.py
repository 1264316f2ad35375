#!/usr/bin/env python3
"""Writes what the fuzzers begin with.

usage: seeds.py FOLDER

Makes FOLDER/NAME for each fuzzer NAME, with small inputs: traces of every kind that
the readers know, whole, compressed and cut off, spools, operators' arguments, names.
Traces below test/tools/Inputs that are small are taken, too.
"""

import gzip
import json
import os
import re
import struct
import sys

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

INPUTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools", "Inputs")
LARGEST = 16384  # bytes


def event(name, cat, ts, dur, pid=1, tid=1, **args):
    made = {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur}
    if args:
        made["args"] = args
    return made


def launch(index, ts, tid=1):
    """A kernel, the call that launched it, and the operator around that."""
    return [
        event("aten::add", "cpu_op", ts, 20, tid=tid,
              **{"External id": index, "Input Dims": [[2, 3], []], "Input type": ["float", "Scalar"],
                 "Input Strides": [[3, 1], []], "Concrete Inputs": ["", "1"]}),
        event("cudaLaunchKernel", "cuda_runtime", ts + 5, 5, tid=tid, correlation=index),
        event(f"triton_poi_fused_add_{index}", "kernel", ts + 15.125, 30.5, pid=0, tid=7,
              correlation=index, device=0, stream=7),
    ]


def traces():
    gpu = launch(1, 100) + launch(2, 140, tid=2) + launch(2, 141)
    gpu.append(event("cudaDeviceSynchronize", "cuda_runtime", 160, 40, correlation=9))
    gpu.append(event("Memcpy HtoD", "gpu_memcpy", 190, 10, pid=0, tid="stream 7", correlation=9))
    gpu.append(event("ProfilerStep#1", "user_annotation", 90, 200))
    gpu.append(event("loss", "user_annotation", 95, 100))
    gpu.append(event("void add<</script><!-- &amp;>", "kernel", 130, 2, pid=0, tid=7, device=0, stream=7))
    gpu += [{"ph": "s", "id": 1, "pid": 1, "tid": 1, "ts": 105, "cat": "ac2g", "name": "ac2g"},
            {"ph": "f", "id": 1, "pid": 0, "tid": 7, "ts": 115, "cat": "ac2g", "name": "ac2g"},
            {"ph": "f", "id": 1, "pid": 1, "tid": 1, "ts": 100, "cat": "ac2g", "name": "ac2g"},
            {"ph": "i", "name": "Record Window End", "pid": "", "tid": "", "ts": 300}]
    yield "gpu", {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA A100"}],
                  "distributedInfo": {"rank": 0, "world_size": 2}, "traceEvents": gpu}
    details = launch(1, 100) + [
        event("ProfilerStep#1", "user_annotation", 90, 200),
        event("nn.Module: Net_0", "python_function", 95, 100, **{"Python id": 1}),
        event("record_param_comms", "cpu_op", 150, 10,
              **{"Collective name": "allreduce", "In msg nelems": 8, "Out msg nelems": 8,
                 "Group size": 2, "dtype": "Float", "Process Group Name": "0",
                 "Process Group Ranks": "[0, 1]"}),
        event("cudaLaunchKernel", "cuda_runtime", 152, 2, correlation=2),
        event("ncclDevKernel_AllReduce", "kernel", 160, 20, pid=0, tid=9, correlation=2, device=0),
        event("gloo:all_gather", "user_annotation", 170, 5, tid=3,
              **{"Input Dims": [[4]], "Input type": ["float"]}),
        event("cudaEventRecord", "cuda_runtime", 181, 1, correlation=3),
        event("cudaEventSynchronize", "cuda_runtime", 183, 9, correlation=4),
        event("Event Sync", "cuda_sync", 183, 9, pid=0, tid=-1, device=0, stream=-1, correlation=4,
              wait_on_stream=9, wait_on_cuda_event_record_corr_id=3),
        event("Memcpy DtoH (Device -> Pageable)", "gpu_memcpy", 195, 4, pid=0, tid=7, device=0,
              correlation=5, bytes=64),
        {"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 1, "tid": 1,
         "ts": 151, "args": {"Addr": 4096, "Bytes": 64, "Device Type": 1, "Device Id": 0,
                             "Total Allocated": 64, "Total Reserved": 128}}]
    yield "details", {"distributedInfo": {"rank": 0, "world_size": 2,
                                          "pg_config": [{"pg_name": "0", "pg_size": 2}]},
                      "traceEvents": details}
    region = {"kernel": "fused", "region": "fused [parallel a.cpp:3]", "file": "/a.cpp", "line": 3}
    ours = [event("fused", "cpu_op", 1.001, 9.5, kernel="fused", file="/a.cpp", line=1, ops="add,mul"),
            event("fused [parallel a.cpp:3]", "omp_region", 2, 7, thread=0, **region),
            event("fused [parallel a.cpp:3]", "omp_region", 2, 5, tid=2, thread=1, **region),
            event("part", "user_annotation", 1, 20, scope="part"),
            {"ph": "B", "cat": "cpu_op", "name": "open", "pid": 1, "tid": 1, "ts": 12,
             "args": {"kernel": "open"}},
            {"ph": "M", "name": "process_name", "pid": 1, "tid": 1, "args": {"name": "demo"}},
            {"ph": "M", "name": "process_labels", "pid": 1, "tid": 1, "args": {"labels": "rank 1"}},
            {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "worker"}}]
    about = {"version": "0.1.0", "format": 1, "mode": "trace", "command_line": "demo", "lost_events": 3,
             "abandoned": [{"name": "fused", "calls": 2}], "two_openmp_runtimes": True}
    yield "ours", {"traceEvents": ours, "seamscope": about}
    row = {"cat": "cpu_op", "name": "k", "pid": 1, "tid": 1, "calls": 3, "total_ns": 60, "min_ns": 10,
           "max_ns": 30, "first_ns": 5, "last_ns": 100, "args": {"kernel": "k"},
           "histogram": [[8, 1], [16, 1], [28, 1]]}
    yield "profile", {"seamscope": dict(about, mode="profile", profile=[row]), "traceEvents": []}
    yield "host", [event("aten::linear", "cpu_op", 0, 100), event("aten::addmm", "cpu_op", 10, 80),
                   event("aten::addmm", "cpu_op", 20, 60), event("aten::copy_", "cpu_op", 85, 30),
                   event("cpu_op", "python_function", 0, 120)]
    yield "halves", [{"ph": "B", "name": "a", "ts": 1}, {"ph": "B", "name": "b", "ts": 2},
                     {"ph": "E", "ts": 2}, {"ph": "E", "ts": 3}, {"ph": "E", "ts": 4}]
    yield "odd", [event("a\u001b[31m\u202e", "", -5, -1), event("", "kernel", "7.5", "1e3", pid="x"),
                  {"ph": "X", "name": "no end", "ts": 1}, {"ph": "X"}, 1, "x", [], {}, None,
                  event("large", "kernel", 4611686018427387, 1), event("k", "omp_region", 1, 1)]
    yield "sums", [event("k", "kernel", 0, 2400000000000000) for _ in range(5)]


def as_events(trace):
    return trace if isinstance(trace, list) else trace["traceEvents"]


def chrome():
    for name, trace in traces():
        whole = json.dumps(trace).encode()
        yield name, whole
        yield name + "-array", json.dumps(as_events(trace), indent=1).encode()
        yield name + ".gz", gzip.compress(whole, mtime=0)
        yield name + "-cut", whole[: len(whole) * 2 // 3]
        yield name + "-cut.gz", gzip.compress(whole, mtime=0)[:-20]
    for name in sorted(os.listdir(INPUTS)):
        path = os.path.join(INPUTS, name)
        if name.endswith((".json", ".json.gz")) and os.path.getsize(path) <= LARGEST:
            with open(path, "rb") as file:
                yield name, file.read()
    yield "empty", b""
    yield "broken", b'[{"ph":"X","ts":NaN,"dur":1},{"ph":"X" "name"},{"ph":"X","name":"a "b"","ts":1}]'
    yield "samples", (
        b'{"seamscope_samples":[{"format":1,"pid":1,"state":"on","rate":250,"begin_ns":1,"until_ns":900,'
        b'"threads":[{"tid":1,"from_ns":1,"to_ns":900,"name":"t"}],"modules":[{"path":"/a","build_id":"00ff",'
        b'"begin":4096,"end":8192,"offset":0,"from_ns":-1}],"waits":[{"id":1,"system_call":202,'
        b'"arguments":[1,2,3,4,5,6],"sp":1,"pc":4097,"stack":"00ff"}],"samples":{"tid":[1,0],"ns":[5,9],'
        b'"address":[4097,1]},"off":{"tid":[1],"begin_ns":[20],"length_ns":[7],"off_ns":[5],"kind":[2],'
        b'"wait":[1]}}],"traceEvents":[{"ph":"X","ts":0,"dur":1,"pid":1,"tid":1,"name":"k"}]}')
    yield "keys", b'{"\\u0074raceEvents":[{"ph":"X","ts":1,"ts":2,"dur":3}],"a":{"b":[1,{"c":2}]}}'


SITE = struct.Struct("<17I")
CLOCK = struct.Struct("<4Q")
with open(os.path.join(os.path.dirname(__file__), "..", "..", "runtime", "format", "Spool.h")) as spool_h:
    VERSION = int(re.search(r"SpoolVersion = (\d+);", spool_h.read()).group(1))


def piece(content, cut=False):
    return struct.pack("<H", len(content) | (0x8000 if cut else 0)) + content


def block(kind, content, thread=0, cut=False):
    return piece(struct.pack("<II7Q", kind, thread, 0, 0, 0, 0, 0, 0, 0) + content, cut)


def site(number, kind, name, kernel, file="", line=0, ops="", kernel_file=""):
    texts, offsets = b"", []
    for text in (name, name, kernel, file, kernel_file, ops):
        offsets.append(SITE.size + len(texts) if text else 0)
        texts += text.encode() + b"\0" if text else b""
    texts += b"\0" * (-(SITE.size + len(texts)) % 8)
    # In the order of site.def, without flags and inputs.
    fields = (kind, 0, *offsets[:5], 2 if kernel_file else 0, line, 1, offsets[5], 0, 0, 0, 0)
    return SITE.pack(SITE.size + len(texts), number, *fields) + texts


def header(blocks, mode=2, samples=0, **fields):
    clock = {"first": (1000, 5000, 1700000000000000000, 10),
             "last": (1000 + 2000000000, 5000 + 1000000000, 1700000001000000000, 10)}
    clock.update(fields)
    made = b"SEAMSPL\n"
    made += struct.pack("<IIIIIIIII", VERSION, 0, 256 * 1024, 1, mode, 1, 42, 41, 0)
    made += struct.pack("<iiI", 3, 4, 0)
    made += struct.pack("<5Q", 10, 40 << 10, 4, blocks, 0)
    made += CLOCK.pack(*clock["first"]) + CLOCK.pack(*clock["last"]) + CLOCK.pack(0, 0, 0, 0)
    made += struct.pack("<Q", 0)
    made += b"demo".ljust(64, b"\0") + b"host".ljust(64, b"\0") + b"demo --x".ljust(2048, b"\0")
    made += struct.pack("<6I6Q", samples, 0, 250, 20000, 400, 0, 6000, 900000, 2, 3, 1, 0) + bytes(96)
    return made[:12] + struct.pack("<I", len(made)) + made[16:]  # HeaderSize


def sampling(kind, fields, rest=b""):
    rest += b"\0" * (-len(rest) % 8)
    return struct.pack("<II", 8 + len(fields) + len(rest), kind) + fields + rest


def spool():
    sites = (site(1, 1, "plain", "plain", "/src/a.cpp", 7, "add,mul")
             + site(2, 2, "plain [parallel a.h:9]", "plain", "/src/a.h", 9, kernel_file="/src/a.cpp")
             + site(3, 3, "scope", ""))
    thread = struct.pack("<IiQQ", 42, 0, 1000, 0) + b"demo".ljust(40, b"\0")
    records = [(3000, 200, 1), (0, 1, 1), (4000, 3, 0xFFFFFF03), (4000, 50, 2), (5000, 7, 0xFFFFFF01),
               (3, 1, 0xFFFFFF08), (6000, 1, 0xFFFFFF04), (6000, 1, 0xFFFFFF05), (6100, 5, 0xFFFFFF02),
               (7000, 9, 3), (7001, 9, 99), (7100, 2, 0xFFFFFF06)]
    events = b"".join(struct.pack("<QII", *record) for record in records)
    live = struct.pack("<IIQ", 1, 0, 0) + struct.pack("<QQIi", 9000, 0, 1, -1)
    row = struct.pack("<IIiI7Q", 1, 0, -1, 0, 3, 600, 100, 300, 1, 2000, 9000)
    row += struct.pack("<188I", *([0] * 30 + [2, 1] + [0] * 156))
    whole = [block(2, sites), block(3, thread), block(1, events), block(4, live)]
    yield "trace", piece(header(4)) + b"".join(whole)
    yield "profile", piece(header(3, mode=1)) + whole[0] + whole[1] + block(5, row)
    entries = sampling(1, struct.pack("<IIQQQ16s", 42, 1, 6000, 0, 800000 << 3 | 2, b"demo"))
    entries += sampling(1, struct.pack("<IIQQQ16s", 43, 0, 7000, 500000, 0, b"worker"))
    entries += sampling(2, struct.pack("<4Q20sI", 6000, 4096, 8192, 0, b"i" * 20, 20), b"/lib/a.so\0")
    entries += sampling(2, struct.pack("<4Q20sI", 20000, 5000, 6000, 0, b"", 0), b"//anon\0")
    entries += sampling(3, struct.pack("<Ii9Q", 1, 202, 1, 2, 3, 4, 5, 6, 7000, 5000, 3), b"abc")
    off = [(10000, 42, 1, 5001), (30000, 43, 1, 4097), (40000, 42, 2 | 1 << 8, 1000), (50000, 42, 3, 5000),
           (40000, 43, 5, 400 << 32 | 5000), (60000, 43, 4, 10), (45000, 43, 6, 9 << 32 | 50)]
    records = b"".join(struct.pack("<QIIQ", *record) for record in off)
    yield "samples", piece(header(3, samples=1)) + block(3, thread) + block(9, entries) + block(8, records)
    yield "cut", piece(header(4)) + whole[0] + block(1, events, cut=True)
    yield "header", piece(header(0))
    yield "header-cut", piece(header(0)[:100], cut=True)
    yield "clock", piece(header(4, last=(1, 2, 3, 4))) + whole[0]
    yield "empty", b""


def arguments():
    yield "plain", b'[[4, 8], [], []]\n["float", "Scalar", ""]\n[[8, 1], [], []]\n["", "1", ""]\n'
    yield "list", b'[[[2, 3], [4]], [5]]\n["TensorList", "c10::BFloat16"]\n[[[3, 1], [1]], [1]]\n'
    yield "values", (b'[[1, 2, 3, 4], [], [], []]\n["double", "ScalarList", "Scalar", ""]\n\n'
                     b'["", "[1, -1]", "False", "[True, False]"]\n')
    yield "none", b"[]\n[]\n[]\n[]\n"
    yield "null", b'[[]]\n["nullptr (uninitialized)"]\n\n["\\"quoted\\\\"]'


def texts():
    for number, text in enumerate((
            "0", "-0.5", "1732152000123456.789", "1.5e3", "9223372036854775.807", "1e-400", "12.3456e+2",
            "aten::add_", "cpp_fused__softmax_add_native_layer_norm_17",
            "graph_0_cpp_fused_convert_element_type_0",
            "triton_per_fused_native_layer_norm_3", "void at::native::elementwise_kernel<128, 2>(int)",
            "ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x3_tn", "ncclDevKernel_AllReduce_Sum",
            "=SUM(A1)", "a\x1b[31mb\u202e\u200b\ufeff", "größe 中 😀", "c10::BFloat16", "\u009b\r\n\t,\"")):
        yield f"text-{number}", text.encode()
    yield "not-utf8", b"\xff\xc3\xed\xa0\x80\xc0\xaf\xf5"
    yield "inductor", (b"cpp_fused_add_0 = async_compile.cpp_pybinding(['float*'], r'''\nvoid kernel()\n''')\n"
                       b"\0 void kernel()\n{}")


def main():
    (folder,) = sys.argv[1:]
    for name, inputs in (("chrome", chrome), ("spool", spool), ("arguments", arguments), ("texts", texts)):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        for seed, content in inputs():
            with open(os.path.join(folder, name, "seed-" + seed), "wb") as file:
                file.write(content)


if __name__ == "__main__":
    main()
