"""installed.py [moved]: checks the package that pip installed."""
import ctypes
import importlib.metadata
import os
import subprocess
import sys

if sys.argv[1:] == ["moved"]:
    sys.path.insert(0, os.getcwd())
import seamscope

assert seamscope.prefix().name == "_tree", seamscope.prefix()
assert importlib.metadata.version("seamscope") == seamscope.__version__
told = subprocess.run([seamscope.tool(), "--version"], capture_output=True, text=True).stdout
assert told == f"seamscope {seamscope.__version__}\n", told
library = ctypes.CDLL(str(seamscope.library()))
library.seamscope_version.restype = ctypes.c_char_p
assert library.seamscope_version().decode() == seamscope.__version__
package = os.path.dirname(seamscope.__file__)
for name in ("py.typed", "_version.py", "torch/__init__.py", "_tree/share/seamscope/start/steps.py",
             "_tree/lib/seamscope/python/bridge.py", "_tree/bin/seamscope-clang++",
             "_tree/share/man/man1/seamscope-adopt.1"):
    assert os.path.exists(os.path.join(package, name)), name
# The runtime library and the libraries that it opens, that of traces, at least one pass plugin, and one copy of the package.
libraries = sorted(n for n in os.listdir(os.path.join(package, "_tree/lib")) if n.endswith(".so"))
plugins = [n for n in libraries if n.startswith(("SeamscopePass-", "SeamscopeMLIR-"))]
always = {"libseamscope.so", "libseamscope-trace.so"}
# If there is a CUDA toolkit.
opened = {"libseamscope-cuda.so", "libseamscope-mlir-cuda.so", "libseamscope-nvtx.so"}
assert plugins and always <= set(libraries) - set(plugins) <= always | opened, libraries
assert not os.path.exists(os.path.join(package, "_tree/share/seamscope/python"))
print("is whole")
