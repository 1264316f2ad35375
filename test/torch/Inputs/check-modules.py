"""check-modules.py REPORT.json: kernels of layers.py lead to modules and to the program's own lines."""

import json
import sys

kernels = json.load(open(sys.argv[1]))["kernels"]
modules = set()
for kernel in kernels:
    modules |= {(each["path"], each["class"]) for each in kernel["modules"]}
    for line in kernel["python"]:
        chain = [line, *line["callers"]]
        places = [each["file"].rsplit("/", 1)[-1] for each in chain]
        assert "layers.py" in places, (kernel["name"], places)
        assert not any(place in ("steps.py", "_compare.py") for place in places[:1]), places
        # Out to the program's module, over the function that called the compiled one.
        assert chain[-1]["function"] == "<module>", chain[-1]
        assert any(each["function"] == "step" for each in chain), chain
expected = {(f"layers.{i}.norm", "LayerNorm") for i in range(3)} | \
           {(f"layers.{i}.mlp.1", "GELU") for i in range(3)} | {("", "GELU")}
assert expected <= modules, expected - modules
print(len(kernels), "kernels with modules and lines of the program")
