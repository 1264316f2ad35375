"""check.py FOLDER [--lossy] [LINE...]: compares FOLDER/trace.json with FOLDER/log.json exactly: every activity,
and the stamps of each launch, which are computed here only from the clock readings. The launches must be on
program lines that end with one of the comments LINE. --lossy: some launches, but not all, must have no stamps
and be counted.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import os
import sys

folder, *lines = sys.argv[1:]
lossy = lines[:1] == ["--lossy"]
lines = lines[lossy:]
lost = 0
with open(os.path.join(folder, "trace.json"), encoding="utf-8") as file:
    trace = json.load(file)
with open(os.path.join(folder, "log.json"), encoding="utf-8") as file:
    log = [activity for activity in json.load(file)["activities"] if not activity["tools"]]
events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
CATEGORIES = {"kernel": "kernel", "copy": "gpu_memcpy", "fill": "gpu_memset", "wait": "cuda_sync",
              "runtime": "cuda_runtime", "driver": "cuda_driver"}
problems = []
origins = {}


def expect(holds, what):
    if not holds:
        problems.append(what)


def ns(microseconds):
    return round(microseconds * 1000)


def close(value, wanted):
    return abs(value - wanted) <= 0.0006


def inside(activity):
    """The expected trace entry of a launch, from the clock readings."""
    blocks = collections.defaultdict(list)
    for block, _, sm, begin, end, begin_clock, end_clock in activity["warps"]:
        blocks[block].append((sm, begin, end, begin_clock, end_clock))
    spans = {block: (warps[0][0], min(w[1] for w in warps), max(w[2] for w in warps),
                     min(w[3] for w in warps), max(w[4] for w in warps))
             for block, warps in blocks.items()}
    begin, end = min(s[1] for s in spans.values()), max(s[2] for s in spans.values())
    sms = {s[0] for s in spans.values()}
    busy, tail, resident = {}, 0, 0
    for sm in sms:
        mine = [s for s in spans.values() if s[0] == sm]
        covered = set()
        for _, first, last, _, _ in mine:
            covered.update(range(first, last))
        busy[sm] = len(covered)
        tail += end - max(s[2] for s in mine)
        resident = max(resident, max(sum(o[3] <= s[3] < o[4] for o in mine) for s in mine))
    mean = most = 0
    for warps in blocks.values():
        if len(warps) > 1:
            clocks = [w[4] - w[3] for w in warps]
            mean += sum(clocks) / len(clocks)
            most += max(clocks)
    figures = {"sms": len(sms), "blocks": len(spans), "warps": len(activity["warps"]),
               "resident_blocks": resident, "ns": end - begin, "share": 1, "open_warps": 0, "lost_warps": 0,
               "waves": len(spans) / (len(sms) * resident)}
    if end > begin:
        figures["tail_percent"] = 100 * tail / (len(sms) * (end - begin))
        figures["sm_imbalance"] = max(busy.values()) * len(sms) / sum(busy.values())
    if mean:
        figures["warp_imbalance"] = most / mean
    return figures, spans, begin, end


LAYERS = {2: "openacc", 3: "custom0", 4: "custom1", 5: "custom2"}
externals = {a["correlation"]: {LAYERS[layer]: a[f"external {layer}"] for layer in LAYERS
                                if f"external {layer}" in a} for a in log if a["kind"] in ("runtime", "driver")}


def check_external(what, said, pushed):
    """Checks the numbers of other layers: External id is that of custom0 (torch), else of the first layer."""
    main = "custom0" if "custom0" in pushed else next(iter(pushed), None)
    wanted = {"External id" if layer == main else "External id, " + layer: number
              for layer, number in pushed.items()}
    got = {key: value for key, value in said.items() if key.startswith("External id")}
    expect(got == wanted, f"{what}: other external ids: {got} for {wanted}")


for kind, category in CATEGORIES.items():
    wanted = sorted((a for a in log if a["kind"] == kind), key=lambda a: (a["begin"], a["correlation"]))
    found = sorted((e for e in events if e["cat"] == category),
                   key=lambda e: (e["ts"], e["args"]["correlation"]))
    expect(len(wanted) == len(found), f"{len(found)} of {len(wanted)} of kind {kind}")
    in_turn = all(one["end"] <= other["begin"] for one, other in zip(wanted, wanted[1:]))
    for activity, event in zip(wanted, found):
        what = f"{kind} {event['name']} {event['args']['correlation']}"
        # One origin for all times, so that gaps are those of the device, exactly.
        origins.setdefault("any", activity["begin"] - ns(event["ts"]))
        off = activity["begin"] - ns(event["ts"]) - origins["any"]
        expect(off == 0, f"{what}: lies {off} ns off")
        expect(ns(event["dur"]) == activity["end"] - activity["begin"],
               f"{what}: {event['dur']} us for {activity['end'] - activity['begin']} ns")
        expect(event["args"]["correlation"] == activity["correlation"], f"{what}: other correlation")
        check_external(what, event["args"], externals[activity["correlation"]])
        if kind in ("copy", "fill"):
            expect(event["args"]["bytes"] == activity["bytes"], f"{what}: other bytes")
        if kind in ("runtime", "driver"):
            expect(event["tid"] == activity["thread"], f"{what}: other thread")
        elif kind != "wait":
            expect(event["tid"] == activity["stream"], f"{what}: other stream")
        if kind != "kernel":
            continue
        expect(event["args"].get("graph node id", 0) == activity["node"], f"{what}: other graph node")
        if "captured at" in event["args"]:
            expect(activity["node"], f"{what}: captured, and of no graph")
            place = event["args"]["captured at"]
            with open(place["file"], encoding="utf-8") as file:
                text = file.read().splitlines()[place["line"] - 1].strip()
            launched = text.split("<<<")[0].replace("saxpy", "saxpy<float>")
            expect(text.endswith("// captured") and place["name"] == launched and
                   launched in event["name"], f"{what}: captured at: {text}")
        expect([event["args"]["grid"], event["args"]["block"]] == [activity["grid"], activity["block"]],
               f"{what}: other grid or block")
        if not activity["warps"]:
            continue
        if lossy and "inside" not in event["args"]:
            lost += 1
            continue
        if lossy and "incomplete" in event["args"]["inside"]:
            said = event["args"]["inside"]
            expect(said["warps"] + said["lost_warps"] == len(activity["warps"]) and
                   not {"tail_percent", "sm_imbalance", "warp_imbalance", "waves"} & set(said),
                   f"{what}: a part tells of the whole: {said}")
            continue
        figures, spans, begin, end = inside(activity)
        if lossy:
            # A slot may have been read when all warps but not all of their threads had left.
            figures = {key: figures[key] for key in ("sms", "blocks", "warps", "open_warps", "lost_warps", "share")}
        for key, value in figures.items():
            said = event["args"].get("inside", {}).get(key)
            expect(said is not None and close(said, value), f"{what}: {key} is {said}, and should be {value}")
        lanes = sorted((e["args"]["block"], e["tid"] - 1000000, ns(e["dur"])) for e in events
                       if e["cat"] == "gpu_block" and ns(event["ts"]) <= ns(e["ts"]) <
                       ns(event["ts"]) + ns(event["dur"]) and e["name"] in event["name"])
        if any(e["cat"] == "gpu_block" for e in events) and in_turn:
            expect(lanes == sorted((b, s[0], s[2] - s[1]) for b, s in spans.items()),
                   f"{what}: other blocks on other SMs")

kernels = sum(activity["kind"] == "kernel" for activity in log)
expect(trace["seamscope"]["cuda"]["launches_without_stamps"] == lost and lossy == (0 < lost < kernels),
       f"{lost} of {kernels} launches have no stamps, counted are "
       f"{trace['seamscope']['cuda']['launches_without_stamps']}")
flows = collections.Counter((event["ph"], event["id"]) for event in trace["traceEvents"]
                            if event.get("cat") == "ac2g")
for activity in log:
    if activity["kind"] in ("kernel", "copy", "fill"):
        expect(flows["s", activity["correlation"]] == 1 and flows["f", activity["correlation"]],
               f"no arrow for {activity['correlation']}")

launches = [event for event in events if event["cat"] == "cuda_launch"]
for event in launches:
    with open(event["args"]["file"], encoding="utf-8") as file:
        text = file.read().splitlines()[event["args"]["line"] - 1]
    expect(any(text.endswith("// " + line) for line in lines), f"launched at: {text}")
    held = [e for e in events if e["cat"] in ("cuda_runtime", "cuda_driver") and e["tid"] == event["tid"] and
            ns(event["ts"]) <= ns(e["ts"]) and ns(e["ts"]) + ns(e["dur"]) <= ns(event["ts"]) + ns(event["dur"])]
    expect(len(held) == 1, f"{len(held)} calls of CUDA in a launch of {event['name']}")
expect(bool(launches) == bool(lines), f"{len(launches)} launches")

for problem in problems[:20]:
    print("FAILED:", problem)
print(f"{len(log)} activities, {len(launches)} launches:",
      "not as the stand-in did" if problems else "as the stand-in did, to the ns")
sys.exit(bool(problems))
