#!/usr/bin/env python3
"""Makes documents of the page, with their timeline's events in the order of the document.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import json
import math
import os
import random

from page_parts import (  # noqa: F401, what tests build documents of too
    KINDS, Packed, Timeline, bar, chart, code, column, document, finding, level, line_of, note, place, section,
    step, table,
)


FUSED = [
    "triton_red_fused__to_copy_add_embedding_native_layer_norm_0",
    "triton_poi_fused_gelu_view_3",
    "triton_per_fused__softmax__to_copy_masked_fill_2",
    "triton_red_fused_add_native_layer_norm_native_layer_norm_backward_7",
    "triton_poi_fused__to_copy_clone_transpose_1",
    "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas",
    "void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, cutlass::bfloat16_t>, true, true>(Flash_fwd_params)",
    "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1> >(int, at::native::FillFunctor<float>, std::array<char*, 1>)",
    "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096>)",
    "Memcpy HtoD (Pinned -> Device)",
]
SOURCE = """@triton.jit
def triton_red_fused_add_native_layer_norm_0(in_ptr0, in_ptr1, out_ptr0, xnumel, rnumel, XBLOCK, RBLOCK):
    # one program a row; the reduction runs over the hidden size
    xoffset = tl.program_id(0) * XBLOCK
    xindex = xoffset + tl.arange(0, XBLOCK)[:, None]
    xmask = xindex < xnumel
    rbase = tl.arange(0, RBLOCK)[None, :]
    _tmp4 = tl.full([XBLOCK, RBLOCK], 0, tl.float32)
    for roffset in range(0, rnumel, RBLOCK):
        rindex = roffset + rbase
        rmask = rindex < rnumel
        tmp0 = tl.load(in_ptr0 + (rindex + 4096 * xindex), rmask & xmask, eviction_policy="evict_last")
        tmp1 = tl.load(in_ptr1 + rindex, rmask, eviction_policy="evict_last").to(tl.float32)
        tmp2 = tmp0 + tmp1
        _tmp4 = tl.where(rmask & xmask, _tmp4 + tmp2 * tmp2, _tmp4)
    tmp4 = tl.sum(_tmp4, 1)[:, None]
    tmp5 = 4096.0
    tmp6 = tmp4 / tmp5
    tmp7 = libdevice.rsqrt(tmp6 + 1e-05)
    tl.store(out_ptr0 + xindex, tmp7, xmask)""".split("\n")
CPP = """void fused_layer_norm(const float *__restrict__ x, const float *__restrict__ w, float *y, int64_t rows) {
  #pragma omp parallel for
  for (int64_t row = 0; row < rows; ++row) {
    float sum = 0.0f;
    for (int64_t i = 0; i < 4096; i += 8) {
      auto v = _mm256_loadu_ps(x + row * 4096 + i); // two passes: the row is read twice
      sum += reduce_add(_mm256_mul_ps(v, v));
    }
    const float scale = 1.0f / std::sqrt(sum / 4096.0f + 1e-5f);
    for (int64_t i = 0; i < 4096; ++i)
      y[row * 4096 + i] = x[row * 4096 + i] * scale * w[i];
  }
}""".split("\n")


def kernel_details(rng, name, total):
    weights = [0, 0, 0, 1, 1, 0.5, 0.5, 0, 2, 1, 1, 30, 9, 6, 8, 4, 0, 0, 1, 3]
    heat = [round(total * weight / 68) if weight else None for weight in weights]
    launches = [round(rng.lognormvariate(math.log(41000), 0.08)) for _ in range(64)]
    launches[17] = 148000
    edges = [round(1000 * 1.6 ** step) for step in range(13)]
    counts = [sum(edges[i] <= value < edges[i + 1] for value in launches) for i in range(12)]
    twin_heat = [None, None, 1200, 0, 22000, 310000, 290000, None, 6000, 90000, 210000, None, None]
    samples = [None] * len(CPP)
    samples[4] = {"samples": 12, "share": 0.12, "low": 0.07, "high": 0.198}
    samples[10] = {"samples": 88, "share": 0.88, "low": 0.802, "high": 0.93}
    threads = [bar(f"thread {i}", round(3.1e6 - i * 2.4e5), round(2e5 + i * 2.4e5)) for i in range(8)]
    return [
        note("Reads its input twice: 41% of the bytes would be spared by one pass."),
        {"type": "pair", "items": [
            code("output_code.py: the fused kernel", "python", 112, SOURCE, heat=heat),
            code("fused_layer_norm.cpp: its eager twin", "cpp", 40, CPP, heat=twin_heat, samples=samples)]},
        table("eager", "Eager operators it replaced",
              [column("name", "Operator", "name"), column("calls", "Calls", "count", total="sum"),
               column("total_ns", "Total", "ns", total="sum", bar=True),
               column("where", "Called from", "place")],
              [["aten::add", 64, 1_900_000, place("model.py", 88, 16)],
               ["aten::native_layer_norm", 64, 4_100_000, place("model.py", 91, 9)],
               ["aten::embedding", 1, 210_000, place("model.py", 61)]]),
        chart("threads", "bars", "Threads", unit="ns", parts=["busy", "wait"], rows=threads),
        chart("spread", "histogram", "Durations of its launches", edges=edges, counts=counts),
        chart("launches", "series", "Launches", unit="ns", labels=None,
              series=[line_of("duration", launches)], outliers=[17], median=sorted(launches)[32]),
    ]


KERNEL_COLUMNS = [
    column("name", "Kernel", "name"),
    column("calls", "Calls", "count", total="sum", help="Launches in the window"),
    column("total_ns", "Total", "ns", total="sum", bar=True, help="Time on the device, all launches"),
    column("mean_ns", "Mean", "ns"),
    column("p99_ns", "p99", "ns", hidden=True),
    column("window", "Window", "percent", help="Share of the window"),
    column("eager_ratio", "vs eager", "ratio", help="Time of the eager operators it replaces, over its own"),
    column("flop_per_s", "Rate", "flop_per_s"),
    column("bytes_per_s", "Bandwidth", "bytes_per_s"),
    column("intensity", "FLOP/B", "flop_per_byte", hidden=True),
    column("bytes", "Bytes", "bytes", hidden=True),
    column("tensor_cores", "TC", "flag", help="Uses tensor cores"),
    column("launches", "Launches", "spark"),
    column("operators", "Operators", "list"),
    column("place", "Source", "place"),
]
OPERATORS = ["aten.add", "aten.gelu", "aten.mm", "aten.native_layer_norm", "aten._softmax", "aten.clone"]


def kernel_row(rng, name, total, calls, window):
    mean = total / calls
    return [
        name, calls, total, round(mean), round(mean * 1.4), total / window * 100,
        rng.choice([None, 0.82, 1.31, 2.4, {"v": 1.9, "s": "~1.9"}]),
        rng.choice([None, 4.1e14, 2.2e13, 9.7e11]), rng.choice([2.4e12, 1.1e12, 6.2e11]),
        rng.choice([None, 0.25, 171.3]), rng.randrange(10**6, 10**10), "gemm" in name or "flash" in name,
        [round(rng.lognormvariate(math.log(mean), 0.1)) for _ in range(40)],
        rng.sample(OPERATORS, rng.randint(0, 4)),
        place("output_code.py", rng.randrange(50, 900), 1) if name.startswith("triton") else None]


def flame_view(rng, title, branching, depth, names, scale):
    parent, name, self_ns, count = [], [], [], []

    def add(above, level, size):
        node = len(parent)
        parent.append(above)
        name.append(rng.randrange(len(names)))
        own = size if level == depth else round(size * rng.uniform(0.02, 0.2))
        self_ns.append(own)
        count.append(rng.randrange(1, 200))
        rest = size - own
        if level < depth:
            shares = [rng.random() ** 2 + 0.05 for _ in range(rng.randint(1, branching))]
            for share in shares:
                part = round(size * share / sum(shares)) if size > 100 * branching else 0
                part = min(part, rest)
                if part > 100:
                    add(node, level + 1, part)
                    rest -= part
            self_ns[node] += max(0, rest)

    add(-1, 0, scale)
    return {"title": title, "names": names, "parent": parent, "name": name, "self": self_ns, "count": count}


# Operators of a block: the duration of a call, and the kernel that it launches.
CALLS = {
    "aten::addmm": (90_000, FUSED[5]),
    "aten::scaled_dot_product_attention": (120_000, FUSED[6]),
    "aten::gelu": (40_000, FUSED[1]),
    "aten::native_layer_norm": (55_000, FUSED[0]),
}


def transformer_timeline(steps=3, layers=6, seed=5):
    rng = random.Random(seed)
    host, device, copies, threads = [], [], [], []
    t = 100_000
    line = Timeline(0)
    free = 0
    for step in range(steps):
        step_begin = t
        t += 60_000
        for layer in range(layers):
            layer_begin = t
            for name, (size, kernel) in CALLS.items():
                size = round(size * rng.uniform(0.8, 1.3))
                host.append((t, size, line.name(name, "operator")))
                host.append((t + 9000, size - 22_000, line.name("cudaLaunchKernel", "region")))
                begin = max(free, t + 30_000)
                length = round(size * rng.uniform(0.5, 1.6))
                if begin > free and free:
                    threads.append((free, begin - free, line.name("idle", "idle")))
                device.append((begin, length, line.name(kernel, "kernel")))
                free = begin + length
                t += size + rng.randrange(2000, 20_000)
            host.append((layer_begin, t - layer_begin, line.name(f"Block[{layer}]", "region")))
        host.append((t, max(0, free - t), line.name("cudaStreamSynchronize", "wait")))
        t = max(t, free) + 5000
        copies.append((t - 400_000, 90_000, line.name(FUSED[9], "copy")))
        host.append((step_begin, t - step_begin, line.name(f"step {step}", "region")))
        t += 150_000
    line.end = t
    line.lane("thread 0 (main)", "process 4711: python train.py", "thread", host)
    line.lane("thread 1 (autograd)", "process 4711: python train.py", "thread",
              [(begin + 40_000, round(length * 0.7), line.name("aten::mm", "operator"))
               for begin, length, name in host if line.names[name] == "aten::gelu"])
    line.lane("stream 7", "GPU 0: NVIDIA H100 80GB HBM3", "stream", device)
    line.lane("stream 13", "GPU 0: NVIDIA H100 80GB HBM3", "stream", copies)
    line.lane("idle", "GPU 0: NVIDIA H100 80GB HBM3", "idle", threads)
    return line


MODULE = (("Block", 0, 1), ("CausalSelfAttention", 1, 0.45), ("aten::scaled_dot_product_attention", 2, 0.3),
          ("MLP", 1, 0.4), ("aten::addmm", 2, 0.3), ("aten::gelu", 2, 0.1))
FINDINGS = [
    finding("slower than eager",
            "triton_poi_fused_gelu_view_3 takes 98.1 ms, 1.22 times what the eager operators it replaces took.",
            "Its block size leaves half of each warp idle: try max_autotune_pointwise.",
            18_200_000, 0.044, {"table": "kernels", "row": 1}),
    finding("bytes read twice", "The layer norm reads its input twice: 61 ms at 2.4 TB/s.",
            "A persistent reduction keeps the row in registers (rnumel 4096 is below the threshold).",
            24_700_000, 0.06, {"table": "kernels", "row": 0}),
    finding("copies added by compiling",
            "5.500 ms of copies that eager does not have, from 3 changes of layout.",
            "Keep activations channels-last, or mark the view as contiguous once.",
            5_500_000, 0.013, {"table": "differences", "row": 3}),
    finding("waits", "The host waits 11.2 ms for the stream, at the end of each step.", "",
            11_200_000, 0.027, {"chart": "timeline"}),
    finding("launches", "50 kernels of less than 5 us each, 3.1 ms in all.",
            "CUDA graphs: mode=\"reduce-overhead\".", None, None, {"section": "kernels"}),
]


def kernels_table(rng, window):
    rows, details, sizes = [], {}, [61, 98, 22, 17, 12, 71, 55, 3, 31, 6]
    for index, name in enumerate(FUSED):
        total = round(sizes[index] * 1e6 * rng.uniform(0.9, 1.1))
        rows.append(kernel_row(rng, name, total, rng.choice([64, 128, 256]), window))
        details[str(index)] = kernel_details(rng, name, total)
    for index in range(50):
        name = f"triton_poi_fused_{rng.choice(['add', 'mul', 'clone', 'view', 'gelu'])}_{index + 10}"
        rows.append(kernel_row(rng, name, round(rng.expovariate(1 / 4e5)) + 1500, rng.choice([1, 8, 64]), window))
    return table("kernels", "Kernels", KERNEL_COLUMNS, rows, emphasis={"1": "strong", "7": "faint"},
                 notes={"0": ["spills 24 registers", "2 of 64 launches took over 3 times the median"]},
                 summary=[{"label": "[unattributed]", "cells": {"total_ns": 9_400_000, "window": 2.3}},
                          {"label": "[window]", "cells": {"total_ns": window, "window": 100}}],
                 details=details, top=25)


def roofline(rng, names):
    """Points on both sides of the ridge, and one without a roof."""
    roofs = [{"name": "memory", "bytes_per_s": 3.35e12}, {"name": "fp32", "flop_per_s": 6.69e13},
             {"name": "fp16, bf16 matrix", "flop_per_s": 9.894e14}]
    points = []
    for number, name in enumerate(names):
        at = 10 ** rng.uniform(-1, 3)
        rate = min(3.35e12 * at, 9.894e14) * rng.uniform(0.05, 0.95)
        shares = [rate / at / 3.35e12, None, rate / 9.894e14]
        nearest = 0 if shares[0] > shares[2] else 2
        points.append({"name": name, "flop_per_byte": at, "flop_per_s": rate, "total_ns": 10 ** 8 // (number + 1),
                       "calls": 64, "known_calls": 64 - number, "unit": 2, "roof": nearest,
                       "percent": 100 * shares[nearest], "link": {"table": "kernels", "row": number}})
    points[-1].update(unit=None, roof=None, percent=None)
    return chart("roofline", "roofline", "Roofline of NVIDIA H100 80GB HBM3", roofs=roofs, points=points)


def rank_bars(rng, ranks, label="rank {}"):
    rows = []
    for rank in range(ranks):
        values = [rng.randrange(10 ** 6, 2 * 10 ** 6) for _ in range(4)]
        rows.append({"label": label.format(rank), "wall_ns": sum(values), "values": values,
                     "wait_ns": values[2], "caused_ns": rng.randrange(10 ** 6), "mark": ""})
    rows[-1]["values"] = None
    rows[0].update(mark="straggler", caused_ns=10 ** 8)
    return chart("rank-bars", "ranks", "Ranks side by side",
                 parts=["compute", "communication", "waiting for the last rank", "idle: the host alone"], rows=rows)


def spread(rng):
    median = [round(rng.lognormvariate(math.log(40000), 0.1)) for _ in range(38)]
    return chart("over-time", "spread", "Durations over time", begin_ns=0, end_ns=10 ** 9, count=40,
                 at=[at for at in range(40) if at not in (7, 8)], calls=[20] * 38,
                 least=[ns - 4000 for ns in median], median=median, most=[ns * 3 for ns in median])


def small():
    rng = random.Random(1)
    line = transformer_timeline()
    blob, lanes = line.blob()
    window = 412_000_000
    kernels = kernels_table(rng, window)
    depth, rows = [], []
    for layer in range(4):
        for name, at, share in MODULE:
            depth.append(at)
            rows.append([name if at else f"{name}[{layer}]", 64, round(share * 4e7 * (1 + layer / 9)),
                         round(share * 4e6), share * 24.8])
    operators = table("operators", "Operators by module",
                      [column("name", "Operator", "name"), column("calls", "Calls", "count", total="sum"),
                       column("total_ns", "Total", "ns", total="sum", bar=True),
                       column("self_ns", "Self", "ns", total="sum"), column("share", "Share", "percent")],
                      rows, depth=depth)
    differences = table("differences", "Eager against compiled",
                        [column("name", "Part", "name"), column("eager_ns", "Eager", "ns", total="sum"),
                         column("compiled_ns", "Compiled", "ns", total="sum"),
                         column("change_ns", "Change", "ns", total="sum", bar=True)],
                        [["attention", 160_000_000, 91_000_000, -69_000_000],
                         ["layer norm", 88_000_000, 31_000_000, -57_000_000],
                         ["gelu", 51_000_000, 29_000_000, -22_000_000],
                         ["copies", 4_000_000, 9_500_000, 5_500_000],
                         ["optimizer", 61_000_000, 61_200_000, 200_000]])
    steps = [round(rng.gauss(41e6, 6e5)) for _ in range(48)]
    steps[0], steps[23] = 96_000_000, 63_000_000
    names = ["Transformer", "Block", "CausalSelfAttention", "MLP", "LayerNorm", "aten::addmm", "aten::gelu",
             "aten::add", "aten::native_layer_norm", "aten::_softmax", "cudaLaunchKernel", "Embedding"] + FUSED
    views = [flame_view(rng, "By module", 5, 6, names, window), flame_view(rng, "By source line", 4, 8, names, window)]
    waterfall = chart("waterfall", "waterfall", "From eager to compiled, a step",
                      begin=level("Eager", 68_400_000), end=level("Compiled", 41_100_000),
                      steps=[step("fused away", -21_300_000, {"table": "differences", "row": 1}),
                             step("faster kernels", -9_800_000, {"table": "kernels", "row": 5}),
                             step("fewer launches", -2_100_000),
                             step("copies added", 5_500_000, {"table": "differences", "row": 3}),
                             step("other", 400_000)])
    eager_steps = [round(rng.gauss(68.4e6, 9e5)) for _ in range(48)]
    busy = [bar(f"thread {i}", round(2.1e8 - i * 2e7), round(3e7 + i * 1e7), round(2e7 + i * 1e7)) for i in range(6)]
    doc = document(
        section("summary", "Summary",
                note("Compiled is 1.66 times as fast as eager: 41.100 ms against 68.400 ms a step, over 48 steps. "
                     "The device is busy 93.1% of the window."),
                note("2 of 48 steps took more than 1.5 times the median; the first compiles. They are not in the "
                     "figures below.", "warning"),
                *FINDINGS, waterfall,
                chart("steps", "series", "Steps", unit="ns", labels=[f"step {i}" for i in range(48)],
                      series=[line_of("compiled", steps), line_of("eager", eager_steps)], outliers=[0, 23],
                      median=41_000_000)),
        section("kernels", "Kernels", kernels),
        section("operators", "Operators", operators, differences),
        section("timeline", "Timeline",
                line.item("timeline", "Timeline", "events", lanes,
                          "Events shorter than 100 ns of 2 threads are left out: 3 104 events, 0.1% of the time.")),
        section("flame", "Flame graph", chart("modules", "flame", "Where the time goes", views=views)),
        section("machine", "Machine",
                code("environment", "text", 1, ["TORCHINDUCTOR_MAX_AUTOTUNE=1", "CUDA_VISIBLE_DEVICES=0"]),
                chart("busy", "bars", "Threads", unit="ns", parts=["busy", "wait", "idle"], rows=busy),
                chart("durations", "histogram", "Durations of all kernels",
                      edges=[round(500 * 1.5 ** at) for at in range(21)],
                      counts=[round(900 * math.exp(-(at - 9) ** 2 / 14)) for at in range(20)]),
                roofline(rng, FUSED), rank_bars(rng, 60), spread(rng)),
        title="gpt-124m.compiled.json.gz against gpt-124m.eager.json.gz", verb="diff",
        facts=[["File", "gpt-124m.compiled.json.gz"], ["Events", "1 204 118"], ["Window", "1.973 s, 48 steps"],
               ["Producer", "torch 2.13.0, Seamscope 0.9"],
               ["Machine", "NVIDIA H100 80GB HBM3, driver 580.65"], ["Processes", "1 (rank 0 of 8)"]])
    return doc, {"events": blob}, {"timeline": line}


def dense_lane(rng, wanted, names):
    """Consecutive operators, each full of short kernels; returns the events and their end."""
    at, events = 0, []
    while len(events) < wanted:
        outer = rng.randrange(2000, 90_000)
        events.append((at, outer, names[rng.randrange(400, 701)]))
        inner = at
        while inner < at + outer - 2000 and len(events) < wanted:
            length = rng.randrange(100, 1900)
            events.append((inner, length, names[rng.randrange(700)]))
            inner += length + rng.randrange(0, 300)
        at += outer + rng.choice([0, 100, 5000])
    return events, at


def big(rows=100_000, events=1_000_000):
    rng = random.Random(2)
    line = Timeline(0)
    names = [line.name(f"kernel_{i}<{i % 7}, float>", "kernel") for i in range(400)]
    names += [line.name(f"aten::op_{i}", "operator") for i in range(300)] + [line.name("wait", "wait")]
    lanes = 24
    for lane in range(lanes):
        out, end = dense_lane(rng, events // lanes, names)
        kind = "thread" if lane % 3 else "stream"
        line.end = max(line.end, end)
        line.lane(f"{kind} {lane}", f"process {lane // 8}", kind, out)
    blob, lane_items = line.blob()
    table_rows = []
    for i in range(rows):
        total, calls = round(rng.expovariate(1 / 1e6)) + 10, rng.randrange(1, 500)
        table_rows.append([f"void cutlass::Kernel<Shape<{i % 64}, {i // 64}>, float>::run_{i}(Params)", calls,
                           total, total // calls, total / 1e9, rng.random() * 1e14, place("k.cpp", i, 3),
                           rng.choice(["gemm", "pointwise", "reduction"])])
    columns = [column("name", "Kernel", "name"), column("calls", "Calls", "count", total="sum"),
               column("total_ns", "Total", "ns", total="sum", bar=True), column("mean_ns", "Mean", "ns"),
               column("window", "Window", "percent"), column("rate", "Rate", "flop_per_s"),
               column("place", "Source", "place"), column("kind", "Kind", "text")]
    frames = [f"frame_{i}" for i in range(500)]
    packed = Packed()
    doc = document(
        section("summary", "Summary", note("A document of many rows."),
                packed.table("rows", "Rows", columns, table_rows)),
        section("timeline", "Timeline", line.item("timeline", "Timeline", "events", lane_items)),
        section("flame", "Flame",
                chart("flame", "flame", "Flame",
                      views=[packed.view(flame_view(rng, "All", 9, 8, frames, 10**12))])),
        title="big")
    blobs, doc["texts"] = packed.finish()
    return doc, {"events": blob, **blobs}, {"timeline": line, "rows": table_rows}


HOSTILE = [
    "<script>window.__pwned = 1; alert(1)</script>",
    "</script><script>window.__pwned = 1; alert(1)</script>",
    "<!-- <script>",
    "--><img src=x onerror=\"window.__pwned = 1; alert(1)\">",
    "<svg onload=alert(1)>",
    "javascript:alert(1)",
    "\"'><b>bold</b>",
    "&lt;b&gt; &amp; &#x3c;",
    "left\u202eright\u202c\u2066isolated\u2069",
    "nul\0in the middle",
    "tab\tline\nreturn\r",
    "\u200bzero\u200dwidth\ufeff",
    "]]>",
    "${alert(1)}",
    "{{constructor.constructor('alert(1)')()}}",
    "__proto__",
    "constructor",
    "a\ud800b",
    "=1+1",
    "@SUM(A1)",
    "x" * 5000,
    "\u2028\u2029",
    "\U000e0041tag",
    "",
]


def flame_of(title, names):
    """A root with all others directly below it."""
    return {"title": title, "names": names, "parent": [-1] + [0] * (len(names) - 1),
            "name": list(range(len(names))), "self": [5] * len(names), "count": [1] * len(names)}


def hostile():
    rng = random.Random(3)
    # A name of 1 MB in every place would make a page of hundreds of MB: there are two, each in one place.
    long = ["M" * (1 << 20), "(" * (1 << 20) + "\u202e" * 1000]
    names = HOSTILE
    line = Timeline(10_000_000)
    line.lane(names[0], names[1], "thread",
              [(at * 300_000, 250_000, line.name(name, KINDS[at % 6])) for at, name in enumerate(names + long)])
    line.lane(names[8], names[3], names[4], [])
    blob, lanes = line.blob()
    columns = [column("name", names[0], "name", help=names[1]), column("__proto__", names[3], "text", help=names[8]),
               column("total_ns", "Total", "ns", total="sum", bar=True), column("list", "List", "list"),
               column("place", "Place", "place"), column("any", "Any", names[2], hidden=True)]
    rows = [[name, name, at * 1000, [name, name], {"file": name, "line": at, "column": 1, "s": name},
             {"v": None, "s": name}] for at, name in enumerate(names)]
    rows += [[name, "", 1, [], None, None] for name in long]
    source = code(names[0], "cpp", 1, names + long, heat=[at * 10 for at in range(len(names) + 2)],
                  samples=[{"samples": 5, "share": names[1], "low": 0.1, "high": 0.2}, names[2], 3])
    plain = dict(source, lines=names, heat=None)
    first = table("</script>", names[1], columns, rows, notes={"0": names[:5]},
                  details={str(at): [plain, note(name)] for at, name in enumerate(names)},
                  summary=[{"label": names[1], "cells": {"total_ns": {"v": 1, "s": names[0]}}}])
    charts = [
        chart("w", "waterfall", names[1], begin=level(names[0], 10), end=level(names[3], 5),
              steps=[step(name, 1, {"table": "</script>", "row": 2}) for name in names]),
        chart("b", "bars", names[0], unit="ns", parts=names[:4], rows=[bar(name, 1, 2, 3, 4) for name in names]),
        chart("s", "series", names[0], unit="ns", labels=names,
              series=[line_of(names[3], list(range(len(names))))], outliers=[1], median=3),
        chart("h", "histogram", names[2], edges=[1, 10, 100], counts=[3, 4]),
        chart("f", "flame", names[0], views=[flame_of(name, names[1:] + long[1:]) for name in names[:3]]),
        roofline(rng, names), rank_bars(rng, 3, names[0] + "{}"), spread(rng),
        dict(chart("u", names[0], names[0]), data=None),
    ]
    doc = document(
        section("summary", names[0],
                *[finding(name, name, name, 1, 0.5, {"table": "</script>", "row": 1}) for name in names],
                *[note(name, "warning") for name in names + long[:1]]),
        section("tables", names[1], first, dict(first, id="names", title="Names")),
        section("charts", names[3], *charts),
        section("timeline", names[8], line.item("t", names[0], "events", lanes, names[1])),
        section("<script>", "odd id", source, {"type": names[0]}),
        title=names[1], verb=names[0], facts=[[name, name] for name in names + long[:1]])
    return doc, {"events": blob}, {"timeline": line}


def empty():
    line = Timeline(0)
    blob, lanes = line.blob()
    no_series = {"unit": "ns", "labels": None, "outliers": [], "median": None}
    charts = [
        chart("w", "waterfall", "W", begin=level("Eager", 0), end=level("Compiled", 0), steps=[]),
        chart("h", "histogram", "H", edges=[], counts=[]),
        chart("b", "bars", "B", unit="ns", parts=[], rows=[]),
        chart("s", "series", "S", series=[], **no_series),
        chart("s2", "series", "S", series=[line_of("x", [None, None])], **no_series),
        chart("r", "roofline", "R", roofs=[], points=[]),
        chart("k", "ranks", "K", parts=[], rows=[]),
        chart("o", "spread", "O", begin_ns=0, end_ns=0, count=0, at=[], calls=[], least=[], median=[], most=[]),
        chart("f", "flame", "F", views=[]),
        chart("f2", "flame", "F", views=[dict(flame_of("v", []), parent=[])]),
    ]
    doc = document(
        section("summary", "Summary"),
        section("tables", "Tables", table("none", "None", KERNEL_COLUMNS, []), code("c", "cpp", 1, []),
                {"type": "pair", "items": []}),
        section("charts", "Charts", *charts),
        section("timeline", "Timeline", line.item("t", "T", "events", lanes)))
    return doc, {"events": blob}, {"timeline": line}


MAKERS = {"small": small, "big": big, "hostile": hostile, "empty": empty}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=MAKERS)
    parser.add_argument("folder", help="gets document.json and a file for each blob")
    options = parser.parse_args()
    doc, blobs, _ = MAKERS[options.kind]()
    os.makedirs(options.folder, exist_ok=True)
    with open(os.path.join(options.folder, "document.json"), "w", encoding="utf-8") as file:
        json.dump(doc, file)
    for name, data in blobs.items():
        with open(os.path.join(options.folder, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()
