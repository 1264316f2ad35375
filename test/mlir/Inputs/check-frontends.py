"""Writes a module like a front end's, lowers it fused, runs it, and checks for the front end's names and lines in
the report, as JSON and as text.

usage: check-frontends.py --tools DIR --mlir-plugin SO --pass-plugin SO --runtime DIR --seamscope EXE --out DIR WAY
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import importlib
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from programs import Program

checks = importlib.import_module("check-programs")
SHAPE = (32, 48)
TYPE = "tensor<32x48xf32>"

# By front end: each operator's location, and its expected name, file, line and column in the report.
# torch-mlir puts the operator's name around the place for TorchScript, and writes only the call stack for FX; lazy
# tensors have both in a fused location. IREE fuses the places of operators that it dispatches together.
FRONTENDS = {
    "torchscript": [
        ('loc("aten::mul"("net/model.py":12:7))', ("aten::mul", "net/model.py", 12, 7)),
        ('loc("aten::add"("net/model.py":12:15))', ("aten::add", "net/model.py", 12, 15)),
        ('loc("aten::relu"("net/layers/act.py":301:3))', ("aten::relu", "net/layers/act.py", 301, 3)),
        ('loc("aten::sub"("net/model.py":14:1))', ("aten::sub", "net/model.py", 14, 1)),
    ],
    "fx": [
        ('loc(callsite("model.py":15:9 at callsite("train.py":80:1 at "main.py":3:1)))',
         ("linalg.generic(mulf)", "model.py", 15, 9)),
        ('loc(callsite("aten.add"("model.py":16:9) at "main.py":3:1))', ("aten.add", "model.py", 16, 9)),
        ('loc("aten.relu"("model.py":17:9))', ("aten.relu", "model.py", 17, 9)),
        ('loc(fused["model.py":18:9, "aten::sub"])', ("aten::sub", "model.py", 18, 9)),
    ],
    "iree": [
        ('loc(fused["attention.py":23:3, "mlp.py":40:1, "norm.py":7:1])', ("linalg.generic(mulf)", "attention.py", 23, 3)),
        ('loc("torch.aten.add"(fused["mlp.py":41:5, "mlp.py":42:5]))', ("torch.aten.add", "mlp.py", 41, 5)),
        ('loc("torch.aten.relu"("mlp.py":43:5))', ("torch.aten.relu", "mlp.py", 43, 5)),
        ('loc(fused["norm.py":8:1, "attention.py":24:3])', ("linalg.generic(subf)", "norm.py", 8, 1)),
    ],
}
BODIES = ("%r = arith.mulf %x, %y : f32", "%r = arith.addf %x, %y : f32", "%r = arith.maximumf %x, %y : f32",
          "%r = arith.subf %x, %y : f32")


def module(name):
    """Four elementwise operators, each an input of the next, with locations as aliases, like printed modules."""
    lines, aliases, last = [], [], "%a"
    for number, ((location, _), body) in enumerate(zip(FRONTENDS[name], BODIES)):
        at = f"loc(#op{number})"
        aliases.append(f"#op{number} = {location}")
        lines.append(f"""
    %e{number} = tensor.empty() : {TYPE} {at}
    %v{number} = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}}
        ins({last}, %b : {TYPE}, {TYPE}) outs(%e{number} : {TYPE}) {{
      ^bb0(%x: f32 {at}, %y: f32 {at}, %old: f32 {at}):
        {body} {at}
        linalg.yield %r : f32 {at}
    }} -> {TYPE} {at}""")
        last = f"%v{number}"
    body = "".join(lines)
    return f"""#id = affine_map<(i, j) -> (i, j)>
module {{
  func.func @{name}(%a: {TYPE}, %b: {TYPE}) -> {TYPE} attributes {{llvm.emit_c_interface}} {{{body}
    return {last} : {TYPE}
  }}
}}
""" + "\n".join(aliases) + "\n"


def program(name):
    return Program(name, module(name), [SHAPE, SHAPE], SHAPE)


def check(checker, name, way):
    made = program(name)
    plain, _ = checker.build(made, way, False, "static")
    library, _ = checker.build(made, way, True, "static")
    trace = library[:-3] + ".json"
    run = lambda what, into: checks.run(
        [sys.executable, __file__, "--call", what, name],
        env=dict({k: v for k, v in os.environ.items() if k != "SEAMSCOPE"},
                 **({"SEAMSCOPE": "trace", "SEAMSCOPE_OUT": into} if into else {}))).stdout
    if run(plain, None) != run(library, trace):
        checks.fail(f"{name}, {way}: another result with the passes")
    groups = [k for k in checker.report(trace)["kernels"] if "group" in k]
    found = [(op["name"], op["source"]["file"], op["source"]["line"], op["source"]["column"])
             for group in groups for op in group["ops"]]
    wanted = [what for _, what in FRONTENDS[name]]
    # Groups are in the order of the report, and the operators of a group in the order of the module.
    if (found if len(groups) == 1 else sorted(found)) != (wanted if len(groups) == 1 else sorted(wanted)):
        checks.fail(f"{name}, {way}: {found} in place of {wanted}")
    text = checks.run([checker.options.seamscope, "report", trace]).stdout.splitlines()
    for operator, file, line, column in wanted:
        place = f"{os.path.basename(file)}:{line}:{column}"
        if not any(operator in row and place in row for row in text):
            checks.fail(f"{name}, {way}: no row of {operator} at {place} in the report")
    print(f"{name}, {way}: {len(groups)} groups, {len(found)} operators")


def main():
    if sys.argv[1:2] == ["--call"]:
        library, name = sys.argv[2:]
        return checks.call(library, program(name), checks.CALLS)
    options = checks.parse(["fused", "tiled", "parallel", "unfused"])
    checker = checks.Checker(options)
    for name in FRONTENDS:
        check(checker, name, options.way)


if __name__ == "__main__":
    main()
