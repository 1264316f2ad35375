"""check-ranks.py SEAMSCOPE FOLDER TRACE...: a report of the traces in FOLDER, which are those named in the order of
their ranks, must equal a report of the trace that `combine` writes. Only the name and size of the input, and what is
known of single ranks, differ."""

import json
import subprocess
import sys
import tempfile

tool, folder, *traces = sys.argv[1:]


def run(*words):
    return subprocess.run([tool, *words], check=True, stdout=subprocess.PIPE, timeout=120).stdout


with tempfile.TemporaryDirectory() as scratch:
    combined = scratch + "/all.json"
    run("combine", "-o", combined, *traces)
    for options in [], ["--by", "kernel"], ["--by", "op+shape"], ["--by", "stream"], ["--by", "device"], ["--by", "step"]:
        ours, theirs = (json.loads(run("report", "--json", *options, path)) for path in (folder, combined))
        for report in ours, theirs:
            for key in "path", "bytes":
                del report["trace"][key]
        ranks = ours.pop("ranks", None)
        if not options:
            assert len(ranks) == len(traces), ranks
            ours.pop("rank_imbalance")
            assert ours.pop("ranks_unread") == [] and ours.pop("clocks")
            skipped = [row["offset"] for row in ours.pop("skipped")]
            assert len(skipped) == len(theirs.pop("skipped"))
        assert ours == theirs, (options, [key for key in theirs if ours.get(key) != theirs[key]])
        print(f"{' '.join(options) or 'all'}: {len(ours.get('kernels', ours.get('rows')))} rows alike")
    texts = [run("report", "--csv", path) for path in (folder, combined)]
    assert texts[0] == texts[1]
