#===- check_sites.py - what each call of a kernel computes -----------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""While Inductor lowers a graph, this module notes which nodes of the graph are in which buffers, and for each call
of a C++ kernel that it generates, which values of nodes the kernel gets and which it makes: a site. In the generated
code, the call `kernel(…)` becomes `kernel[number of the site](…)`, since several calls share a kernel.
"""

import os

from _seamscope_waiting import guarded, load

HERE = os.path.dirname(os.path.realpath(__file__))
LOST = "a kernel is not checked"


class Parameter:
    """A tensor of a call: a buffer of the graph."""

    def __init__(self, name, layout):
        self.name = name  # of the buffer
        self.layout = layout  # sizes and strides as the kernel's code indexes the memory; may have symbols
        self.before = None  # the node whose value it holds before the call
        self.layout_before = layout  # of another buffer with the same memory, perhaps
        self.after = ()  # nodes; after the call it holds the value of each of them
        self.is_sure = True  # else of one of them
        self.is_written = False


class Site:
    def __init__(self, number, graph, module):
        self.number = number
        self.graph = graph  # its name
        self.module = module  # fx.GraphModule
        self.parameters = []  # in the order of the kernel's
        self.sizes = []  # (expression, position among the arguments)
        self.changed = {}  # node that changes memory: position of the parameter whose content it changes
        self.calls = 0


_sites = []


def site(number):
    return _sites[number]


def _buffer(value):
    """The name of the buffer whose value is exactly that of a lowered node, or None."""
    from torch._inductor import ir

    while isinstance(value, (ir.TensorBox, ir.StorageBox)):
        value = value.data
    return value.get_name() if isinstance(value, ir.Buffer) else None


class _Graph:
    """What is known about a graph that is being lowered."""

    def __init__(self):
        self.results = {}  # node: what it was lowered to
        self.made_during = {}  # name of a buffer: the node that was being lowered
        self.now = {}  # name of a buffer whose memory was changed by a kernel: the node whose value it holds, or None
        self.holders = None

    def nodes_of(self, name):
        """The nodes whose value is that of a buffer, in the order of the graph."""
        if self.holders is None:
            self.holders = {}
            for node, result in self.results.items():
                if not isinstance(node.meta.get("val", result), (tuple, list)) and (held := _buffer(result)):
                    self.holders.setdefault(held, []).append(node)
        return self.holders.get(name, [])


def _about(graph):
    return graph.__dict__.setdefault("_seamscope_check", _Graph())


def _watch_lowering(graph_module):
    lowering = graph_module.GraphLowering
    run_node, register = lowering.run_node, lowering.register_buffer

    def watched(self, node):
        before = self.__dict__.get("_seamscope_node")
        self._seamscope_node = node
        try:
            result = run_node(self, node)
        finally:
            self._seamscope_node = before
        _about(self).results[node] = result
        return result

    def registered(self, buffer, *args, **kwargs):
        name = register(self, buffer, *args, **kwargs)
        _about(self).made_during[name] = self.__dict__.get("_seamscope_node")
        return name

    lowering.run_node, lowering.register_buffer = watched, registered


def _layout(name):
    """The sizes and the strides of a buffer."""
    from torch._inductor.virtualized import V

    buffer = V.graph.try_get_buffer(name)
    if buffer is None:
        raise LookupError(f"nothing is known about the buffer {name}")
    layout = buffer.get_layout()
    return list(layout.size), list(layout.stride)


def _guess(buffer):
    """Nodes that a buffer may hold which no node was lowered to, such as a copy with other strides: the last first.
    """
    return list(reversed(sorted((node for node in buffer.get_origins() if node.op != "output"))))


def _after(about, name, nodes_here):
    """The nodes whose value a parameter has after the call, and whether that is sure."""
    from torch._inductor.virtualized import V

    scheduler = V.graph.scheduler
    changes = [buffer for buffer in scheduler.mutation_real_name if scheduler.mutation_real_name[buffer] == name]
    here = [buffer for node in nodes_here for buffer in node.get_buffer_names() if buffer in changes]
    if here:
        node = about.made_during.get(here[-1])
        return ([node] if node is not None else []), True
    holders = about.nodes_of(name)
    if changes:  # by later kernels: nodes from the first change on have the later value
        first = about.made_during.get(changes[0])
        holders = [node for node in holders if first is not None and node < first]
    if holders:
        return holders, True
    buffer = V.graph.try_get_buffer(name)
    return (_guess(buffer) if buffer is not None else []), False


def _fill(site, about, args, nodes_here):
    from torch._inductor.codegen.common import RemovedArg
    from torch._inductor.virtualized import V

    def add(entry, last, is_written):
        parameter = Parameter(last, _layout(last))
        # A value that no later kernel needs stays in registers.
        parameter.is_written = (is_written and last not in V.graph.removed_buffers
                                and last not in V.graph.inplaced_to_remove)
        if entry not in made:
            parameter.layout_before = _layout(entry)
            if entry in about.now:
                parameter.before = about.now[entry]
            else:
                holders = about.nodes_of(entry)
                parameter.before = holders[0] if holders else None
        if parameter.is_written:
            parameter.after, parameter.is_sure = _after(about, last, nodes_here)
        site.parameters.append(parameter)

    made = {name for node in nodes_here for name in node.get_buffer_names()}
    seen = set()
    for inplaced in args.inplace_buffers.values():
        if isinstance(inplaced, RemovedArg) or id(inplaced) in seen:
            continue
        seen.add(id(inplaced))
        add(inplaced.other_names[0], inplaced.other_names[-1], True)
    for outer in args.input_buffers:
        if outer not in args.inplace_buffers:
            add(outer, outer, False)
    for outer, inner in args.output_buffers.items():
        if outer not in args.inplace_buffers and not isinstance(inner, RemovedArg):
            add(outer, outer, True)
    site.sizes = [(expression, len(site.parameters) + at) for at, expression in enumerate(args.sizevars)]


def _changes(site, about, nodes_here):
    """Notes the nodes of this call that change memory, and what is in which buffer from now on."""
    from torch._inductor.virtualized import V

    real = V.graph.scheduler.mutation_real_name
    made = {name for node in nodes_here for name in node.get_buffer_names()}
    positions = {parameter.name: at for at, parameter in enumerate(site.parameters) if parameter.name not in made}
    for node in nodes_here:
        for name in node.get_buffer_names():
            changed = real.get(name)
            if changed is None:
                continue
            maker = about.made_during.get(name)
            about.now[changed] = maker
            if maker is not None and changed in positions:
                site.changed[maker] = positions[changed]


def _note(group, kernel):
    from torch._inductor.virtualized import V

    if V.graph.cpp_wrapper:
        raise NotImplementedError("generated C++ code calls it (cpp_wrapper)")
    if load(HERE, "check_operators").is_compiling:
        return kernel
    about = _about(V.graph)
    nodes_here = [each for node in group.scheduled_nodes for each in node.get_nodes()]
    found = Site(len(_sites), V.graph.name or str(V.graph.graph_id), V.graph.module)
    _fill(found, about, group.args, nodes_here)
    _changes(found, about, nodes_here)
    _sites.append(found)
    return f"{kernel}[{found.number}]"


def watch_cpp(cpp):
    """Call with torch._inductor.codegen.cpp. A second call does nothing."""
    from torch._functorch import config as functorch
    from torch._inductor import config, graph

    group = cpp.KernelGroup
    call = group.call_kernel
    if getattr(call, "_of_seamscope", False):
        return
    note = guarded(LOST)(_note)

    def call_kernel(self, wrapper, kernel_name):
        return call(self, wrapper, note(self, kernel_name) or kernel_name)

    call_kernel._of_seamscope = True
    group.call_kernel = call_kernel
    _watch_lowering(graph)
    # A graph from the cache is not lowered again: nothing would be known about its kernels.
    config.fx_graph_cache = functorch.enable_autograd_cache = False
