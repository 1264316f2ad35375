#===- check_operators.py - the operator that makes a kernel wrong ----------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Compiles the nodes of a kernel once more, as a graph that returns the value of each of them, and looks for the first
one that is not what its operator makes of the compiled values of its inputs. A fault that only the whole kernel has is
not found.
"""

import operator
import os

from _seamscope_waiting import aside, guarded, load

HERE = os.path.dirname(os.path.realpath(__file__))
LOST = "the operator that makes a kernel wrong is not looked for"

is_compiling = False  # kernels of this graph are not checked


def _graph_of(order, given):
    """A graph that gets the values that the kernel got, and returns those of its nodes."""
    import torch

    graph = torch.fx.Graph()
    copies = {node: graph.placeholder(node.name) for node in given}
    results = []
    for node in order:
        copies[node] = graph.node_copy(node, lambda each: copies[each])
        if isinstance(node.meta.get("val"), torch.Tensor):
            results.append(node)
    graph.output([copies[node] for node in results])
    return graph, results


@guarded(LOST)
def first_wrong(call, node, is_near):
    """The first node that is computed wrong; None: none is, or it cannot be told. `is_near` compares two tensors."""
    import torch
    from torch._inductor import compile as compile_graph

    global is_compiling
    values = load(HERE, "check_values")
    given, contents = call.given(), call.contents()
    if contents or call.symbols:
        return None
    evaluation = values.Evaluation(call.site, given, call.symbols)
    order = evaluation.needed(node)
    if any(each.op != "call_function" or each.target in values.known().random for each in order):
        return None
    graph, results = _graph_of(order, given)
    module = torch.fx.GraphModule(call.site.module, graph)
    examples = [value.clone() for value in given.values()]
    is_compiling = True
    try:
        # Within compiled code, this thread has states of dispatch that the compiler cannot work with.
        made = aside(lambda: compile_graph(module, examples)(*examples))
    finally:
        is_compiling = False
    compiled = dict(zip(results, made))
    known = {**given, **compiled}
    for each in results:
        others = {source: value for source, value in known.items() if source is not each}
        reference = values.Evaluation(call.site, others, call.symbols).value(each)
        if isinstance(reference, torch.Tensor) and not is_near(compiled[each], reference):
            return each.args[0] if each.target is operator.getitem else each
    return None
