#===- provenance.py - captured nodes of backward nodes ---------------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""torch's map from nodes after autograd to captured nodes covers only the forward pass. Autograd gives a backward
node the number of the forward node whose gradient it computes. This module extends the map by that number; the
result goes into torch's log and cache like torch's own map.

torch's cache of graphs uses only operators and shapes as key: another program with the same graph would get the
nodes, lines and names of the first. This module adds these to the key. Compiled kernels, which take by far the
longest, are still cached by their text and shared by all programs.
"""

import hashlib
import os
import sys
import time

from _seamscope_waiting import guarded


def _compile_id():
    from torch._guards import CompileContext

    return str(CompileContext.current_compile_id())


def _is_backward(node):
    return node.meta.get("partitioner_tag") == "is_backward"


def _names(sources, graph):
    """The nodes of one graph among the sources of a node."""
    found = []
    waiting = list(sources)
    while waiting:
        source = waiting.pop(0)
        if source.graph_id == graph and source.name not in found:
            found.append(source.name)
        waiting += source.from_node or []
    return found


class _Forward:
    """The forward pass of one compilation."""

    def __init__(self, graph):
        self.graph = graph  # number of the captured graph
        self.by_number = {}  # autograd's number: names of nodes

    def add(self, module):
        for node in module.graph.nodes:
            number = node.meta.get("seq_nr")
            # The first node with a number created autograd's node; later ones did not create one.
            if node.op == "call_function" and number is not None and not _is_backward(node):
                self.by_number.setdefault(number, _names(node.meta.get("from_node", ()), self.graph))

    def names(self, node):
        if _is_backward(node):
            return self.by_number.get(node.meta.get("seq_nr"), [])
        return _names(node.meta.get("from_node", ()), self.graph)  # recomputed in the backward pass


_forward = {}  # by compilation


def _captured_graph():
    debug = sys.modules.get("torch._inductor.debug")
    return getattr(debug, "_pre_grad_graph_id", None)


def _remember(joint):
    import torch

    graph = _captured_graph()
    if graph is None:
        return  # not compiled by Inductor
    forward = _Forward(graph)
    for module in joint.modules():
        if isinstance(module, torch.fx.GraphModule):
            forward.add(module)
    _forward[_compile_id()] = forward


def _carry_on(graph, found):
    calls = [node for node in graph.nodes if node.op == "call_function"]
    forward = _forward.get(_compile_id())
    if forward is None or not any(_is_backward(node) for node in calls):
        return
    for node in calls:
        found.setdefault(node.name, []).extend(
            {"name": name, "graph_id": _captured_graph(), "from_node": []}
            for name in forward.names(node))


def _then(first, second):
    """Returns a function that calls `first`, then `second`."""
    after = guarded("kernels of backward passes have lines but lack operators")(second)

    def both(given):
        result = first(given)
        after(given, result)
        return result

    both._of_seamscope = True
    return both


def _is_watched(function):
    return getattr(function, "_of_seamscope", False)


def watch_autograd(utils):
    """Call with torch._functorch._aot_autograd.utils. A second call does nothing."""
    name = "copy_fwd_metadata_to_bw_nodes"
    copy = getattr(utils, name)
    if _is_watched(copy):
        return
    ours = _then(copy, lambda joint, _: _remember(joint))
    # Modules that imported it by name have a reference too.
    for place, module in list(sys.modules.items()):
        if place.startswith("torch._functorch") and vars(module).get(name) is copy:
            setattr(module, name, ours)


def watch_inductor(debug):
    """Call with torch._inductor.debug, before anything is compiled."""
    import torch.fx.traceback as traceback

    # torch keeps the map from kernels to nodes only if this variable is not None. A backward graph
    # is compiled outside the scope that sets it, so any number does.
    if getattr(debug, "_pre_grad_graph_id", 0) is None:
        debug._pre_grad_graph_id = -1
    if not _is_watched(traceback.get_graph_provenance_json):
        traceback.get_graph_provenance_json = _then(traceback.get_graph_provenance_json, _carry_on)
        _watch_map(debug)


def _buffers():
    """The nodes whose values the graph's buffers hold, by buffer."""
    from torch._inductor.virtualized import V

    found = {}
    for buffer in V.graph.buffers:
        node = buffer.get_origin_node()
        if node is not None and node.op == "call_function":
            found[buffer.get_name()] = node.name
    return found


def _watch_map(debug):
    """Adds the nodes of buffers to torch's map, and so to its log and its cache of graphs."""
    dump = debug.dump_inductor_provenance_info
    buffers = guarded("the work of fused kernels is less often known")(_buffers)

    def dumped():
        mapping = dump()
        if isinstance(mapping, dict) and (found := buffers()):
            mapping["seamscopeBuffers"] = found
        return mapping

    debug.dump_inductor_provenance_info = dumped


def _origin(node):
    """The parts of a node's provenance that depend on the program but not on the run."""
    meta = node.meta
    names = [node.name]
    waiting = list(meta.get("from_node", ()))
    while waiting:
        source = waiting.pop(0)
        names.append(source.name)
        waiting += source.from_node or []
    forward = _forward.get(_compile_id())
    if forward is not None:
        names += forward.names(node)
    stacks = [meta.get("nn_module_stack"), meta.get("fwd_nn_module_stack")]
    modules = [(str(entry[0]), str(entry[1])) for stack in stacks if stack
               for entry in stack.values()]
    return names, meta.get("stack_trace"), modules


def _program_of(graph):
    """A digest of the lines, names and modules that a graph was made from."""
    import torch

    digest = hashlib.sha256()
    for module in graph.modules() if graph is not None else ():
        if isinstance(module, torch.fx.GraphModule):
            for node in module.graph.nodes:
                digest.update(repr(_origin(node)).encode())
    return digest.hexdigest()


def watch_cache(codecache):
    """Call with torch._inductor.codecache."""
    details = codecache.FxGraphHashDetails  # all of its attributes are the key
    begin = details.__init__
    if _is_watched(begin):
        return

    program_of = guarded("a graph is compiled and not taken from the cache")(_program_of)

    def __init__(self, graph, *args, **kwargs):
        begin(self, graph, *args, **kwargs)
        # If the program is unknown, use a key that no other graph has.
        self.seamscope_program = program_of(graph) or f"{os.getpid()} {id(self)} {time.monotonic_ns()}"

    __init__._of_seamscope = True
    details.__init__ = __init__
