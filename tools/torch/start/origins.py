#===- origins.py - modules and stacks of the nodes that dynamo captured ----===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""torch's log has of each captured node the innermost line, which for a model of a library is the same in
each layer. Here the node's nn.Module and its whole stack go into the log, too, as an artifact of their
own beside the printed graph, with the same names of nodes.
"""

import json

from _seamscope_waiting import guarded


def _origins(graph):
    stacks, nodes = {}, {}
    for node in graph.nodes:
        if node.op == "placeholder" or node.op == "output":
            continue
        entry = {}
        modules = node.meta.get("nn_module_stack")
        if modules:
            path, kind = list(modules.values())[-1][:2]
            entry["module"] = str(path)
            entry["class"] = getattr(kind, "__name__", str(kind).rsplit(".", 1)[-1])
        if node.stack_trace:
            entry["stack"] = stacks.setdefault(node.stack_trace, len(stacks))
        if entry:
            nodes[node.name] = entry
    return {"stacks": list(stacks), "nodes": nodes}


def _write(graph):
    from torch._logging import trace_structured

    trace_structured("artifact",
                     metadata_fn=lambda: {"name": "seamscope_node_origins", "encoding": "json"},
                     payload_fn=lambda: json.dumps(_origins(graph)))


def _write_once(graph):
    """Graphs of a package that is compiled ahead of time were not captured by dynamo just now."""
    from torch._guards import CompileContext

    compilation = CompileContext.current_compile_id()
    if compilation is None or compilation != _written:
        _write(graph)


_written = None  # compile id of the graph that dynamo captured last


def _dynamo_captured(graph):
    from torch._guards import CompileContext

    global _written
    _written = CompileContext.current_compile_id()
    _write(graph)


def _before(function, look, graph_of):
    """`function`, after `look` saw the graph among its arguments."""
    look_at = guarded("kernels have lines, but no modules")(lambda args: look(graph_of(*args)))

    def watched(*args, **kwargs):
        look_at(args)
        return function(*args, **kwargs)

    watched._of_seamscope = True
    return watched


def watch_dynamo(output_graph):
    """To be called with torch._dynamo.output_graph. A second time it does nothing."""
    graph = output_graph.OutputGraph
    if not getattr(graph.call_user_compiler, "_of_seamscope", False):
        graph.call_user_compiler = _before(graph.call_user_compiler, _dynamo_captured,
                                           lambda _, module, *rest: module.graph)


def watch_compile(compile_fx):
    """To be called with torch._inductor.compile_fx. A second time it does nothing."""
    passes = compile_fx.run_pre_grad_passes
    if not getattr(passes, "_of_seamscope", False):
        # The passes change the graph; the printed one is that before them.
        compile_fx.run_pre_grad_passes = _before(passes, _write_once,
                                                 lambda module, *rest: module.graph)
