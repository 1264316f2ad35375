"""cut-traces.py FOLDER: traces of which a part cannot be judged by itself, or that hold much beside calls."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import random
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)


def event(category, name, pid, tid, begin, duration, **args):
    """A call, with times in us."""
    made = {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": begin, "dur": duration, "args": args}
    return {key: value for key, value in made.items() if value is not None}


def half(phase, name, tid, begin, **args):
    """A begin or an end."""
    return {"ph": phase, "cat": "cpu_op", "name": name, "pid": 10, "tid": tid, "ts": begin, "args": args}


def launch(number, begin, duration=6.0, call="cudaLaunchKernel", pid=10):
    """An operator and the launch in it."""
    dims = {"Input Dims": [[512, 512], [512, 512]], "Input type": ["float", "float"], "Sequence number": number}
    return [event("cpu_op", "aten::mm", pid, pid, begin, duration + 6.0, **dims),
            event("cuda_runtime", call, pid, pid, begin + 4, duration, correlation=number)]


def kernel(number, begin, duration=5.0, name="sgemm", pid=0, **more):
    """What it launched."""
    args = {"device": 0, "stream": 7, "correlation": number, "grid": [64, 1, 1], "block": [128, 1, 1],
            "registers per thread": 32, "shared memory": 1024, **more}
    return [event("kernel", name, pid, 7, begin, duration, **args)]


def save(name, events, **members):
    with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
        json.dump({**members, "traceEvents": events}, file)


def step(number, begin, duration):
    return event("user_annotation", f"ProfilerStep#{number}", 10, 10, begin, duration)


def training():
    """Steps of a forward pass, a backward pass on another thread and a device that is late; with flows,
    memory, Python frames, copies, collectives, counters, what nobody knows, and names of kernels that
    first appear in another order than in any part."""
    rand = random.Random(5)
    events, number, address = [], 0, 1000
    for index in range(6):
        at = 1000.0 + 500 * index
        events.append(step(index, at, 480.0))
        frame = 100 * index
        for depth, name in enumerate(("train.py(10): main", "nn.Module: Net_0", "model.py(5): forward")):
            parent = {"Python parent id": frame + depth - 1} if depth else {}
            events.append(event("python_function", name, 10, 10, at + 5 + depth, 220.0 - 2 * depth,
                                **{"Python id": frame + depth, **parent}))
        for place in range(8):
            number += 1
            begin = at + 12 + 25 * place
            operators = launch(number, begin)
            operators[0]["name"] = rand.choice(("aten::mm", "aten::add", "aten::relu"))
            operators[0]["args"]["Input Dims"] = [[2 ** (place % 3), 8], [8, 4]]
            operators[0]["args"]["Call stack"] = "model.py(7): forward;train.py(12): main"
            events += operators
            # Late by a step and more at the end.
            events += kernel(number, at + 150 + 40 * place, 30.0, rand.choice(("sgemm", "relu", "add")),
                             **{"kernel_flop": 1000, "kernel_num_gb": 1e-6} if place == 3 else {})
            events += [{"ph": phase, "cat": "ac2g", "name": "ac2g", "id": number, "pid": pid, "tid": tid,
                        "ts": ts, **({"bp": "e"} if phase == "f" else {})}
                       for phase, pid, tid, ts in (("s", 10, 10, begin + 4), ("f", 0, 7, at + 150 + 40 * place))]
            back = at + 240 + 25 * place
            events.append(event("cpu_op", "autograd::engine::evaluate_function: MmBackward0", 10, 11, back, 20.0,
                                **{"Sequence number": number, "Fwd thread id": 1}))
            events += [{"ph": phase, "cat": "fwdbwd", "name": "fwdbwd", "id": number, "pid": 10, "tid": tid, "ts": ts,
                        **({"bp": "e"} if phase == "f" else {})}
                       for phase, tid, ts in (("s", 10, begin), ("f", 11, back))]
            for change in (512, -512) if place % 2 else (512,):
                events.append({"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 10, "tid": 10,
                               "ts": begin + 1, "args": {"Bytes": change, "Addr": address, "Device Type": 1, "Device Id": 0,
                                                         "Total Allocated": 512 * number, "Total Reserved": 1 << 20}})
            address += 1
            events.append({"ph": "C", "cat": "gpu", "name": "queue", "pid": 0, "ts": begin, "args": {"depth": place}})
        number += 1
        events += launch(number, at + 460, call="cudaMemcpyAsync")[1:]
        events.append(event("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 0, 7, at + 475, 4.5, device=0, stream=7,
                            correlation=number, bytes=4096))
        events.append(event("cpu_op", "record_param_comms", 10, 10, at + 470, 3.0,
                            **{"Collective name": "allreduce", "dtype": "Float", "In msg nelems": 64, "Out msg nelems": 64,
                               "Group size": 2, "Process Group Name": "0"}))
        events.append(event("cuda_sync", "Stream Wait Event", 0, 7, at + 474, 0.5, device=0, stream=7, correlation=number,
                            **{"wait_on_stream": 8, "wait_on_cuda_event_record_corr_id": number - 1}))
        events.append({"ph": "b", "cat": "request", "name": "r", "id": f"0x{index:x}", "pid": 10, "ts": at + 100})
        events.append({"ph": "e", "cat": "request", "name": "r", "id": f"0x{index:x}", "pid": 10, "ts": at + 700})
        events.append(event("something new", "odd", 10, 12, at + 50, 3.0, **{"unknown key": {"a": [index, None]}}))
    # A setup that takes long, and one later that is no first.
    events += launch(9001, 5000.0, 15000.0)
    events += kernel(9001, 20100.0, name="once")
    events += launch(9002, 30000.0, 15000.0) + kernel(9002, 45100.0, name="once")
    events.append({"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": 50000.0})
    events += [{"ph": "M", "name": "process_name", "pid": 10, "args": {"name": "python"}},
               {"ph": "M", "name": "thread_name", "pid": 10, "tid": 11, "args": {"name": "pt_autograd_0"}}]
    rand.shuffle(events)
    save("training", events, schemaVersion=1, trace_id="A1B2",
         deviceProperties=[{"id": 0, "name": "NVIDIA H100", "computeMajor": 9, "computeMinor": 0, "numSms": 132,
                            "warpSize": 32, "maxThreadsPerMultiprocessor": 2048, "regsPerMultiprocessor": 65536,
                            "sharedMemPerMultiprocessor": 233472}],
         distributedInfo={"rank": 1, "world_size": 2, "pg_config": [{"pg_name": "0", "pg_size": 2}]})


def whole(count, begin=1000.0):
    """Operators with their kernels."""
    return [each for i in range(count)
            for each in launch(i + 1, begin + 20 * i) + kernel(i + 1, begin + 15 + 20 * i)]


def halves():
    """Begins and ends: inside each other, open ones, ends without a begin, empty ones."""
    events = []
    for index in range(5):
        at = 100.0 * index
        events += [half("B", "outer", 1, at, kernel="outer"), half("B", "inner", 1, at + 10, kernel="inner"),
                   half("B", "empty", 1, at + 20), half("E", "empty", 1, at + 20),
                   half("E", "inner", 1, at + 40), half("E", "outer", 1, at + 90)]
    events += [half("E", "orphan", 2, 5.0), half("B", "left", 2, 250.0, kernel="left"),
               half("B", "open", 3, 100.0, kernel="open", open=True, open_ns=300000)]
    return events


save("halves", halves())
# In the file the end of the trace comes first.
late = halves()
save("halves-disordered", [each for each in sorted(late, key=lambda each: -each["ts"] - 1000 * (each["ph"] == "E"))
                           if each["name"] != "empty"])
# Calls that were left open, of two processes, among calls of other forms.
save("open", [half("B", "main", 1, 0.0, kernel="main"), half("B", "loop", 1, 5.0, kernel="loop"), half("B", "step", 1, 40.0, kernel="step"),
              half("E", "step", 1, 300.0), event("cpu_op", "inside", 10, 1, 50.0, 200.0, kernel="inside"),
              half("B", "known", 1, 60.0, kernel="known", open=True, open_ns=120000), half("B", "worker", 2, 20.0, kernel="worker"),
              {**half("B", "other", 1, 10.0, kernel="other"), "pid": 20}, event("cpu_op", "last", 20, 1, 30.0, 400.0, kernel="last")])
training()
# Launches without work; their work, and a call that loads it, is recorded elsewhere.
save("no-work", whole(5) + [each for i in range(9) for each in launch(101 + i, 1200.0 + 20 * i)])
save("captured", [event("cuda_runtime", "cudaStreamBeginCapture", 10, 10, 990.0, 2.0)] + [
    each for i in range(5) for each in launch(i + 1, 1000.0 + 20 * i)] + [
    event("cuda_runtime", "cudaStreamEndCapture", 10, 10, 1150.0, 2.0)] + launch(50, 1200.0) + kernel(50, 1230.0))
# A driver's call in the runtime's, with one number.
save("nested", [each for i in range(6) for each in [
    *launch(i + 1, 1000.0 + 50 * i), event("cuda_driver", "cuLaunchKernel", 10, 10, 1005.0 + 50 * i, 4.0, correlation=i + 1),
    *(kernel(i + 1, 1400.0 + 10 * i) if i % 2 else [])]])
# Work that lasts over later work, work before its launch, numbers that several launches have.
save("overlaps", whole(6) + kernel(90, 1010.0, 80.0, "stuck"))
save("early", [each for i in range(6) for each in launch(i + 1, 1000.0 + 20 * i) + kernel(i + 1, 1001.0 + 20 * i)])
save("ambiguous", whole(4) + launch(1, 1300.0, pid=20) + launch(2, 1320.0, pid=20))
# Times that cannot be, and clocks that are apart.
save("far", whole(4, 1790857026000000.0) + [event("cpu_op", "zero", 10, 10, 0, 0), event("cpu_op", "gone", 10, 10, 5.0, 3.0)])
save("clocks", whole(6, 1790857026000000.125) + [event("cpu_op", "aten::elsewhere", 20, 20, 400.0 + 30 * i, 12.5) for i in range(6)]
     + [{"ph": "i", "s": "t", "name": "mark", "pid": 20, "tid": 20, "ts": 460.0}])
save("negative", whole(3) + [event("cpu_op", "turned", 10, 12, 1030.0, -4.0), event("kernel", "short", 0, 8, 1033.5, 0, device=0)])
# Events that say nothing that can be, and one without a duration.
save("unreadable", whole(3) + [{"ph": "X", "cat": "cpu_op", "name": "no time"}, {"ph": "X", "name": "words", "ts": "soon"},
                               {"ph": "X", "cat": "cpu_op", "name": "no duration", "pid": 10, "tid": 12, "ts": 1020.0}, 7])
# What has no category is a kernel only where nothing has one.
save("uncategorised", [event(None, "phase", 10, 12, 1000.0 + 30 * i, 25.0) for i in range(4)] + whole(2, 1200.0))
save("compiler", [event(None, "ExecuteCompiler", 1, 1, 0.0, 900.0), event(None, "Frontend", 1, 1, 10.0, 400.0),
                  event(None, "ParseClass", 1, 1, 30.0, 50.0), event(None, "Backend", 1, 1, 450.0, 400.0),
                  event(None, "Total ExecuteCompiler", 1, 2, 0.0, 900.0), event(None, "Total Frontend", 1, 3, 0.0, 400.0)])
save("compiled", whole(3) + [event("cpu_op", "dynamo", 10, 10, 1100.0, 500.0), event("cpu_op", "aten::mm", 10, 10, 1200.0, 10.0)]
     + whole(2, 1700.0))
# Two sources in one file, each with device 0, of which one has no work in some parts.
save("merged", [dict(each, pid=f"[TP0{rank}] {each['pid']}") for rank in range(2)
                for each in whole(4 + 4 * rank, 1000.0 + 30 * rank)])
with open(os.path.join(folder, "training.json"), encoding="utf-8") as file:
    TEXT = file.read()
with open(os.path.join(folder, "cut-off.json"), "w", encoding="utf-8") as file:
    file.write(TEXT[:len(TEXT) * 2 // 3])
with open(os.path.join(folder, "array.json"), "w", encoding="utf-8") as file:
    json.dump(whole(5), file)
# Calls that were left, and calls that were counted; the site that has them is in no part of the end.
save("left", [event("cpu_op", "f", 1, 1, 10.0 * i, 8.0, kernel="f", file=f"{'ab'[i > 4]}.cpp", line=1 + i % 2) for i in range(10)],
     seamscope={"version": "0.1.0", "format": 1, "mode": "trace", "lost_events": 2, "call_cost_ns": 50.5, "stamp_bias_ns": 5,
                "abandoned": [{"name": "f", "calls": 3}], "later": {"a": 1.0e2},
                "throttled": [{"cat": "cpu_op", "name": "f", "pid": 1, "tid": 1, "ts": 20.000, "every": 4, "timed": 6, "untimed": 18,
                               "args": {"kernel": "f", "file": "a.cpp", "line": 1}}]})
