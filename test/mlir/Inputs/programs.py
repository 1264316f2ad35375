"""Modules of linalg on tensors, as a front end would write them, with the expected operators.

Each operator has a location `loc("aten.name"("model.py":LINE:5))`; LINE counts up from 10. FLOPs
come from formulas written here by hand, independent of Seamscope.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import math
from dataclasses import dataclass, field


@dataclass
class Op:
    name: str
    line: int
    flops: int


@dataclass
class Program:
    name: str
    text: str = ""
    inputs: list = field(default_factory=list)  # shapes
    result: tuple = ()
    ops: list = field(default_factory=list)

    @property
    def flops(self):
        return sum(op.flops for op in self.ops)


class Writer:
    """Writes one function. A tensor is (name, dims); a dim is a number or, with `dynamic`, a key of
    `sizes`."""

    def __init__(self, name, sizes, dynamic, inputs):
        self.program = Program(name)
        self.sizes, self.dynamic = sizes, dynamic
        self.lines, self.line, self.count = [], 9, 0
        self.inputs = [(f"%arg{i}", dims) for i, dims in enumerate(inputs)]
        self.program.inputs = [self.shape(dims) for dims in inputs]
        used = {}
        for arg, dims in self.inputs:
            for at, dim in enumerate(dims):
                if dynamic and isinstance(dim, str) and dim not in used:
                    used[dim] = f"%size_{dim}"
                    self.put(f"%at_{dim} = arith.constant {at} : index")
                    self.put(f"%size_{dim} = tensor.dim {arg}, %at_{dim} : {self.type(dims)}")

    def shape(self, dims):
        return tuple(self.sizes[d] if isinstance(d, str) else d for d in dims)

    def points(self, dims):
        return math.prod(self.shape(dims))

    def type(self, dims):
        texts = ["?" if self.dynamic and isinstance(d, str) else str(v)
                 for d, v in zip(dims, self.shape(dims))]
        return f"tensor<{'x'.join(texts + ['f32'])}>"

    def put(self, text, loc=""):
        self.lines.append(f"    {text}{loc}")

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def empty(self, dims):
        name = self.fresh()
        sizes = ", ".join(f"%size_{d}" for d in dims if self.dynamic and isinstance(d, str))
        self.put(f"{name} = tensor.empty({sizes}) : {self.type(dims)}")
        return name

    def filled(self, dims, value):
        constant, name, init = self.fresh(), self.fresh(), self.empty(dims)
        self.put(f"{constant} = arith.constant {value} : f32")
        self.put(f"{name} = linalg.fill ins({constant} : f32) outs({init} : {self.type(dims)}) -> "
                 f"{self.type(dims)}", self.note("aten.fill", 0))
        return name

    def note(self, name, flops):
        self.line += 1
        self.program.ops.append(Op(name, self.line, flops))
        return f' loc("{name}"("model.py":{self.line}:5))'

    def generic(self, name, loops, kinds, ins, out, body, each, start=None):
        """`loops`: their dims by letter; `ins`, `out`: (tensor, letters); `body`: lines over %a, %b,
        ... and %o that end in %r; `each`: FLOPs of a point; `start`: initial value of a reduction."""
        letters = list(loops)
        maps = [f"affine_map<({', '.join(letters)}) -> ({', '.join(of)})>" for _, of in
                [*ins, (None, out)]]
        dims = tuple(loops[letter] for letter in out)
        init = self.filled(dims, start) if start is not None else self.empty(dims)
        types = [self.type(t[1]) for t, _ in ins]
        result = self.fresh()
        self.put(f"{result} = linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = "
                 f"[{', '.join(f'{chr(34)}{k}{chr(34)}' for k in kinds)}]}} "
                 f"ins({', '.join(t[0] for t, _ in ins)} : {', '.join(types)}) "
                 f"outs({init} : {self.type(dims)}) {{")
        arguments = [f"%{'abcdef'[i]}: f32" for i in range(len(ins))] + ["%o: f32"]
        self.put(f"^bb0({', '.join(arguments)}):")
        for line in body:
            self.put("  " + line)
        self.put("  linalg.yield %r : f32")
        self.put(f"}} -> {self.type(dims)}",
                 self.note(name, each * self.points([loops[letter] for letter in letters])))
        return (result, dims)

    def pointwise(self, name, ins, body, each):
        """A pointwise operator over the dims of the first input; others may lack leading dims (a bias)."""
        dims = ins[0][1]
        letters = "xyzw"[:len(dims)]
        loops = dict(zip(letters, dims))
        # A tensor with fewer dims is broadcast, by name, from the right.
        places = [(t, letters[len(dims) - len(t[1]):]) for t in ins]
        return self.generic(name, loops, ["parallel"] * len(dims), places, letters, body, each)

    def reduce(self, name, of, body, start, each=1):
        dims = of[1]
        letters = "xyzw"[:len(dims)]
        return self.generic(name, dict(zip(letters, dims)),
                            ["parallel"] * (len(dims) - 1) + ["reduction"], [(of, letters)],
                            letters[:-1], body, each, start)

    def rowwise(self, name, of, row, body, each):
        """`row` has all dims of `of` except the last."""
        letters = "xyzw"[:len(of[1])]
        return self.generic(name, dict(zip(letters, of[1])), ["parallel"] * len(letters),
                            [(of, letters), (row, letters[:-1])], letters, body, each)

    def finish(self, result):
        arguments = ", ".join(f"{n}: {self.type(d)}" for n, d in self.inputs)
        body = "\n".join(self.lines)
        self.program.result = self.shape(result[1])
        self.program.text = (
            f"module {{\n  func.func @{self.program.name}({arguments}) -> {self.type(result[1])} "
            f"attributes {{llvm.emit_c_interface}} {{\n{body}\n"
            f"    return {result[0]} : {self.type(result[1])}\n  }}\n}}\n")
        return self.program


ADD, MUL, SUB = ([f"%r = arith.{op} %a, %b : f32"] for op in ("addf", "mulf", "subf"))
DIV = ["%r = arith.divf %a, %b : f32"]
SUM = ["%r = arith.addf %a, %o : f32"]
MAX = ["%r = arith.maximumf %a, %o : f32"]


def relu(w, x):
    return w.pointwise("aten.relu", [x],
                       ["%z = arith.constant 0.0 : f32", "%r = arith.maximumf %a, %z : f32"], 1)


def softmax_of(w, x):
    top = w.reduce("aten.amax", x, MAX, "0xFF800000")
    shifted = w.rowwise("aten.sub", x, top, SUB, 1)
    raised = w.pointwise("aten.exp", [shifted], ["%r = math.exp %a : f32"], 1)
    total = w.reduce("aten.sum", raised, SUM, "0.0")
    return w.rowwise("aten.div", raised, total, DIV, 1)


def chain(dynamic):
    w = Writer("chain", {"n": 192, "m": 64}, dynamic, [("n", "m")] * 3)
    a, b, c = w.inputs
    x = w.pointwise("aten.add", [a, b], ADD, 1)
    x = w.pointwise("aten.add", [x, c], ADD, 1)
    x = w.pointwise("aten.mul", [x, a], MUL, 1)
    return w.finish(w.pointwise("aten.add", [x, b], ADD, 1))


def softmax(dynamic):
    w = Writer("softmax", {"n": 96, "m": 128}, dynamic, [("n", "m")])
    return w.finish(softmax_of(w, w.inputs[0]))


def layer_norm(dynamic):
    w = Writer("layer_norm", {"n": 96, "m": 64}, dynamic, [("n", 64), (64,), (64,)])
    x, weight, bias = w.inputs
    mean = w.pointwise("aten.mean", [w.reduce("aten.sum", x, SUM, "0.0")],
                       ["%k = arith.constant 0.015625 : f32", "%r = arith.mulf %a, %k : f32"], 1)
    centred = w.rowwise("aten.sub", x, mean, SUB, 1)
    square = w.pointwise("aten.square", [centred], ["%r = arith.mulf %a, %a : f32"], 1)
    scale = w.pointwise("aten.rsqrt", [w.reduce("aten.var", square, SUM, "0.0")],
                        ["%k = arith.constant 0.015625 : f32", "%e = arith.constant 1.0e-5 : f32",
                         "%m = arith.mulf %a, %k : f32", "%s = arith.addf %m, %e : f32",
                         "%r = math.rsqrt %s : f32"], 3)
    y = w.rowwise("aten.mul", centred, scale, MUL, 1)
    y = w.pointwise("aten.mul", [y, weight], MUL, 1)
    return w.finish(w.pointwise("aten.add", [y, bias], ADD, 1))


def matmul_of(w, name, a, b, letters_b="kj"):
    loops = {"i": a[1][0], "j": b[1][letters_b.index("j")], "k": a[1][1]}
    return w.generic(name, loops, ["parallel", "parallel", "reduction"],
                     [(a, "ik"), (b, letters_b)], "ij",
                     ["%p = arith.mulf %a, %b : f32", "%r = arith.addf %p, %o : f32"], 2, "0.0")


def mlp(dynamic):
    w = Writer("mlp", {"n": 48, "k": 64, "m": 80}, dynamic, [("n", "k"), ("k", "m"), ("m",)])
    x, weight, bias = w.inputs
    y = w.pointwise("aten.add", [matmul_of(w, "aten.mm", x, weight), bias], ADD, 1)
    return w.finish(relu(w, y))


def conv(dynamic):
    """A block of 3x3 convolutions in NHWC, bias and relu."""
    w = Writer("conv", {"b": 2}, dynamic, [("b", 18, 18, 8), (3, 3, 8, 16), (16,)])
    image, kernel, bias = w.inputs
    dims = ("b", 16, 16, 16)
    init, result = w.filled(dims, "0.0"), w.fresh()
    w.put(f"{result} = linalg.conv_2d_nhwc_hwcf ins({image[0]}, {kernel[0]} : {w.type(image[1])}, "
          f"{w.type(kernel[1])}) outs({init} : {w.type(dims)}) -> {w.type(dims)}",
          w.note("aten.conv2d", 2 * w.points(dims) * 3 * 3 * 8))
    y = w.pointwise("aten.add", [(result, dims), bias], ADD, 1)
    return w.finish(relu(w, y))


def attention(dynamic):
    w = Writer("attention", {"q": 48, "s": 56}, dynamic, [("q", 32), ("s", 32), ("s", 32)])
    q, k, v = w.inputs
    scores = matmul_of(w, "aten.mm", q, k, "jk")
    scaled = w.pointwise("aten.mul", [scores],
                         ["%k = arith.constant 0.17677669 : f32", "%r = arith.mulf %a, %k : f32"], 1)
    return w.finish(matmul_of(w, "aten.bmm", softmax_of(w, scaled), v))


ALL = [chain, softmax, layer_norm, mlp, conv, attention]
