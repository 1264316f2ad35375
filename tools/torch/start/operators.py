#===- operators.py - nodes of the single statements of C++ kernels ---------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Inductor lowers each node to a function that computes one element, and fuses nodes by calling such functions in
each other. It traces the outermost function of each buffer to a graph of its own operations, and interprets that
graph, which may have been traced again by then, to write C++.

Here each such function notes its node while it runs. Operations that are traced in the meantime keep the node, and
the statements that an operation writes get a mark. Equal statements are written once: the mark then stands for all
nodes that wanted it.
"""

import contextlib
import functools
import itertools

from _seamscope_waiting import guarded

LOST = "operators of kernels lack work"

_KEY = "_seamscope_node"
_SECTIONS = "preloads", "loads", "compute", "stores", "poststores", "reduction_suffix"

_MARK = " // [seamscope ~"

_current = [None]  # the name of the node that is being computed
_owners = {}  # by mark: the names of the nodes that its statements are computed for; and whether they load
_marks = itertools.count()


@contextlib.contextmanager
def _computing(node):
    before = _current[0]
    _current[0] = node or before
    try:
        yield
    finally:
        _current[0] = before


def _noting(function, node):
    @functools.wraps(function)
    def noted(*args, **kwargs):
        with _computing(node):
            return function(*args, **kwargs)

    return noted


@guarded(LOST)
def _note_node(loops, current):
    """Makes the function of a new loop nest note the node that is being lowered."""
    name = getattr(current, "name", None)
    if name is None:
        return
    object.__setattr__(loops, _KEY, name)
    object.__setattr__(loops, "inner_fn", _noting(loops.inner_fn, name))
    if functions := getattr(loops, "inner_fns", None):
        object.__setattr__(loops, "inner_fns", tuple(_noting(each, name) for each in functions))


def _watch_lowering(ir):
    from torch._inductor.virtualized import NullHandler, V

    made = ir.Loops.__post_init__

    def post_init(self):
        made(self)
        current = V.get_current_node()
        if not isinstance(current, NullHandler):
            _note_node(self, current)

    ir.Loops.__post_init__ = post_init
    # What is stored, and how a reduction adds up, is written outside of the function of an element.
    for kind in {ir.Loops, *_subclasses(ir.Loops)}:
        for name in ("store_output", "store_reduction"):
            if store := kind.__dict__.get(name):
                setattr(kind, name, _of_loops(store))


def _subclasses(kind):
    for each in kind.__subclasses__():
        yield each
        yield from _subclasses(each)


def _of_loops(store):
    @functools.wraps(store)
    def stored(self, *args, **kwargs):
        with _computing(getattr(self, _KEY, None)):
            return store(self, *args, **kwargs)

    return stored


def _watch_bodies(loop_body, cpp, marked):
    from torch._inductor.virtualized import V

    tracer, shim = loop_body.LightTracer, loop_body.InterpreterShim
    create, run = tracer.create_node, shim.run_node

    def create_node(self, *args, **kwargs):
        node = create(self, *args, **kwargs)
        if _current[0] is not None:
            node.meta[_KEY] = _current[0]
        return node

    @guarded(LOST, ())
    def sections_now():
        if not isinstance(V.kernel, cpp.CppKernel):
            return ()
        return [(section, len(section._lines)) for name in _SECTIONS
                if (section := getattr(V.kernel, name, None)) is not None]

    def run_node(self, node):
        with _computing(node.meta.get(_KEY)):
            sections = sections_now()
            result = run(self, node)
            if sections:
                _mark(V.kernel, sections, node, result, marked)
            return result

    tracer.create_node, shim.run_node = create_node, run_node


@guarded(LOST)
def _mark(kernel, sections, node, result, marked):
    owner = node.meta.get(_KEY)
    if owner is None:
        return
    known = kernel.__dict__.setdefault("_seamscope_owners", {})
    results = [each.name for each in (result if isinstance(result, (tuple, list)) else (result,))
               if isinstance(getattr(each, "name", None), str)]
    new = [(section, at) for section, size in sections for at in range(size, len(section._lines))
           if _MARK not in str(getattr(section._lines[at], "line", section._lines[at]))]
    loads = node.target == "load"
    if not new:
        # A load of what this kernel has just stored gives the stored value, and is not a computation of it.
        for mark in {known[name] for name in results if name in known}:
            if _owners[mark][1] == loads:
                _owners[mark][0].setdefault(owner)
        return
    mark = next(_marks)
    _owners[mark] = {owner: None}, loads
    for name in results:
        known.setdefault(name, mark)
    for section, at in new:
        section._lines[at] = marked(section._lines[at], f"{_MARK}{mark}]")


def owners(mark):
    """The nodes of a mark, in the order in which they wanted its value. A value that several nodes load belongs to
    none of them."""
    names, loads = _owners.get(mark, ({}, False))
    return () if loads and len(names) > 1 else tuple(names)


@guarded(LOST)
def watch(cpp, marked):
    """Call with torch._inductor.codegen.cpp, and a function that adds a mark to a line."""
    from torch._inductor import ir, loop_body

    _watch_lowering(ir)
    _watch_bodies(loop_body, cpp, marked)
