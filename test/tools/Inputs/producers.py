"""Checks what reports say of other producers' traces: python3 producers.py SEAMSCOPE FOLDER."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import sys

from smalltrace import event, kernels, names, report

FOLDER = sys.argv[2]


def text_of(name):
    """A trace that a producer wrote."""
    with open(f"{FOLDER}/{name}", encoding="utf-8") as file:
        return file.read()


def named(kind, pid, tid, name):
    """The name of a process or thread."""
    return {"ph": "M", "name": kind, "pid": pid, "tid": tid, "args": {"name": name}}


def totals(rows):
    """By name, calls and total."""
    return {row["name"]: (row["calls"], row["total_ns"]) for row in rows}


def check_onnx_runtime():
    """Nodes by type and by name; nodes inside a node's subgraph are not its own time; sessions."""
    text = text_of("onnxruntime.json")
    found, shown = report(text)
    assert names(found) == [] and found["kernels"] == [] and found["trace"]["producer"] == "ONNX Runtime"
    rows = {row["name"]: row for row in found["operators"]}
    # By hand: the durations of each type, for If less those of Exp and Neg inside.
    durations = {}
    for each in json.loads(text):
        if each["cat"] == "Node":
            durations.setdefault(each["args"]["op_name"], []).append(each["dur"] * 1000)
    assert {name: row["total_ns"] for name, row in rows.items()} == {
        name: sum(all_of) for name, all_of in durations.items()}, rows
    assert rows["MatMul"]["calls"] == 4 and rows["Relu"]["own_ns"] == rows["Relu"]["total_ns"]
    inside = sum(durations["Exp"]) + sum(durations["Neg"])
    assert 0 < rows["If"]["own_ns"] <= rows["If"]["total_ns"] - inside, rows["If"]
    nodes = {row["name"]: row for row in found["nodes"]}
    assert set(nodes) == {"mm1", "relu1", "mm2", "softmax", "then_node", "els_node", "branch"}, nodes
    assert (nodes["mm1"]["type"], nodes["mm1"]["provider"], nodes["mm1"]["calls"]) == (
        "MatMul", "CPUExecutionProvider", 2)
    assert "Provider" in shown and "model_run" in shown
    assert totals(found["event_names"])["model_run"] == (2, 565000)
    # A GPU's kernels are next to the nodes; older versions write fences; DirectML gives no types.
    node = {"op_name": "Conv", "provider": "CUDAExecutionProvider"}
    found, _ = report([event("Node", "_fence_before", 1, 1, 0.0, 1.0, op_name="Conv"),
                       event("Node", "_kernel_time", 1, 1, 1.0, 50.0, **node),
                       event("Node", "_fence_after", 1, 1, 51.0, 1.0, op_name="Conv"),
                       event("Node", "Fused_0_kernel_time", 1, 1, 60.0, 5.0),
                       event("Kernel", "implicit_gemm", -1, -1, 20.0, 25.0, op_name="Conv", stream=7)])
    assert totals(found["operators"]) == {"Conv": (1, 50000), "Fused_0": (1, 5000)}, found["operators"]
    assert kernels(found) == {"implicit_gemm": (1, 25000)} and found["devices"][0]["busy_ns"] == 25000
    # Other writers may call something a node.
    found, _ = report([event("Node", "a", 1, 1, 0.0, 1.0)])
    assert names(found) == [("unknown-categories", 1)] and found["operators"] == []


def check_time_trace():
    """The sums of -ftime-trace are not spans; time inside a phase is not its own."""
    text = text_of("ftime-trace.json")
    found, shown = report(text)
    events = json.loads(text)["traceEvents"]
    whole = max(each["ts"] + each["dur"] for each in events if each["name"] == "ExecuteCompiler") * 1000
    assert found["kernels"] == [] and names(found) == [] and found["window_ns"] == whole
    assert found["trace"]["producer"] == "clang -ftime-trace"
    sums = totals(found["producer_sums"])
    assert sums["Total Frontend"] == (1, 1301683000) and all(name.startswith("Total ") for name in sums)
    rows = {row["name"]: row for row in found["event_names"]}
    assert not set(rows) & set(sums)
    compiler = rows["ExecuteCompiler"]
    assert compiler["own_ns"] < compiler["total_ns"] == sum(row["own_ns"] for row in rows.values()), rows
    assert "Total ExecuteCompiler" in shown
    link = [event(None, "ExecuteLinker", 1, 1, 0.0, 90.0), event(None, "Link", 1, 1, 10.0, 70.0),
            event(None, "Total ExecuteLinker", 1, 2, 0.0, 90.0), event(None, "Total Link", 1, 3, 0.0, 70.0)]
    found, _ = report(link)
    assert found["trace"]["producer"] == "lld --time-trace" and found["window_ns"] == 90000
    assert {row["name"]: row["own_ns"] for row in found["event_names"]} == {"ExecuteLinker": 20000, "Link": 70000}
    # A kernel of any writer may have this name.
    found, _ = report([event(None, "Total Link", 1, 1, 0.0, 5.0)])
    assert set(kernels(found)) == {"Total Link"} and found["producer_sums"] == []


