"""usage: killed-samples.py SEAMSCOPE PROGRAM"""

import os
import subprocess
import sys

import samples

tool, program = sys.argv[1:]
os.environ["SEAMSCOPE_SPOOL_DIR"] = os.getcwd()
child = subprocess.Popen([program])
assert child.wait(timeout=100) == -9
recover = subprocess.run([tool, "recover", str(child.pid), "-o", "t.json"], capture_output=True, text=True)
assert recover.returncode == 0, recover.stderr
(entry,) = samples.read("t.json")
assert entry.state == "on"
(second,) = {tid for tid, *_ in entry.spans} - {child.pid}
length = entry.until - entry.begin
assert length > 5e8, length
blocked = entry.off_ns(child.pid, entry.begin, entry.until, kinds=(2,))
assert blocked > 0.9 * length - entry.off_ns(child.pid, entry.begin, entry.until, kinds=(3,)), (blocked, length)
assert entry.off_ns(second, entry.begin, entry.until, kinds=(2, 4)) < 0.1 * length
assert sum(tid == second for tid, *_ in entry.samples) > 10
print("the first thread is blocked, the second runs")
