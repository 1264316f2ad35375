"""Checks that a trace has COUNT lives of threads, and that each thread was off before it first ran.

usage: check-lives.py TRACE COUNT
"""

import sys

import samples

(entry,) = samples.read(sys.argv[1])
assert entry.state == "on" and entry.entry["lost"] == entry.entry["dropped"] == 0, entry.entry["lost"]
lives = entry.spans
assert len(lives) == int(sys.argv[2]), len(lives)
assert all(first <= last for _, first, last, _ in lives)
main = [life for life in lives if life[0] == entry.pid]
assert len(main) == 1, main
by_tid = {}
for tid, first, last, _ in sorted(lives, key=lambda life: life[1]):
    # A number that is used again belongs to a later thread.
    assert by_tid.get(tid, 0) <= first, (tid, first)
    by_tid[tid] = last
    if tid != entry.pid:
        assert last < entry.until and entry.off_ns(tid, first, last) < last - first, (tid, first, last)
print(f"{len(lives)} lives, all whole")