def check_xla():
    """JAX on a CPU; a GPU, whose streams are repeated on other tracks; a TPU, which has none."""
    text = text_of("jax-cpu.json")
    found, shown = report(text)
    times = [round(each["dur"] * 1000) for each in json.loads(text)["traceEvents"]
             if each.get("args", {}).get("hlo_op")]
    assert len(times) == 3 and kernels(found) == {"ynn_fusion": (3, sum(times))}, kernels(found)
    assert found["trace"]["producer"] == "XLA" and found["health"] == [] and found["skipped"] == []
    assert totals(found["event_names"])["train"][0] == 3 and "$profiler.py" not in str(found["event_names"])
    assert "written by XLA" in shown
    meta = [named("process_name", 1, 0, "/device:GPU:0"), named("process_name", 2, 0, "/host:CPU"),
            named("thread_name", 1, 1, "Stream #7(Compute,MemcpyH2D)"), named("thread_name", 1, 2, "XLA Ops"),
            named("thread_name", 1, 3, "XLA Modules"), named("thread_name", 1, 4, "Framework Name Scope"),
            named("thread_name", 1, 5, "Steps"), named("thread_name", 2, 9, "python")]
    work = [event(None, "fusion_1", 1, 1, 30.0, 20.0, correlation_id="7", hlo_op="fusion.1"),
            event(None, "MemcpyH2D", 1, 1, 60.0, 4.0, correlation_id="8")]
    again = [event(None, "fusion.1", 1, 2, 30.0, 20.0), event(None, "jit_step", 1, 3, 30.0, 34.0),
             event(None, "jit(step)", 1, 4, 30.0, 20.0), event(None, "0", 1, 5, 0.0, 64.0)]
    host = [event(None, "cuLaunchKernel", 2, 9, 20.0, 5.0, correlation_id="7"),
            event(None, "cuMemcpyHtoDAsync_v2", 2, 9, 26.0, 2.0, correlation_id="8"),
            event(None, "$step.py:3 step", 2, 9, 0.0, 50.0), event(None, "PjitFunction(step)", 2, 9, 10.0, 30.0)]
    found, _ = report(meta + host + work + again)
    (device,) = found["devices"]
    assert kernels(found) == {"fusion_1": (1, 20000)} and device["name"] == "/device:GPU:0", (kernels(found), device)
    assert (device["busy_ns"], found["linking"]["launched"]) == (24000, 1), found["linking"]
    assert totals(found["producer_sums"]) == {"fusion.1": (1, 20000), "jit_step": (1, 34000),
                                              "jit(step)": (1, 20000), "0": (1, 64000)}
    tpu = [named("process_name", 3, 0, "/device:TPU:0"), named("thread_name", 3, 1, "XLA Ops"),
           named("thread_name", 3, 2, "XLA Modules"), named("process_name", 4, 0, "/device:TPU:1"),
           named("thread_name", 4, 1, "XLA Ops")]
    found, _ = report(tpu + [event(None, "fusion.3", 3, 1, 0.0, 9.0), event(None, "jit_step", 3, 2, 0.0, 9.5),
                             event(None, "fusion.3", 4, 1, 1.0, 8.0)])
    assert [(each["name"], each["busy_ns"]) for each in found["devices"]] == [
        ("/device:TPU:0", 9000), ("/device:TPU:1", 8000)], found["devices"]


