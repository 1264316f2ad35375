"""check-waits.py US COUNT TRACE...: each trace has at least COUNT waits of at least US, and no call
begins or ends inside of any wait of its thread but where both do."""
import json
import sys

least, count = float(sys.argv[1]), int(sys.argv[2])
for path in sys.argv[3:]:
    events = [e for e in json.load(open(path))["traceEvents"] if e["ph"] == "X"]
    waits = [e for e in events if e["cat"] == "wait"]
    assert sum(e["dur"] >= 0.99 * least for e in waits) >= count, (path, len(waits))
    for wait in waits:
        begin, end = wait["ts"], wait["ts"] + wait["dur"]
        assert wait["name"] == "[thread not running]", wait
        for e in events:
            if e is wait or e["tid"] != wait["tid"]:
                continue
            # Times are of whole ns in us.
            first, last = e["ts"], e["ts"] + e["dur"]
            apart = last <= begin + 0.002 or first >= end - 0.002
            around = first <= begin + 0.002 and last >= end - 0.002
            assert apart or around, (path, wait, e)
