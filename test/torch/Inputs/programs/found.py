"""What `seamscope report --json` says of a program here, for the program's own check of it.

The programs mark lines with comments, `# name`, and ask for what became of them.
"""

import collections
import json
import os
import re
import sys


class Found:
    """A report: `Found(FOLDER, REPORT.json, PROGRAM.py)`."""

    def __init__(self, folder, report, program):
        self.folder = os.path.abspath(folder)
        self.report = json.load(open(report))
        self.program = os.path.abspath(program)
        self.source = [line.strip() for line in open(program)]
        self.manifest = json.load(open(os.path.join(folder, "manifest.json")))

    def line_of(self, tag):
        (line,) = [i for i, text in enumerate(self.source, 1) if text.endswith("  # " + tag)]
        return line

    def tags(self, lines):
        """The marks of lines of Python, each of which has to be as it is in the program. Lines of
        torch's own functions may be among them."""
        found = set()
        for line in lines:
            if "-packages/torch/" in line["file"]:
                continue
            assert line["file"] == self.program, line
            assert self.source[line["line"] - 1] == line["code"], line
            found.add(line["code"].rpartition("  # ")[2])
        return found

    def kernels(self, tag, direction=None):
        """Kernels of the marked line, in graphs of a direction."""
        return [kernel for kernel in self.report["kernels"]
                if any(line["file"] == self.program and line["line"] == self.line_of(tag)
                       for use in kernel["uses"] for line in use["python"]
                       if direction in (None, use["direction"]))]

    def kernel(self, tag, direction=None):
        found = self.kernels(tag, direction)
        assert len(found) == 1, (tag, [kernel["name"] for kernel in found])
        return found[0]

    def operators(self, kernel):
        return {op["name"]: op["calls"] for op in kernel["eager_ops"]}

    def check_kernels(self):
        """Every kernel that the log has is in the report with its calls, name, nodes and lines."""
        generated = {}
        for record, payload in records(self.folder):
            if "inductor_output_code" in record:
                for name, text in kernels_in(payload):
                    generated.setdefault(name, set()).add(text.strip())
        named = collections.Counter(kernel["name"] for kernel in self.report["kernels"])
        assert set(named) == set(generated), (sorted(named), sorted(generated))
        for name, texts in generated.items():
            assert named[name] == len(texts), (name, named[name], len(texts))
        for kernel in self.report["kernels"]:
            assert kernel["calls"] >= 1 and kernel["total_ns"] > 0, kernel
            assert kernel["nodes"] and kernel["python"], kernel
            assert self.tags(kernel["python"]), kernel
            generated = kernel["generated"]
            assert generated["file"].startswith(self.folder + os.sep), generated
            text = open(generated["file"]).read().split("\n")[generated["line"] - 1]
            assert "kernel(" in text or kernel["name"] + "(" in text, (generated, text)
        assert not self.report["torch_notes"], self.report["torch_notes"]
        return len(self.report["kernels"])


def records(folder):
    """The records of torch's structured logs, each with its payload."""
    logs = os.path.join(folder, "torch-trace")
    for name in sorted(os.listdir(logs)):
        lines = open(os.path.join(logs, name)).read().split("\n")
        at = 0
        while at < len(lines):
            found = re.match(r"[VDIWEC]\d{4} .*?\] (\{.*)$", lines[at])
            at += 1
            if not found:
                continue
            payload = []
            while at < len(lines) and lines[at].startswith("\t"):
                payload.append(lines[at][1:])
                at += 1
            yield json.loads(found.group(1)), "\n".join(payload)


def kernels_in(code):
    """(name, text) of the kernels that output code defines."""
    return re.findall(r"^(\w+) = async_compile\.cpp\w*\(.*?r'''(.*?)'''", code, re.S | re.M)


def around_a_product(found):
    """Looks at relu and add before a product, and softmax after it; returns the product's call."""
    before, after = found.kernel("before"), found.kernel("after")
    assert before["name"].startswith("cpp_fused_") and "relu" in before["name"], before
    assert after["name"].startswith("cpp_fused_") and "softmax" in after["name"], after
    assert found.operators(before) == {"aten::relu": 1, "aten::add": 1}, before["eager_ops"]
    assert found.operators(after) == {"aten::softmax": 1}, after["eager_ops"]
    # The code that calls the kernels is none: its time would hold theirs once more.
    assert len(found.report["kernels"]) == 2, [kernel["name"] for kernel in found.report["kernels"]]
    for kernel in (before, after):
        assert kernel["calls"] == 3 and kernel["nodes"] and kernel["template"] is None
        text = open(kernel["generated"]["file"]).read().split("\n")[kernel["generated"]["line"] - 1:]
        assert any(kernel["name"] + "(" in line for line in text[:3]) or "{" in text[0], text[:3]
        assert kernel["generated"]["file"].startswith(found.folder), kernel["generated"]
    (product,) = [call for graph in found.report["graphs"] for call in graph["calls"]
                  if call["extern"]]
    return product


def both_ways(main, check):
    """Runs the program, or with `--check FOLDER REPORT.json` looks at what was reported of it."""
    if sys.argv[1:2] == ["--check"]:
        check(Found(sys.argv[2], sys.argv[3], sys.argv[0]))
        print("as the program says")
    else:
        main()
