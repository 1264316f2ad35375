#===- check_values.py - values of nodes in eager mode ----------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Computes values of nodes of a graph from those that a kernel got: with the operators and types of the graph, in
float64, and in float64 with errors such as rounding in the types of the graph makes. The spread of the last over
several draws is what rounding can do to a result (Monte Carlo arithmetic; D. S. Parker, 1997), whatever the order in
which the kernel calculates.
"""

import math
import operator

EXACT, WIDE, NOISY = "exact", "wide", "noisy"


# Of one node.
MOST_BYTES = 1 << 30


class Unknown(Exception):
    """A value cannot be computed; the text says why."""


def _targets(names):
    import torch

    found = set()
    for name in names:
        place, _, last = name.partition(".")
        packet = getattr(getattr(torch.ops, place), last, None)
        if packet is not None:
            found.update(getattr(packet, overload) for overload in packet.overloads())
    return found


# A sum of n terms has an error that grows with the root of n.
_SUMS = ("aten.sum", "aten.mean", "aten.var", "aten.var_mean", "aten.std", "aten.cumsum", "aten.mm", "aten.addmm",
         "aten.bmm", "aten.dot", "aten.prod", "aten.cumprod", "aten.logsumexp", "aten.logcumsumexp", "prims.sum",
         "prims.var", "aten.avg_pool2d", "aten.avg_pool2d_backward", "aten._adaptive_avg_pool2d",
         "inductor_prims.prepare_softmax_online")
_SCATTERS = ("aten.index_put", "aten.index_put_", "aten._unsafe_index_put", "aten.scatter_add",
             "aten.scatter_add_", "aten.scatter_reduce", "aten.scatter_reduce_",
             "aten._unsafe_masked_index_put_accumulate")

# Memory that nothing was written to.
_EMPTY = ("aten.empty", "aten.empty_like", "aten.new_empty", "aten.empty_strided", "aten.new_empty_strided",
          "prims.empty_strided", "aten.empty_permuted")


class _Known:
    """Operators that need care, looked up once."""

    def __init__(self):
        import torch

        self.sums, self.scatters, self.empty = _targets(_SUMS), _targets(_SCATTERS), _targets(_EMPTY)
        self.of_bits = {torch.ops.aten.view.dtype}  # float64 does not have them
        prims = getattr(torch.ops, "prims", None)
        self.random = {}
        for name, function in (("inductor_random", _random), ("inductor_randint", _randint)):
            packet = getattr(prims, name, None)
            if packet is not None:
                self.random[packet.default] = function
        self.seeds = {packet.default for name in ("inductor_seed", "inductor_seeds")
                      if (packet := getattr(prims, name, None)) is not None}


_known = None


def known():
    global _known
    if _known is None:
        _known = _Known()
    return _known


_WORD = 0xFFFFFFFF


def _philox(seed, count):
    """The first two words of Philox4x32-10 for the counters 0 to count - 1, with the low word of the seed as key, as
    cpp_prefix.h of torch has it (J. K. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011)."""
    import torch

    counter = torch.arange(count, dtype=torch.int64) & _WORD
    words = [counter, *(torch.zeros_like(counter) for _ in range(3))]
    key = [int(seed) & _WORD, 0]

    def multiplied(constant, word):  # 32 by 32 bits, by halves: no overflow
        high, rest = constant * (word >> 16), constant * (word & 0xFFFF)
        low = ((high & 0xFFFF) << 16) + rest
        return ((high >> 16) + (low >> 32)) & _WORD, low & _WORD

    for round_ in range(10):
        if round_:
            key = [(key[0] + 0x9E3779B9) & _WORD, (key[1] + 0xBB67AE85) & _WORD]
        high0, low0 = multiplied(0xD2511F53, words[0])
        high1, low1 = multiplied(0xCD9E8D57, words[2])
        words = [high1 ^ words[1] ^ key[0], low1, high0 ^ words[3] ^ key[1], low0]
    return words[:2]


def _unit(word):
    """A number of [0, 1) of float32, in float64."""
    import torch

    return ((word & 0x7FFFFFFF).to(torch.float32) * 4.6566127342e-10).to(torch.float64)


def _random(size, seed, mode, *, align_dtype=None):
    import torch

    words = _philox(seed, math.prod(size))
    if mode == "rand":
        made = _unit(words[0])
    else:  # Box and Muller
        first, second = 1 - _unit(words[0]), 1 - _unit(words[1])
        made = (-2 * first.log()).sqrt() * (2 * math.pi * second).cos()
    return made.to(torch.float32).reshape(size)


def _randint(low, high, size, seed):
    words = _philox(seed, math.prod(size))
    count = high - low
    if not 0 < count < 1 << 31:
        raise Unknown("random integers of such a range have no reference")
    made = ((words[1] % count) * ((1 << 32) % count) + words[0]) % count + low
    return made.reshape(size)


def _is_real(dtype):
    return dtype.is_floating_point


def _wide(value):
    import torch

    if isinstance(value, torch.Tensor) and _is_real(value.dtype):
        return value.double()
    return value


def _wide_argument(value):
    import torch

    return torch.float64 if isinstance(value, torch.dtype) and _is_real(value) else _wide(value)


class Evaluation:
    """Values of nodes in one kind of arithmetic."""

    def __init__(self, site, given, symbols, contents={}, kind=EXACT, generator=None):
        self.site = site
        self.symbols = symbols  # by name of a symbol: its value
        self.kind = kind
        self.generator = generator
        self.values = {node: self._in_kind(value) for node, value in given.items()}
        self.given = set(given)
        self.contents = contents  # node that changes memory: what the memory held

    def _in_kind(self, value):
        return value if self.kind == EXACT else _wide(value)

    def _integer(self, value):
        import torch

        if not isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
            return value
        expression = value.node.expr.xreplace({symbol: self.symbols[symbol.name]
                                               for symbol in value.node.expr.free_symbols
                                               if symbol.name in self.symbols})
        try:
            return float(expression) if isinstance(value, torch.SymFloat) else int(expression)
        except TypeError:
            raise Unknown(f"the size {value} is not known here") from None

    def _sources(self, node):
        """What a node is computed from."""
        changed = self.contents.get(node)
        return [each for each in node.all_input_nodes if changed is None or each is not node.args[0]]

    def needed(self, node):
        """The nodes to compute for a node, in order, it included."""
        order, waiting, done = [], [(node, False)], set()
        while waiting:
            here, is_left = waiting.pop()
            if is_left:
                order.append(here)
            elif here not in self.values and here not in done:
                done.add(here)
                self._limit(here)
                if here.op == "placeholder" and self._of_symbol(here) is None:
                    raise Unknown(f"the kernel does not get {here.name}, which its operators need")
                waiting.append((here, True))
                waiting += [(source, False) for source in self._sources(here)]
        return order

    def _limit(self, node):
        """Refuses values that the kernel does not have as a whole, and that may not fit into memory."""
        made = node.meta.get("val")
        size = 8 * self.count(made)
        if size > MOST_BYTES:
            raise Unknown(f"the value of {node.name} has {size} bytes in float64, and at most {MOST_BYTES} are "
                          "computed")

    def _of_symbol(self, node):
        import torch

        value = node.meta.get("val")
        return value if isinstance(value, (torch.SymInt, torch.SymFloat)) else None

    def value(self, node):
        order = self.needed(node)
        left = {}
        for here in order:
            for source in self._sources(here):
                left[source] = left.get(source, 0) + 1
        for here in order:
            self.values[here] = self._computed(here)
            for source in self._sources(here):
                left[source] -= 1
                if left[source] == 0 and source not in self.given:
                    self.values.pop(source, None)  # or a large kernel needs much memory
        return self.values[node]

    def _attribute(self, name):
        found = self.site.module
        for part in name.split("."):
            found = getattr(found, part)
        return self._in_kind(found)

    def _computed(self, node):
        from torch.fx import map_arg

        if node.op == "get_attr":
            return self._attribute(node.target)
        if node.op == "placeholder":
            return self._integer(self._of_symbol(node))
        if node.op != "call_function":
            raise Unknown(f"{node.name} is no operator")
        if node.target in known().seeds:
            raise Unknown("the kernel makes its seed")
        if node.target in known().empty:
            raise Unknown(f"{node.name} is memory that nothing was written to")
        if self.kind != EXACT and node.target in known().of_bits:
            raise Unknown(f"{node.name} takes the bits of a number")
        changed = self.contents.get(node)
        args = list(node.args) if changed is None else [None, *node.args[1:]]
        args, kwargs = map_arg((args, node.kwargs), lambda each: self.values[each])
        if changed is not None:
            args = [self._in_kind(changed), *args[1:]]
        return self._called(node, args, dict(kwargs))

    def _called(self, node, args, kwargs):
        import torch
        from torch.utils._pytree import tree_map

        def fitting(value):
            value = self._integer(value)
            return value if self.kind == EXACT else _wide_argument(value)

        args, kwargs = tree_map(fitting, args), tree_map(fitting, kwargs)
        target = known().random.get(node.target, node.target)
        if isinstance(target, torch._ops.OpOverload):
            changed = [at for at, each in enumerate(target._schema.arguments) if each.is_write]
            if changed == [0]:
                args = [args[0].clone(), *args[1:]]
            elif changed:  # what the program has must stay as it is
                raise Unknown(f"{node.name} changes several tensors")
        elif isinstance(target, torch._ops.HigherOrderOperator):
            raise Unknown(f"{node.name} cannot be called in eager mode")
        if self.kind == NOISY:
            args = self._before(node, args)
        try:
            result = target(*args, **kwargs)
        except Unknown:
            raise
        except Exception as error:  # noqa: BLE001 - whatever an operator raises
            raise Unknown(f"{node.name} fails in eager mode: {str(error).splitlines()[0] if str(error) else error!r}")
        if self.kind != EXACT:
            result = tree_map(_wide, result)
        return tree_map(lambda each: self._with_error(each, node), result) if self.kind == NOISY else result

    def _epsilon(self, node):
        import torch

        value = node.meta.get("val")
        value = value[0] if isinstance(value, (tuple, list)) and value else value
        dtype = getattr(value, "dtype", None)
        return torch.finfo(dtype).eps if dtype is not None and _is_real(dtype) else 0

    def _changed(self, tensor, size):
        import torch

        if size == 0 or not isinstance(tensor, torch.Tensor) or tensor.dtype != torch.float64:
            return tensor
        return tensor * (1 + size * (2 * torch.rand(tensor.shape, generator=self.generator, dtype=torch.float64) - 1))

    def _before(self, node, args):
        """Terms of sums with an error each, which stays if the terms cancel each other out."""
        import torch

        is_sum, is_scatter = node.target in known().sums, node.target in known().scatters
        if not is_sum and not is_scatter:
            return args
        terms = [each for each in args if isinstance(each, torch.Tensor)]
        made = node.meta.get("val")
        made = made[0] if isinstance(made, (tuple, list)) else made
        size = terms[-1].numel() if is_scatter else max(each.numel() for each in terms) / max(1, self.count(made))
        error = self._epsilon(node) * math.sqrt(max(1, size))
        return [self._changed(each, error) for each in args]

    def count(self, value):
        return math.prod(self._integer(size) for size in value.shape) if hasattr(value, "shape") else 1

    def _with_error(self, value, node):
        if node.target is operator.getitem:
            return value
        return self._changed(value, self._epsilon(node))

