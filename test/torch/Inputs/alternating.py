"""A compiled function that is called in turns with a large and a small input, and two models of one class, in training
and in evaluation.

As a check: alternating.py --check FOLDER reads the logs of the unrecorded runs without the tool. alternating.py --slow
FOLDER makes compiled steps a second each where they are not recorded, and all others a millisecond.
"""
import os
import struct
import sys
from collections import Counter

LARGE, SMALL, CALLS = 512, 16, 20


def main():
    import torch

    function = torch.compile(lambda x: torch.sin(x) * torch.exp(-x), dynamic=True)
    large, small = torch.rand(LARGE, LARGE), torch.rand(SMALL, SMALL)
    for _ in range(CALLS):
        function(large)
        function(small)

    class Net(torch.nn.Module):
        def forward(self, x):
            return torch.nn.functional.dropout(x, 0.5, self.training)

    first, second = torch.compile(Net()), torch.compile(Net().eval())
    for _ in range(CALLS):
        first(small)
        second(small)
        first.train(not first.training)


def steps(folder):
    with open(f"{folder}/steps.bin", "rb") as file:
        front = file.read(1 << 16)
        names = front[32:].split(b"\n")
        for _ in range(struct.unpack_from("<Q", front, 16)[0]):
            name, flags, *rest = struct.unpack("<IIQQQII", file.read(40))
            yield names[name].decode(), flags >> 8, bool(flags & 2), rest[1] - rest[0]


def check(folder):
    logs = [list(steps(f"{folder}/unrecorded/{side}")) for side in ("eager", "compiled")]
    # The same calls are recorded in both.
    assert [step[:3] for step in logs[0]] == [step[:3] for step in logs[1]]
    for log in logs:
        counts = Counter((name, kind, recorded) for name, kind, recorded, _ in log)
        kinds = {(name, kind) for name, kind, _ in counts}
        # Large and small; the first model in both modes, the second in one.
        assert sorted(Counter(name for name, _ in kinds).values()) == [1, 2, 2], kinds
        # Half of each is recorded, whatever the program does in every second call.
        for name, kind in kinds:
            assert counts[name, kind, True] == counts[name, kind, False] >= CALLS / 4, counts
    print("half of each kind")


def slow(folder):
    for run in ("", "eager/1", "unrecorded/eager", "unrecorded/compiled"):
        with open(os.path.join(folder, run, "steps.bin"), "r+b") as file:
            log = bytearray(file.read())
            for at in range(1 << 16, len(log), 40):
                flags, begin = struct.unpack_from("<IQ", log, at + 4)
                ns = 10**9 if run == "unrecorded/compiled" and not flags & 2 else 10**6
                struct.pack_into("<QQQII", log, at + 8, begin, begin + ns, 0, 0, 0)
            file.seek(0)
            file.write(log)


if sys.argv[1:2] == ["--slow"]:
    slow(sys.argv[2])
elif sys.argv[1:2] == ["--check"]:
    check(sys.argv[2])
else:
    main()
