"""check-notes.py AUGMENTED.json: what augment wrote into the calls of layers.py, event by event."""

import json
import sys

events = [event for event in json.load(open(sys.argv[1]))["traceEvents"] if event.get("ph") == "X"]
compiled = [event for event in events if event["name"].startswith("cpp_fused")
            and event["cat"] == "cpu_op"]
assert compiled
for event in compiled:
    notes = event["args"]
    assert notes["seamscope_graph"] in ("0/0", "1/0"), notes
    assert "layers.py:" in notes["seamscope_lines"], notes
    assert notes["seamscope_replaces"], notes
# Products of libraries, too: in each run of the graph one a layer.
modules = [event["args"].get("seamscope_modules") for event in events if event["name"] == "aten::addmm"]
modules = [each for each in modules if each]
assert len(modules) >= 3 and modules[:3] == [f"layers.{i}.mlp.0" for i in range(3)], modules
assert set(modules) == set(modules[:3]), modules
(second,) = {event["args"]["seamscope_modules"] for event in compiled
             if event["name"] == "cpp_fused_add_gelu_native_layer_norm_1"}
assert second == "layers.0.mlp.1; layers.0; layers.1.norm", second
print("every compiled call has its operators, lines and modules")
