"""Kills a recorded program at random moments and checks the result of recover.

usage: kill-and-recover.py PROGRAM SEAMSCOPE TIMES [CATEGORY=COUNT...]

Two threads of the program publish how many rounds they have finished. COUNT: events of the category per
round; without it, a round is one event of any category.
"""

import contextlib
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time

program, tool, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
expected = dict(argument.split("=") for argument in sys.argv[4:]) or {"": 1}
random.seed(4711)
with tempfile.TemporaryDirectory() as folder:
    counts = os.path.join(folder, "counts")
    trace = os.path.join(folder, "trace.json")
    environment = dict(
        os.environ, SEAMSCOPE="trace", SEAMSCOPE_SPOOL_DIR=folder, SEAMSCOPE_LIMIT="256M"
    )
    kills = throttled = 0
    while kills < times:
        with open(counts, "wb") as file:
            file.write(bytes(4096))
        # Every second run counts most calls instead of timing them.
        environment["SEAMSCOPE_THROTTLE"] = "off" if kills % 2 else "8"
        child = subprocess.Popen([program, counts], env=environment)
        # Teams start up slowly.
        time.sleep(random.uniform(0.001, 0.012 if "" in expected else 0.06))
        child.kill()
        child.wait()
        # libomp leaves this file if its process is killed.
        with contextlib.suppress(FileNotFoundError):
            os.remove(f"/dev/shm/__KMP_REGISTERED_LIB_{child.pid}_{os.getuid()}")
        data = open(counts, "rb").read()
        finished = sum(struct.unpack_from("<q", data, offset)[0] for offset in (0, 512))
        if not finished and not any(name.endswith(".spool") for name in os.listdir(folder)):
            continue  # killed before it began to record
        if not finished:
            # The spool may be incomplete; recover may reject it, but must not crash.
            for name in os.listdir(folder):
                if name.endswith(".spool"):
                    os.remove(os.path.join(folder, name))
            continue
        run = subprocess.run(
            [tool, "recover", str(child.pid), "-o", trace],
            env=environment, capture_output=True, text=True,
        )
        assert run.returncode == 0, run.stderr
        text = open(trace).read()
        recorded = text.count('{"ph":"X"')
        throttled += '"untimed":' in text
        for category, each in expected.items():
            kind = f'"cat":"{category}"' if category else ""
            untimed = re.findall(f'{{{kind}[^{{]*"untimed":(\\d+)', text)
            recovered = text.count('{"ph":"X",' + kind) + sum(map(int, untimed))
            least = finished * int(each)
            assert least <= recovered <= least + 2 * int(each), (category, recovered, least)
        if kills % 20 == 0:
            events = json.loads(text)["traceEvents"]
            assert sum(event["ph"] == "X" for event in events) == recorded
        else:
            assert text.endswith("\n]}\n")
        assert not any(name.endswith(".spool") for name in os.listdir(folder))
        kills += 1
assert throttled, "no run was throttled"
print(f"{kills} kills, nothing committed was lost")
