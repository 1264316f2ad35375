#===- check.py - compares kernels with eager mode --------------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""`seamscope run --check` compares what each C++ kernel of torch.compile writes with the same nodes of the graph in
eager mode and in float64, for the values that the kernel gets in the program, and writes a line into a file of the
run's folder for each call that it compares.

A number is wrong if it is neither near that of eager mode nor near that of float64, by the tolerances of
torch.testing for its type, nor nearer to that of float64 than rounding explains (check_values.py).
"""

import math
import os

from _seamscope_waiting import guarded, load

HERE = os.path.dirname(os.path.realpath(__file__))
LOST = "a kernel is not checked"

# Draws of rounding errors, less of large values, which take seconds each; and how far beyond the largest of these a
# number may be.
MOST_DRAWS, LEAST_DRAWS, DRAWN_NUMBERS = 32, 4, 1 << 27
BEYOND = 4

# Wrong tensors whose operator is looked for, in one process: a kernel is compiled for each.
SEARCHES = 4
_searches = 0

OF_NO_NODE = "no node of the graph has its value"

# Tensors of one call; its values in float64 have several times as much.
MOST_BYTES = 1 << 30


def _wanted():
    """The calls of each site to check, from 1 on: the first and the last."""
    first, _, last = os.environ.get("SEAMSCOPE_CHECK", "1").partition("-")
    return int(first), int(last or first)


class Unchecked(Exception):
    """A call cannot be checked; the text says why."""


class Call:
    """A call of a kernel, while it is checked."""

    def __init__(self, site, args):
        self.site, self.args = site, args
        self.tensors = args[:len(site.parameters)]
        self.symbols = {}
        for expression, at in site.sizes:
            if expression.is_Symbol:
                self.symbols[expression.name] = args[at]
        size = sum(each.untyped_storage().nbytes() for each in self.tensors)
        if size > MOST_BYTES:
            raise Unchecked(f"its tensors have {size} bytes, and at most {MOST_BYTES} are checked")
        self.before = {at: self._copy(self.tensors[at]) for at, parameter in enumerate(site.parameters)
                       if parameter.is_written and (parameter.before is not None or at in site.changed.values())}

    def _copy(self, tensor):
        import torch

        copy = torch.empty(0, dtype=torch.uint8)
        copy.set_(tensor.untyped_storage().clone())
        return torch.empty(0, dtype=tensor.dtype).set_(copy.untyped_storage(), tensor.storage_offset(),
                                                       tensor.size(), tensor.stride())

    def _number(self, expression):
        if isinstance(expression, int):
            return expression
        value = expression.xreplace({symbol: self.symbols[symbol.name] for symbol in expression.free_symbols
                                     if symbol.name in self.symbols})
        try:
            return int(value)
        except TypeError:
            raise Unchecked(f"the size {expression} is not known here") from None

    def _seen(self, tensor, layout):
        """A tensor's memory as the kernel sees it."""
        size, stride = ([self._number(each) for each in of] for of in layout)
        return tensor.as_strided(size, stride, tensor.storage_offset())

    def made(self, at):
        """What the kernel wrote."""
        return self._seen(self.tensors[at], self.site.parameters[at].layout)

    def _got(self, at, node):
        """What a parameter held before the call, with the shape of a node."""
        return self.shaped(self._seen(self.before.get(at, self.tensors[at]),
                                      self.site.parameters[at].layout_before), node)

    def given(self):
        """By node, the values that the kernel got."""
        return {parameter.before: self._got(at, parameter.before)
                for at, parameter in enumerate(self.site.parameters) if parameter.before is not None}

    def contents(self):
        """By node that changes memory, what the memory held before the call."""
        return {node: self._got(at, node) for node, at in self.site.changed.items() if at in self.before}

    def shaped(self, value, node, is_sure=True):
        """A buffer's value with the shape of a node, which may have more or fewer dimensions of 1; if it is not sure
        that they belong together, other dimensions as well."""
        made = node.meta.get("val")
        if not hasattr(made, "shape"):
            return value
        shape = [self._number(each.node.expr) if hasattr(each, "node") else int(each) for each in made.shape]
        if shape == list(value.shape):
            return value
        if is_sure and [each for each in shape if each != 1] != [each for each in value.shape if each != 1] \
                or math.prod(shape) != value.numel():
            raise Unchecked(f"the buffer of {node.name} has another shape")
        return value.reshape(shape)


