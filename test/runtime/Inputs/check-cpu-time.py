"""Compares each thread's running time by its switches with its processor time.

usage: check-cpu-time.py LINES TRACE...
LINES: what the program printed (cpu-time.h)
"""

import sys

import samples

processes = {entry.pid: entry for path in sys.argv[2:] for entry in samples.read(path)}
assert all(entry.state == "on" for entry in processes.values()), [e.entry for e in processes.values()]
threads = 0
for line in open(sys.argv[1]):
    name, *numbers = line.split()
    pid, tid, begin, end, cpu = map(int, numbers)
    entry = processes[pid]
    assert entry.entry["lost"] == 0, entry.entry["lost"]
    assert any(t == tid and first <= begin and end <= last for t, first, last, _ in entry.spans), (name, tid)
    running = end - begin - entry.off_ns(tid, begin, end)
    unknown = entry.off_ns(tid, begin, end, kinds=(4,))
    assert unknown == 0, f"{name}: {unknown / 1e6} ms are not known"
    error = running - cpu
    assert abs(error) <= max(2e6, 0.02 * cpu), f"{name}: ran for {running / 1e6} ms, used {cpu / 1e6} ms"
    # A sample is never taken while the thread does not run.
    for t, ns, _ in entry.samples:
        if t == tid:
            assert not any(f < ns < l and n == l - f for f, l, n, _, _ in entry.off.get(tid, [])), f"{name}: {ns}"
    threads += 1
print(f"{threads} threads ran for as long as they used the processor")
