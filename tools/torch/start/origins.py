#===- origins.py - modules and stacks of the nodes that dynamo captured ----===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""torch logs only the innermost line of each captured node. In a library's model that line is the same for each
layer. This module adds the node's nn.Module and its whole stack to the log, as a separate artifact next to the
printed graph, with the same node names.
"""

import contextlib
import functools
import json
import os
import sys

from _seamscope_waiting import guarded


class _Wrapped:
    """The program's function behind torch's wrapper. dynamo wraps functions without a frame that it can compile;
    the log and module names then have the wrapper and its variable."""

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
        # Functions of torch, and those that are not Python code, are identified by their call.
        caller = sys._getframe()
        while caller is not None and _is_between(caller.f_code):
            caller = caller.f_back
        place = {} if caller is None else {"file": caller.f_code.co_filename, "line": caller.f_lineno}
        return {"name": names.name_of(self.function), **place}


def _is_of_torch(code):
    import torch

    return code.co_filename.startswith(os.path.dirname(torch.__file__) + os.sep)


def _is_between(code):
    """Whether the code belongs to torch, or to modules between its frames."""
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
    """Writes the graph of an ahead-of-time compiled package, which dynamo did not capture."""
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
    """Returns `function`, with a call of `look` on its arguments before it."""
    look_at = guarded("kernels have lines but lack modules")(lambda args: look(*args))

    def watched(*args, **kwargs):
        look_at(args)
        return function(*args, **kwargs)

    watched._of_seamscope = True
    return watched


def watch_dynamo(output_graph):
    """Call with torch._dynamo.output_graph. A second call does nothing."""
    graph = output_graph.OutputGraph
    if not getattr(graph.call_user_compiler, "_of_seamscope", False):
        graph.call_user_compiler = _before(
            graph.call_user_compiler, lambda output, module, *rest: _dynamo_captured(output, module.graph))


def watch_compile(compile_fx):
    """Call with torch._inductor.compile_fx. A second call does nothing."""
    passes = compile_fx.run_pre_grad_passes
    if not getattr(passes, "_of_seamscope", False):
        # The printed graph is the one before the passes, which change it.
        compile_fx.run_pre_grad_passes = _before(passes, lambda module, *rest: _write_once(module.graph))
