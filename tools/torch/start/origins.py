#===- origins.py - modules and stacks of the nodes that dynamo captured ----===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""torch's log has of each captured node the innermost line, which for a model of a library is the same in
each layer. Here the node's nn.Module and its whole stack go into the log, too, as an artifact of their
own beside the printed graph, with the same names of nodes.
"""

import contextlib
import functools
import json
import os
import sys

from _seamscope_waiting import guarded


class _Wrapped:
    """What is called by a function of torch's own, since it has no frame that can be compiled: torch's log and
    names of modules have that function, and its variable, in the place of the program's."""

    FUNCTION, VARIABLE = "inner", "fn"  # of torch._dynamo.external_utils.wrap_inline

    def __init__(self, output):
        from torch._dynamo import external_utils

        code = output.root_tx.f_code
        self.function = None
        if code.co_name == self.FUNCTION and code.co_filename == external_utils.__file__:
            self.function = output.root_tx.f_locals.get(self.VARIABLE)

    def module(self, path):
        variable = f"L['{self.VARIABLE}']"
        return "L['self']" + path[len(variable):] if self.function is not None and path.startswith(variable) \
            else path

    def described(self):
        names = sys.modules["_seamscope_waiting"].load(os.path.dirname(os.path.realpath(__file__)), "names")
        code = names.code_of(self.function)
        if code is not None and not _is_of_torch(code):
            return {"name": names.name_of(self.function), "file": code.co_filename, "line": code.co_firstlineno}
        # What is torch's own, or not Python's, is known by its call.
        caller = sys._getframe()
        while caller is not None and _is_between(caller.f_code):
            caller = caller.f_back
        place = {} if caller is None else {"file": caller.f_code.co_filename, "line": caller.f_lineno}
        return {"name": names.name_of(self.function), **place}


def _is_of_torch(code):
    import torch

    return code.co_filename.startswith(os.path.dirname(torch.__file__) + os.sep)


def _is_between(code):
    """Of torch, or of what stands between its frames."""
    others = contextlib, functools, sys.modules["_seamscope_waiting"], sys.modules[__name__]
    return _is_of_torch(code) or code.co_filename in [module.__file__ for module in others]


def _origins(graph, wrapped):
    stacks, nodes = {}, {}
    for node in graph.nodes:
        if node.op == "placeholder" or node.op == "output":
            continue
        entry = {}
        modules = node.meta.get("nn_module_stack")
        if modules:
            path, kind = list(modules.values())[-1][:2]
            entry["module"] = wrapped.module(str(path)) if wrapped else str(path)
            entry["class"] = getattr(kind, "__name__", str(kind).rsplit(".", 1)[-1])
        if node.stack_trace:
            entry["stack"] = stacks.setdefault(node.stack_trace, len(stacks))
        if entry:
            nodes[node.name] = entry
    origins = {"stacks": list(stacks), "nodes": nodes}
    if wrapped and wrapped.function is not None:
        origins["function"] = wrapped.described()
    return origins


def _write(graph, wrapped=None):
    from torch._logging import trace_structured

    trace_structured("artifact",
                     metadata_fn=lambda: {"name": "seamscope_node_origins", "encoding": "json"},
                     payload_fn=lambda: json.dumps(_origins(graph, wrapped)))


def _write_once(graph):
    """Graphs of a package that is compiled ahead of time were not captured by dynamo just now."""
    from torch._guards import CompileContext

    compilation = CompileContext.current_compile_id()
    if compilation is None or compilation != _written:
        _write(graph)


_written = None  # compile id of the graph that dynamo captured last


def _dynamo_captured(output, graph):
    from torch._guards import CompileContext

    global _written
    _written = CompileContext.current_compile_id()
    _write(graph, _Wrapped(output))


def _before(function, look):
    """`function`, after `look` saw its arguments."""
    look_at = guarded("kernels have lines, but no modules")(lambda args: look(*args))

    def watched(*args, **kwargs):
        look_at(args)
        return function(*args, **kwargs)

    watched._of_seamscope = True
    return watched


def watch_dynamo(output_graph):
    """To be called with torch._dynamo.output_graph. A second time it does nothing."""
    graph = output_graph.OutputGraph
    if not getattr(graph.call_user_compiler, "_of_seamscope", False):
        graph.call_user_compiler = _before(
            graph.call_user_compiler, lambda output, module, *rest: _dynamo_captured(output, module.graph))


def watch_compile(compile_fx):
    """To be called with torch._inductor.compile_fx. A second time it does nothing."""
    passes = compile_fx.run_pre_grad_passes
    if not getattr(passes, "_of_seamscope", False):
        # The passes change the graph; the printed one is that before them.
        compile_fx.run_pre_grad_passes = _before(passes, lambda module, *rest: _write_once(module.graph))
