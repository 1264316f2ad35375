#===- statements.py - nodes of the statements of C++ kernels ---------------===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""torch's map has the nodes of a whole fused kernel. If loops are timed, each statement of the generated C++
needs its nodes. Inductor generates a kernel buffer by buffer and knows the nodes of each buffer. So each statement
gets a comment with the number of its buffer in the kernel, and torch's map gets the nodes by number, for each call
of the kernel. A second number in the comment, after a colon, stands for the nodes that the statement itself computes
(operators.py).

The code has numbers, not names, because Inductor compiles equal text once, and the layers of a model must still
share kernels. A comment does not change lines or instructions.
"""

import os
import re
import stat
import sys

from _seamscope_waiting import guarded

LOST = "loops of kernels lack nodes"

_MARK = re.compile(r"(?: // \[seamscope ~(\d+)\])?(?: // \[seamscope @(\w+)\])?$", re.MULTILINE)


def wanted():
    """Whether the pass times loops: unless its settings say off."""
    return _timed(os.environ.get("SEAMSCOPE_PASS", ""), True)


def _timed(settings, answer):
    for setting in re.split(r"[;\n]", settings):
        name, _, value = setting.strip().partition("=")
        if name == "loops":
            answer = value.strip() != "off"
        elif name == "config":
            answer = _timed(re.sub(r"#.*", "", _text_of(value.strip())).replace(" ", ""), answer)
    return answer


def _text_of(path):
    """The contents of a regular file, else nothing: a pipe could block the program, and the pass reports it."""
    largest = 64 << 20  # the limit of the pass
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return file.read(largest).decode(errors="replace")
    except (OSError, ValueError):
        pass
    return ""


def _names(node):
    """The nodes that are computed for a buffer, in the order of torch's set, which is the nodes' order."""
    return [origin.name for origin in node.get_origins()
            if origin.op not in ("output", "placeholder", "get_attr")]


def marked(line, mark):
    """A line of generated code with a mark, unless it is empty."""
    if isinstance(line, str):
        return line + mark if line.strip() else line
    if hasattr(line, "line"):  # a deferred line, dropped together with its buffer
        line.line += mark
    return line


def _sections(kernel):
    return [section for name in ("compute", "stores", "reduction_suffix")
            if (section := getattr(kernel, name, None)) is not None]


def _mark(sections, node, graph):
    mark = f" // [seamscope @{node.get_name()}]"
    graph.__dict__.setdefault("_seamscope_nodes", {})[node.get_name()] = _names(node.node)
    for section, size in sections:
        for at in range(size, len(section._lines)):
            section._lines[at] = marked(section._lines[at], mark)


def _watch_scheduler(scheduler):
    node_class = scheduler.SchedulerNode
    codegen = node_class.codegen
    from torch._inductor.virtualized import V

    @guarded(LOST, ())
    def sections_now():
        return [(section, len(section._lines)) for section in _sections(V.kernel)]

    @guarded(LOST)
    def mark(sections, node):
        backend = V.graph.scheduler.get_backend(node.get_device())
        if type(backend).__name__ == "CppScheduling":
            _mark(sections, node, V.graph)

    def watched(self, *args, **kwargs):
        sections = sections_now()
        result = codegen(self, *args, **kwargs)
        mark(sections, self)
        return result

    node_class.codegen = watched


_found = {}  # by kernel and handle: for each number of a buffer in its code, the names of nodes; and of statements


def watch_cpp(cpp):
    """Call with torch._inductor.codegen.cpp. A second call does nothing."""
    from torch._inductor import debug, scheduler
    from torch._inductor.virtualized import V

    operators = sys.modules["_seamscope_waiting"].load(os.path.dirname(os.path.realpath(__file__)), "operators")
    backend = cpp.CppScheduling
    define, comment = backend.define_kernel, backend.codegen_comment
    if getattr(define, "_of_seamscope", False):
        return

    def numbered(backend, src_code):
        buffers, statements = {}, {}

        def number(mark):
            nodes = operators.owners(int(mark[1])) if mark[1] else ()
            own = f":{statements.setdefault(nodes, len(statements))}" if nodes else ""
            buffer = buffers.setdefault(mark[2], len(buffers)) if mark[2] else ""
            return f" // [seamscope {buffer}{own}]" if mark[2] or own else ""

        text = _MARK.sub(number, src_code)
        backend._seamscope_marks = list(buffers), [list(nodes) for nodes in statements]
        return text

    def define_kernel(self, src_code, *args, **kwargs):
        text = guarded(LOST, src_code)(numbered)(self, src_code)
        return define(self, text, *args, **kwargs)

    @guarded(LOST)
    def remember(backend, kernel_name):
        buffers, statements = backend.__dict__.pop("_seamscope_marks", ((), ()))
        nodes = getattr(V.graph, "_seamscope_nodes", {})
        handle = getattr(debug, "_inductor_kernel_provenance_debug_handle", None)
        if handle and kernel_name:
            _found[f"{kernel_name}:{handle}"] = [nodes.get(name, []) for name in buffers], statements

    def codegen_comment(self, node_schedule, kernel_name=None):
        result = comment(self, node_schedule, kernel_name)
        remember(self, kernel_name)
        return result

    define_kernel._of_seamscope = True
    backend.define_kernel, backend.codegen_comment = define_kernel, codegen_comment
    _watch_map(debug)
    _watch_scheduler(scheduler)
    operators.watch(cpp, marked)


def _watch_map(debug):
    """Adds our map to torch's, and so to its log and its cache of graphs."""
    dump = debug.dump_inductor_provenance_info

    @guarded(LOST)
    def add(mapping):
        calls = mapping.get("cppCodeToPost", {}) if isinstance(mapping, dict) else {}
        ours = {call: marks for call in calls if (marks := _found.pop(call, None))}
        if ours:
            mapping["seamscopeStatements"] = {call: buffers for call, (buffers, _) in ours.items()}
            mapping["seamscopeOperators"] = {call: statements for call, (_, statements) in ours.items()}

    def dumped():
        mapping = dump()
        add(mapping)
        return mapping

    debug.dump_inductor_provenance_info = dumped