def _near(value, reference, tolerances):
    import torch

    if not (value.dtype.is_floating_point or value.dtype.is_complex):
        return value == reference.to(value.dtype)
    wide = torch.complex128 if value.dtype.is_complex else torch.float64
    return torch.isclose(value.to(wide), reference.to(wide), *tolerances, equal_nan=True)


def _tolerances(dtype):
    import torch

    if not (dtype.is_floating_point or dtype.is_complex):
        return 0, 0
    try:
        return torch.testing._comparison.default_tolerances(dtype)
    except Exception:  # noqa: BLE001 - a type that torch.testing does not know
        return torch.finfo(dtype).eps, torch.finfo(dtype).smallest_normal


class References:
    """The values of a node in the kinds of arithmetic."""

    def __init__(self, call, node):
        self.call, self.node = call, node
        self.values = load(HERE, "check_values")
        self.given, self.contents = call.given(), call.contents()

    def of(self, kind, generator=None):
        return self._evaluation(kind, generator).value(self.node)

    def _evaluation(self, kind, generator=None):
        return self.values.Evaluation(self.call.site, self.given, self.call.symbols, self.contents, kind, generator)

    def try_of(self, kind):
        """The value and None, or None and why it cannot be computed."""
        try:
            return self.of(kind), None
        except self.values.Unknown as why:
            return None, str(why)

    def _most_numbers(self):
        """Of the largest value that is computed."""
        evaluation = self._evaluation(self.values.EXACT)
        return max(evaluation.count(each.meta.get("val")) for each in evaluation.needed(self.node))

    def explained_by_rounding(self, value, wide, near):
        """`near`, and the numbers that are as far from those of float64 as rounding may bring them."""
        import torch

        generator = torch.Generator().manual_seed(0)
        low, high = wide, wide
        for _ in range(max(LEAST_DRAWS, min(MOST_DRAWS, DRAWN_NUMBERS // max(1, self._most_numbers())))):
            draw = self.of(self.values.NOISY, generator)
            low, high = torch.fmin(low, draw), torch.fmax(high, draw)
            if value.dtype.is_floating_point:
                away = torch.maximum(wide - low, high - wide)
                near = near | ((value.double() - wide).abs() <= BEYOND * away)
            else:
                near = near | ((value >= low) & (value <= high))
            if bool(near.all()):
                break
        return near


def _largest(difference):
    finite = difference[difference.isfinite()]
    return float(finite.max()) if finite.numel() else 0.0


def _differences(value, eager, wide):
    import torch

    found = {}
    if value.dtype.is_complex:
        return found
    least = _tolerances(value.dtype)[1]  # smaller numbers count as this one: a relative difference to 0 is no figure
    if eager is not None:
        away = (value.double() - eager.double()).abs()
        found["max_abs"] = _largest(away)
        if value.dtype.is_floating_point:
            info = torch.finfo(value.dtype)
            magnitude = eager.double().abs().clamp(min=least)
            found["max_ulp"] = _largest(away / (info.eps * torch.exp2(torch.floor(torch.log2(magnitude)))))
    if wide is not None and value.dtype.is_floating_point:
        magnitude = wide.abs().clamp(min=least)
        found["max_rel_f64"] = _largest((value.double() - wide).abs() / magnitude)
        if eager is not None:
            found["eager_rel_f64"] = _largest((eager.double() - wide).abs() / magnitude)
    return found


def _compare(call, value, node, is_sure):
    """What is known about the value of a node that a kernel wrote: a dictionary with "wrong", a tensor."""
    import torch

    references = References(call, node)
    value = call.shaped(value, node, is_sure)
    eager, why = references.try_of(references.values.EXACT)
    wide, _ = references.try_of(references.values.WIDE)
    if eager is None and wide is None:
        raise Unchecked(why)
    for reference in (eager, wide):
        if reference is not None and getattr(reference, "shape", None) != value.shape:
            raise Unchecked(f"{node.name} has another shape in eager mode")
    tolerances = _tolerances(value.dtype)
    near = near_eager = torch.zeros(value.shape, dtype=torch.bool) if eager is None \
        else _near(value, eager, tolerances)
    if wide is not None:
        near = near | _near(value, wide, tolerances)
        if not bool(near.all()) and not value.dtype.is_complex:
            near = references.explained_by_rounding(value, wide, near)
    differs = 0 if eager is None else int((near & ~near_eager).sum())
    return {"wrong": ~near, "differs": differs, "value": value, "eager": eager, "wide": wide,
            **_differences(value, eager, wide)}


def _number(value):
    """A number as JSON can have it."""
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _first(call, found):
    """The first number that is wrong."""
    index = found["wrong"].nonzero()[0].tolist() if found["wrong"].dim() else []
    at = {"index": index, "value": _number(found["value"][tuple(index)])}
    for name, key in (("eager", "eager"), ("f64", "wide")):
        if found[key] is not None:
            at[name] = _number(found[key][tuple(index)])
    inputs = {}
    for node, given in call.given().items():
        if list(given.shape) == list(found["value"].shape):
            inputs[node.name] = _number(given[tuple(index)])
    at["inputs"] = inputs
    return at


def _described(found):
    entry = {"wrong": int(found["wrong"].sum()), "differs": found["differs"],
             "dtype": str(found["value"].dtype).removeprefix("torch."), "shape": list(found["value"].shape)}
    entry.update({key: _number(found[key]) for key in ("max_abs", "max_ulp", "max_rel_f64", "eager_rel_f64")
                  if key in found})
    return entry


def _culprit(call, node):
    """The node of the kernel that makes another one wrong, if it can be found."""
    global _searches
    if _searches == SEARCHES:
        return None
    _searches += 1
    return load(HERE, "check_operators").first_wrong(
        call, node, lambda value, reference: bool(_near(value, reference, _tolerances(value.dtype)).all()))


def _output(call, at, is_sure, nodes):
    """What is known about one tensor that the kernel wrote."""
    parameter = call.site.parameters[at]
    why = OF_NO_NODE
    for node in nodes:
        try:
            found = _compare(call, call.made(at), node, is_sure)
        except Unchecked as reason:
            why = str(reason) if is_sure else OF_NO_NODE
            continue
        entry = {"buffer": parameter.name, "node": node.name, "target": str(node.target), **_described(found)}
        if entry["wrong"] and not is_sure:
            continue
        if entry["wrong"]:
            entry["first"] = _first(call, found)
            culprit = _culprit(call, node)
            entry["stack"] = (culprit or node).meta.get("stack_trace") or ""
            if culprit is not None:
                entry["operator"] = culprit.name
                entry["operator_target"] = str(culprit.target)
        return entry
    return {"buffer": parameter.name, "unknown": why}


def _in_program(function):
    """Calls a function such that operators of torch do what they do in eager mode, and nothing is recorded."""

    def called(*args):
        import torch

        with torch.no_grad(), torch._C._DisableAutocast():
            return function(*args)

    return guarded(LOST)(called)


class Kernel:
    """Stands in the generated module for a kernel."""

    def __init__(self, name, kernel):
        self.name, self.kernel = name, kernel
        self.calls = 0  # of all sites
        self.of_sites = {}  # by number: a function
        self.begin, self.end = _in_program(self._begin), _in_program(self._end)

    def __call__(self, *args):
        self.calls += 1
        if self.calls == 1:
            self._write({"unknown": "nothing is known about its nodes"})
        return self.kernel.result(*args)

    def __getitem__(self, number):
        if number not in self.of_sites:
            self.of_sites[number] = self._checked(load(HERE, "check_sites").site(number))
        return self.of_sites[number]

    def _checked(self, site):
        first, last = _wanted()

        def call(*args):
            self.calls += 1
            site.calls += 1
            if not first <= site.calls <= last:
                return self.kernel.result(*args)
            begun = self.begin(site, args)
            result = self.kernel.result(*args)
            if begun is not None:
                self.end(site, begun)
            return result

        return call

    def _write(self, entry, **more):
        load(HERE, "calls").write({"process": os.getpid(), "kernel": self.name, "call": self.calls, **more, **entry},
                             os.environ["SEAMSCOPE_CHECKS"])

    def _begin(self, site, args):
        try:
            return Call(site, args)
        except Unchecked as why:
            self._write({"unknown": str(why)}, site=site.number, graph=site.graph)
        return None

    def _end(self, site, call):
        outputs = [_output(call, at, parameter.is_sure, parameter.after)
                   for at, parameter in enumerate(site.parameters) if parameter.is_written]
        if any(output.get("wrong") for output in outputs):  # for `seamscope replay`
            copies = {call.tensors[at].untyped_storage().data_ptr(): copy.untyped_storage().data_ptr()
                      for at, copy in call.before.items()}
            load(HERE, "calls").note(self.name, self.kernel, self.calls, call.args, True, copies)
        self._write({"outputs": outputs}, site=site.number, graph=site.graph)