def check_ascend():
    """torch_npu gives no categories: the name of a process gives its kind."""
    meta = [named("process_name", 5, 0, "Ascend Hardware"), named("process_name", 6, 0, "HCCL"),
            named("process_name", 7, 0, "Overlap Analysis"), named("process_name", 8, 0, "CANN"),
            named("thread_name", 6, 0, "Group 0 Communication"), named("thread_name", 6, 1, "Plane 0")]
    calls = [("Add", 5, 2, 10.0, 20.0), ("EVENT_WAIT", 5, 2, 30.0, 40.0), ("MatMulV2", 5, 2, 70.0, 5.0),
             ("MEMCPY_ASYNC", 5, 3, 80.0, 3.0), ("hcom_allReduce__1", 6, 0, 90.0, 10.0),
             ("Notify_Wait", 6, 1, 90.0, 8.0), ("Computing", 7, 0, 10.0, 20.0), ("Computing", 7, 0, 70.0, 5.0),
             ("Free", 7, 3, 30.0, 40.0), ("Node@launch", 8, 1, 5.0, 2.0), ("Add", 8, 1, 4.0, 1.0)]
    found, shown = report(meta + [event(None, *call) for call in calls])
    assert kernels(found) == {"Add": (1, 20000), "MatMulV2": (1, 5000), "hcom_allReduce__1": (1, 10000)}, kernels(found)
    (device,) = found["devices"]
    assert (device["kernels"], device["busy_ns"]) == (3, 38000), device
    assert {row["name"]: row["total_ns"] for row in found["categories"]}["collective"] == 10000
    assert {row["name"]: (row["calls"], row["total_ns"]) for row in found["producer_sums"]} == {
        "Computing": (2, 25000), "Free": (1, 40000)}
    assert found["health"] == [] and "Sum of the producer" in shown
    # Processes of other writers are not recognised by such names.
    found, _ = report([event(None, "Free", 7, 3, 30.0, 40.0)])
    assert set(kernels(found)) == {"Free"} and found["producer_sums"] == []


def check_ascend_queue():
    """A launch from torch_npu's queue belongs to the operator that enqueued it; sums have a stage."""
    meta = [named("process_name", 5, 0, "Ascend Hardware"), named("process_name", 7, 0, "Overlap Analysis"),
            named("process_name", 8, 0, "CANN"), named("process_name", 9, 0, "Python")]
    host = [event("cpu_op", "aten::mm", 9, 1, 0.0, 20.0), event("enqueue", "Enqueue", 9, 1, 10.0, 5.0, correlation_id=3),
            event("dequeue", "Dequeue@aclnnMm", 9, 2, 22.0, 8.0, correlation_id=3),
            event(None, "Node@launch", 8, 2, 24.0, 4.0, connection_id=3001),
            event("cpu_op", "aten::add", 9, 1, 30.0, 9.0),
            event(None, "AscendCL@aclrtMemcpyAsync", 8, 1, 32.0, 2.0, connection_id=3002)]
    work = [event(None, "MatMulV2", 5, 2, 40.0, 30.0, connection_id=3001),
            event(None, "MEMCPY_ASYNC", 5, 2, 75.0, 5.0, connection_id=3002)]
    sums = [event(None, "Computing", 7, 0, 40.0, 30.0), event(None, "Free", 7, 3, 70.0, 5.5)]
    found, shown = report(meta + host + work + sums)
    assert {row["name"]: row["device_ns"] for row in found["operators"]} == {"aten::mm": 30000, "aten::add": 0}
    (device,) = found["devices"]
    assert (device["name"], device["idle"]["host_ns"], device["idle"]["latency_ns"]) == ("Ascend NPU", 0, 5000), device
    assert found["linking"]["launched"] == found["linking"]["linked"] == 1, found["linking"]
    assert found["trace"]["stage_ns"] == 35500 and "[stage]" in shown


def check_mtia():
    """Among the work of MTIA's control processors, requests to the DMA engine are copies, and waiting is not work."""
    done = [event("mtia_ccp_events", name, 17, 3, *times, stream=108) for name, *times in (
        ("event_wait", 0.0, 50.0), ("dma_request", 50.0, 5.0), ("pe_exe", 60.0, 20.0), ("event_record", 80.0, 1.0))]
    found, _ = report(done)
    (device,) = found["devices"]
    assert kernels(found) == {"pe_exe": (1, 20000)} and (device["id"], device["busy_ns"]) == (17, 25000), device
    assert totals(found["copies"]["rows"]) == {"dma_request": (1, 5000)}, found["copies"]


def check_proton():
    """Triton's Proton: each scope is a category, and warps are threads."""
    scopes = [{"ph": "X", "cat": name, "name": name, "pid": "matmul Core0 CTA0", "tid": f"warp {warp} (line 3)",
               "ts": 0.5 * i, "dur": 0.25, "args": {"Unit": "GPU cycle"}}
              for warp in range(2) for i, name in enumerate(("load", "mma"))]
    found, _ = report(scopes)
    assert names(found) == [("unknown-categories", 4)] and totals(found["event_names"]) == {
        "load": (2, 500), "mma": (2, 500)}


for check in (check_onnx_runtime, check_time_trace, check_xla, check_ascend, check_ascend_queue, check_mtia,
              check_proton):
    check()
