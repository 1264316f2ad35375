# Writes runs of one program whose only kernel takes given times, or checks what diff --json says of them.
import json
import sys

RUNS = {"a": (999, 1000, 1001), "slow": (1099, 1100, 1101), "noisy": (900, 1100, 1300)}

if len(sys.argv) == 1:
    for name, times in RUNS.items():
        for number, us in enumerate(times):
            event = {"ph": "X", "cat": "cpu_op", "name": "k", "pid": 1, "tid": 1, "ts": 0, "dur": us,
                     "args": {"kernel": "k"}}
            with open(f"{name}{number}.json", "w") as file:
                json.dump([event], file)
else:
    with open(sys.argv[1]) as file:
        repeats = json.load(file)["repeats"]
    assert (repeats["a_runs"], repeats["b_runs"]) == (3, 3), repeats
    window = repeats["rows"][0]
    assert window["key"] == "[window]" and window["delta_ns"] == 100000, window
    # t = 100 / sqrt(1/3 + 1/3), 4 degrees of freedom: interval 100 +- 2.776445 * 0.8164966, p 2.7e-8
    assert abs(window["low_ns"] - (100000 - 2267)) <= 1 and abs(window["high_ns"] - (100000 + 2267)) <= 1, window
    assert 2.6e-8 < window["probability"] < 2.8e-8, window
