"""Runs a notebook in its own kernel, as Jupyter does, and prints the output of its cells. With RECORD=1 a cell
records itself by the package. A trace raises an error if it cannot begin, and no error later.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys

import nbclient
import nbformat

CELLS = ("""
import contextlib, os, torch
@contextlib.contextmanager
def trace(folder):
    with contextlib.ExitStack() as stack:
        if os.environ.get("RECORD") == "1":
            import seamscope.torch
            try:
                stack.enter_context(seamscope.torch.trace(folder))
            except seamscope.Error:
                pass
        yield
""", """
@torch.compile
def f(x):
    return torch.sin(x) + 1
x = torch.ones(8)
with trace("notebook-trace"):
    for step in range(3000):
        y = f(x)
print(round(float(y.sum()), 3))
""", """
f(torch.ones(3, 5), "no such argument")
""", """
with trace("notebook-trace"):
    f(x)
y[0]
""")

notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
nbclient.NotebookClient(notebook, timeout=200, allow_errors=True).execute()
for cell in notebook.cells:
    for output in cell.outputs:
        if output.output_type == "stream":
            (sys.stderr if output.name == "stderr" else sys.stdout).write(output.text)
        elif output.output_type == "error":
            print(output.ename)
        else:
            print(output.data["text/plain"])
raise SystemExit(4)
